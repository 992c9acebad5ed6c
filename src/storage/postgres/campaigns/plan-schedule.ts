import type { DueCampaign, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { RETRY_AHEAD_MAX_MS } from "#deliveries/sender/backoff.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { campaigns } from "#storage/postgres/schema/schema.ts";

const WAITS = "status = 'SCHEDULED' AND mailing IS NULL AND NOT held AND paused IS NULL";
const CAMPAIGNS = `SELECT w.id AS workspace_id, c.id AS campaign_id, c.scheduled_at, c.next_try_at AS due_at
  FROM campaigns AS c JOIN workspaces AS w ON w.seq = c.workspace WHERE ${WAITS}`;
const DUE = `${CAMPAIGNS} AND next_try_at <= $1 ORDER BY next_try_at, c.seq LIMIT $2`;
/** A next try further ahead than any pause, for a time that has come: it was set while the clock was wrong. */
const FAR_TRIES = `${CAMPAIGNS} AND next_try_at > $1 AND scheduled_at <= $2 ORDER BY c.seq`;
const NEXT_DUE = `SELECT min(next_try_at) AS at FROM campaigns WHERE ${WAITS}`;
const STILL_DUE = "id = $1 AND status = 'SCHEDULED' AND scheduled_at = $2 AND mailing IS NULL";
const LOCK = `SELECT blocked FROM campaigns WHERE ${STILL_DUE} FOR NO KEY UPDATE`;
const POSTPONE = "UPDATE campaigns SET blocked = $2, next_try_at = $3 WHERE id = $1";
const HOLD = `UPDATE campaigns SET held = true, blocked = $3 WHERE ${STILL_DUE}`;

/** The campaigns whose time has come, and what keeps them waiting. */
export function planSchedule({
  read,
  write,
}: PostgresDatabase): Pick<PlanStore, "due" | "nextDueAt" | "postpone" | "hold"> {
  return {
    async due(now, limit) {
      const [due, far] = await read(({ rows }) =>
        Promise.all([
          rows<DueCampaign>(DUE, [now, limit]),
          rows<DueCampaign>(FAR_TRIES, [now + RETRY_AHEAD_MAX_MS, now]),
        ]),
      );
      return [...due, ...far.map((each) => ({ ...each, dueAt: now }))];
    },

    async nextDueAt() {
      const next = await read(({ row }) => row<{ at: number | null }>(NEXT_DUE));
      return present(next, "time of the next campaign").at;
    },

    postpone: ({ campaignId, scheduledAt }, reason, nextTryAt) =>
      write(async (tx) => {
        const found = await tx.row<Row<typeof campaigns, "blocked">>(LOCK, [campaignId, scheduledAt]);
        if (found === null) return false;
        await tx.run(POSTPONE, [campaignId, reason, nextTryAt]);
        return found.blocked !== reason;
      }),

    async hold({ campaignId, scheduledAt }, reason) {
      await write((tx) => tx.run(HOLD, [campaignId, scheduledAt, reason]));
    },
  };
}
