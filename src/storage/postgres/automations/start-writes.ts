import type { Instant } from "#core/time/clock.ts";
import { triggerDetail, type Trigger } from "#core/trigger.ts";
import { STARTS_AT_ONCE } from "#storage/common/automations/start-limits.ts";
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

/**
 * For a workspace: waits for those who write triggers that wait, and they wait until this transaction ends.
 * The numbers of triggers alone are no order, because who has a lower one may commit later.
 */
export const ALONE_WITH_TRIGGERS =
  "SELECT pg_advisory_xact_lock(hashtextextended('waiting triggers', $1::int8))";

// Whatever comes after a contact's trigger that waits, waits behind it: their order is kept. The lock is taken
// before the number. To plan this takes longer than to do it: PostgreSQL does not look into `(SELECT …)`, so it
// keeps one plan, and makes none for the values of each call.
const ADD = `WITH s AS MATERIALIZED (
    SELECT * FROM unnest((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::int8[]),
      (SELECT $6::int4[]), (SELECT $7::int8[])) WITH ORDINALITY AS s (contact, kind, detail, event, depth, at, n)),
  listening AS MATERIALIZED (
    SELECT k.kind, k.detail, (SELECT count(*) FROM (SELECT FROM automation_listeners AS l
      WHERE l.workspace = $1 AND l.kind = k.kind AND l.detail = k.detail LIMIT ${STARTS_AT_ONCE + 1}) AS few) AS listeners
    FROM (SELECT DISTINCT kind, detail FROM s) AS k),
  heard AS MATERIALIZED (
    SELECT s.*, sum(listeners) OVER (ORDER BY n) > ${STARTS_AT_ONCE}
      OR EXISTS (SELECT FROM automation_triggers AS t WHERE t.contact = s.contact) AS waits
    FROM s JOIN listening USING (kind, detail) WHERE listeners > 0),
  waiting AS (
    INSERT INTO automation_triggers (workspace, contact, kind, detail, event, depth, created_at)
    SELECT $1, contact, kind, detail, event, depth, at FROM heard
    WHERE CASE WHEN waits THEN pg_advisory_xact_lock_shared(hashtextextended('waiting triggers', $1::int8)) IS NOT NULL END
    ORDER BY n RETURNING seq),
  started AS (
    INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
    SELECT l.automation, h.contact, l.kind, l.detail, h.event, h.depth, h.at, h.at
    FROM heard AS h JOIN automation_listeners AS l ON l.workspace = $1 AND l.kind = h.kind AND l.detail = h.detail
    WHERE NOT h.waits ORDER BY h.n, l.automation RETURNING seq)
  SELECT EXISTS (SELECT FROM waiting) OR EXISTS (SELECT FROM started) AS any`;

/**
 * Writes triggers, in the transaction of the change that caused them: one row for each LIVE automation that
 * listens. The job of the automations takes them from there. Where that would be too many rows, it is one row
 * that waits, and the job makes the others of it (run/run-spread.ts).
 */
export async function writeStarts(tx: Session, workspace: number, starts: readonly Start[]): Promise<void> {
  if (starts.length === 0) return;
  const added = await tx.row<{ any: boolean }>(ADD, [
    workspace,
    starts.map(({ contact }) => contact),
    starts.map(({ trigger }) => trigger.kind),
    starts.map(({ trigger }) => triggerDetail(trigger)),
    starts.map(({ event }) => event),
    starts.map(({ depth }) => depth),
    starts.map(({ at }) => at),
  ]);
  if (added?.any === true) tx.brings("starts");
}
