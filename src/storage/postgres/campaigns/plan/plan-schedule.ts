import { TRY_AHEAD_MAX_MS } from "#campaigns/send/guardrails.ts";
import type { DueCampaign, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { campaigns } from "#storage/postgres/schema/schema.ts";

/** A campaign that another node plans counts as begun. */
const waitsFor = (
  node: string,
): string => `c.status = 'SCHEDULED' AND c.mailing IS NULL AND NOT c.held AND c.paused IS NULL
  AND NOT EXISTS (SELECT FROM mailings AS m JOIN plans AS p ON p.mailing = m.seq
    WHERE m.kind = 'campaign' AND m.source_id = c.id AND p.node <> ${node}::int8)`;
const CAMPAIGNS = `SELECT w.id AS workspace_id, c.id AS campaign_id, c.scheduled_at, c.next_try_at AS due_at
  FROM campaigns AS c JOIN workspaces AS w ON w.seq = c.workspace WHERE ${waitsFor("$3")}`;
const DUE = `${CAMPAIGNS} AND c.next_try_at <= $1 ORDER BY c.next_try_at, c.seq LIMIT $2`;
/** A next try further in the future than any, for a time that has come: it was set while the clock was wrong. */
const FAR_TRIES = `${CAMPAIGNS} AND c.next_try_at > $1 AND c.scheduled_at <= $2 ORDER BY c.seq`;
const NEXT_DUE = `SELECT min(c.next_try_at) AS at FROM campaigns AS c WHERE ${waitsFor("$1")}`;
const STILL_DUE = "id = $1 AND status = 'SCHEDULED' AND scheduled_at = $2 AND mailing IS NULL";
const LOCK = `SELECT blocked FROM campaigns WHERE ${STILL_DUE} FOR NO KEY UPDATE`;
const POSTPONE = "UPDATE campaigns SET blocked = $2, next_try_at = $3 WHERE id = $1";
const HOLD = `UPDATE campaigns SET held = true, blocked = $3 WHERE ${STILL_DUE}`;
const HELD_TOO_EARLY = `SELECT c.seq FROM workspaces AS w JOIN campaigns AS c ON c.workspace = w.seq
  WHERE c.status = 'SCHEDULED' AND c.mailing IS NULL AND c.held AND c.blocked = $1 AND c.scheduled_at > $2`;
const END_HOLDS = `UPDATE campaigns SET held = false, blocked = NULL, next_try_at = scheduled_at
  WHERE seq = ANY(ARRAY(${HELD_TOO_EARLY} ORDER BY c.seq FOR NO KEY UPDATE OF c)) RETURNING id`;

/** The campaigns whose time has come, and why they wait. */
export function planSchedule(
  { read, write }: PostgresDatabase,
  own: OwnNode,
): Pick<PlanStore, "due" | "nextDueAt" | "postpone" | "hold" | "endHolds"> {
  return {
    async due(now, limit) {
      const [due, far] = await read(({ rows }) =>
        Promise.all([
          rows<DueCampaign>(DUE, [now, limit, own.number]),
          rows<DueCampaign>(FAR_TRIES, [now + TRY_AHEAD_MAX_MS, now, own.number]),
        ]),
      );
      return [...due, ...far.map((each) => ({ ...each, dueAt: now }))];
    },

    async nextDueAt() {
      const next = await read(({ row }) => row<{ at: number | null }>(NEXT_DUE, [own.number]));
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

    async endHolds(reason, now) {
      const asked = [reason, now] as const;
      if ((await read(({ row }) => row(`${HELD_TOO_EARLY} LIMIT 1`, asked))) === null) return [];
      const ended = await write((tx) => tx.rows<Row<typeof campaigns, "id">>(END_HOLDS, asked));
      return ended.map(({ id }) => id);
    },
  };
}
