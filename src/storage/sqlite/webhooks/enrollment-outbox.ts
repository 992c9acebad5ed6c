import type { Database } from "bun:sqlite";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { automations, contacts, enrollments } from "#storage/sqlite/schema/schema.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

type EnrollmentRow = Row<typeof automations, "workspace"> & {
  automationId: Value<typeof automations, "id">;
  enrollmentId: Value<typeof enrollments, "id">;
  contactId: Value<typeof contacts, "id">;
};

/** Writes the webhook messages about a run that ended, in the same transaction. */
export function enrollmentOutbox(sqlite: Database) {
  const newOutbox = outboxWrites(sqlite);
  const find = sqlite.query<EnrollmentRow, [number]>(
    `SELECT a.workspace, a.id AS automationId, e.id AS enrollmentId, c.id AS contactId FROM enrollments AS e
     JOIN automations AS a ON a.seq = e.automation JOIN contacts AS c ON c.seq = e.contact WHERE e.seq = ?`,
  );
  return (enrollment: number, type: Extract<EventType, `automation.${string}`>, at: number): void => {
    const row = find.get(enrollment);
    if (row === null) return;
    const { workspace, ...data } = row;
    const outbox = newOutbox();
    outbox.add(workspace, type, at, () => JSON.stringify(data));
    outbox.book();
  };
}
