import type { Instant } from "#core/time/clock.ts";
import { triggerDetail, type Trigger } from "#core/trigger.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/**
 * A contact's trigger, and what caused it. `event` is null if it was no event. `depth` is how many automations come
 * before it in the chain.
 */
export type Start = {
  readonly contact: number;
  readonly trigger: Trigger;
  readonly event: number | null;
  readonly depth: number;
  readonly at: Instant;
};

const ADD = `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
  SELECT l.automation, s.contact, l.kind, l.detail, s.event, s.depth, s.at, s.at
  FROM unnest($2::int8[], $3::text[], $4::text[], $5::int8[], $6::int4[], $7::int8[])
    WITH ORDINALITY AS s (contact, kind, detail, event, depth, at, n)
  JOIN automation_listeners AS l ON l.workspace = $1 AND l.kind = s.kind AND l.detail = s.detail
  ORDER BY s.n, l.automation`;

/**
 * Writes triggers, in the transaction of the change that caused them: one row for each LIVE automation that
 * listens. The job of the automations takes them from there.
 */
export async function writeStarts(tx: Session, workspace: number, starts: readonly Start[]): Promise<void> {
  if (starts.length === 0) return;
  const added = await tx.run(ADD, [
    workspace,
    starts.map(({ contact }) => contact),
    starts.map(({ trigger }) => trigger.kind),
    starts.map(({ trigger }) => triggerDetail(trigger)),
    starts.map(({ event }) => event),
    starts.map(({ depth }) => depth),
    starts.map(({ at }) => at),
  ]);
  if (added > 0) tx.brings("starts");
}
