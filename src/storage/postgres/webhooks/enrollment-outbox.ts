import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { automations, contacts, enrollments } from "#storage/postgres/schema/schema.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

type EnrollmentRow = Row<typeof enrollments, "seq"> &
  Row<typeof automations, "workspace"> & {
    readonly automationId: Value<typeof automations, "id">;
    readonly enrollmentId: Value<typeof enrollments, "id">;
    readonly contactId: Value<typeof contacts, "id">;
  };

const FIND = `SELECT e.seq, a.workspace, a.id AS automation_id, e.id AS enrollment_id, c.id AS contact_id
  FROM enrollments AS e JOIN automations AS a ON a.seq = e.automation JOIN contacts AS c ON c.seq = e.contact
  WHERE e.seq = ANY($1::int8[])`;

type Ended = {
  readonly enrollment: number;
  readonly type: Extract<EventType, `automation.${string}`>;
  readonly at: number;
};

/** Writes the webhook messages about runs that ended, in the same transaction and in this order. */
export async function tellEnrollments(tx: Session, ended: readonly Ended[]): Promise<void> {
  const found = await tx.rows<EnrollmentRow>(FIND, [ended.map(({ enrollment }) => enrollment)]);
  const rows = new Map(found.map((row) => [row.seq, row]));
  const outbox = outboxWrites(tx);
  for (const { enrollment, type, at } of ended) {
    const row = rows.get(enrollment);
    if (row === undefined) continue;
    const { seq: _seq, workspace, ...data } = row;
    await outbox.add(workspace, type, at, () => JSON.stringify(data));
  }
  await outbox.book();
}
