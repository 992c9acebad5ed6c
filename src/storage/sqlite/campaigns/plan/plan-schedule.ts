import { TRY_AHEAD_MAX_MS } from "#campaigns/send/guardrails.ts";
import type { PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { campaigns, workspaces } from "#storage/sqlite/schema/schema.ts";

/** A campaign that is SCHEDULED has both times. */
type DueRow = {
  workspaceId: Value<typeof workspaces, "id">;
  campaignId: Value<typeof campaigns, "id">;
  scheduledAt: NonNullable<Value<typeof campaigns, "scheduledAt">>;
  dueAt: NonNullable<Value<typeof campaigns, "nextTryAt">>;
};

/** `workspace IN` makes SQLite use the index by workspace and status. */
const HELD_TOO_EARLY = `workspace IN (SELECT seq FROM workspaces) AND status = 'SCHEDULED' AND mailing IS NULL
  AND held = 1 AND blocked = ? AND scheduled_at > ?`;

type Schedule = Pick<PlanStore, "due" | "nextDueAt" | "postpone" | "hold" | "endHolds">;

/** The campaigns whose time has come, and why they wait. */
export function planSchedule({ sqlite, writes }: SqliteDatabase): Schedule {
  const due = sqlite.query<DueRow, [number, number]>(
    `SELECT w.id AS workspaceId, c.id AS campaignId, c.scheduled_at AS scheduledAt, c.next_try_at AS dueAt FROM campaigns c
     JOIN workspaces w ON w.seq = c.workspace
     WHERE c.status = 'SCHEDULED' AND c.mailing IS NULL AND c.held = 0 AND c.paused IS NULL AND c.next_try_at <= ? ORDER BY c.next_try_at LIMIT ?`,
  );
  // A next try further ahead than any, for a time that has come: it was set while the clock was wrong.
  const farTries = sqlite.query<DueRow, [number, number]>(
    `SELECT w.id AS workspaceId, c.id AS campaignId, c.scheduled_at AS scheduledAt, c.next_try_at AS dueAt FROM campaigns c
     JOIN workspaces w ON w.seq = c.workspace
     WHERE c.status = 'SCHEDULED' AND c.mailing IS NULL AND c.held = 0 AND c.paused IS NULL AND c.next_try_at > ? AND c.scheduled_at <= ?`,
  );
  const nextDue = sqlite.query<{ at: number | null }, []>(
    "SELECT min(next_try_at) AS at FROM campaigns WHERE status = 'SCHEDULED' AND mailing IS NULL AND held = 0 AND paused IS NULL",
  );
  const blockedOf = sqlite.query<Row<typeof campaigns, "blocked">, [string]>(
    "SELECT blocked FROM campaigns WHERE id = ?",
  );
  const stillDue = "id = ? AND status = 'SCHEDULED' AND scheduled_at = ? AND mailing IS NULL";
  const postpone = sqlite.query(`UPDATE campaigns SET blocked = ?, next_try_at = ? WHERE ${stillDue}`);
  const hold = sqlite.query(`UPDATE campaigns SET held = 1, blocked = ? WHERE ${stillDue}`);
  const heldTooEarly = sqlite.query<object, [string, number]>(
    `SELECT 1 FROM campaigns WHERE ${HELD_TOO_EARLY} LIMIT 1`,
  );
  const endHolds = sqlite.query<Row<typeof campaigns, "id">, [string, number]>(
    `UPDATE campaigns SET held = 0, blocked = NULL, next_try_at = scheduled_at WHERE ${HELD_TOO_EARLY} RETURNING id`,
  );

  return {
    async due(now, limit) {
      const far = farTries.all(now + TRY_AHEAD_MAX_MS, now).map((each) => ({ ...each, dueAt: now }));
      return [...due.all(now, limit), ...far];
    },
    nextDueAt: async () => present(nextDue.get(), "time of the next campaign").at,
    postpone: ({ campaignId, scheduledAt }, reason, nextTryAt) =>
      writes.write(() => {
        const isNew = blockedOf.get(campaignId)?.blocked !== reason;
        return postpone.run(reason, nextTryAt, campaignId, scheduledAt).changes > 0 && isNew;
      }),
    hold: ({ campaignId, scheduledAt }, reason) =>
      writes.write(() => {
        hold.run(reason, campaignId, scheduledAt);
      }),
    endHolds: async (reason, now) =>
      heldTooEarly.get(reason, now) === null
        ? []
        : await writes.write(() => endHolds.all(reason, now).map(({ id }) => id)),
  };
}
