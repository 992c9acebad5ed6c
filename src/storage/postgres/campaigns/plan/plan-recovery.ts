import type { Leftover, PlanStore, UnfinishedPlan, UnfinishedState } from "#campaigns/send/plan.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { holdNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { mailings, plans, workspaces } from "#storage/postgres/schema/schema.ts";

type UnfinishedRow = Row<typeof mailings, "scheduledAt"> &
  Row<typeof plans, "node"> & {
    number: Value<typeof mailings, "seq">;
    workspaceId: Value<typeof workspaces, "id">;
    campaignId: Value<typeof mailings, "sourceId">;
    givenUp: boolean;
    overrideQuietHours: boolean | null;
  };

/** Without the plans that another node is making. */
const FREE = "(p.mailing IS NULL OR p.node IS NULL OR p.node = $1)";
/** A hold does not apply to plans that were given up. */
const UNFINISHED = `SELECT m.seq AS number, w.id AS workspace_id, m.source_id AS campaign_id, m.scheduled_at, p.node,
    coalesce(p.given_up, true) AS given_up, p.override_quiet_hours
  FROM mailings AS m JOIN workspaces AS w ON w.seq = m.workspace LEFT JOIN plans AS p ON p.mailing = m.seq
  WHERE m.phase = 'planning' AND m.kind = 'campaign' AND (m.held = 0 OR p.given_up) AND ${FREE} ORDER BY m.seq`;
const TAKE = `UPDATE plans SET node = $1 WHERE mailing = ANY($2::int8[]) AND node IS NULL AND NOT given_up
  RETURNING mailing`;
/** A campaign that is not being sent has a mailing only if its plan was not taken back. */
const LEFTOVER = `SELECT m.seq AS number, coalesce(p.given_up, true) AS is_given_up FROM campaigns AS c
    JOIN mailings AS m ON m.kind = 'campaign' AND m.source_id = c.id LEFT JOIN plans AS p ON p.mailing = m.seq
  WHERE c.workspace = $2 AND c.id = $3 AND c.mailing IS NULL AND (m.held = 0 OR p.given_up) AND ${FREE}`;
/** A node that was fenced gives up no plan: another node continues its plans. */
const GIVE_UP = `UPDATE plans SET given_up = true, node = NULL
  WHERE mailing = $1 AND (node IS NULL OR node = $2)`;

/** The plans of this process: those it is making, and those that failed and were not given up yet. */
type OwnPlans = ReadonlyMap<string, "begun" | "failed">;

/** Plans that a dead node left, or that were given up. */
export function planRecovery(
  { read, write, seqOf }: PostgresDatabase,
  own: OwnNode,
  ownPlans: OwnPlans,
): Pick<PlanStore, "unfinished" | "leftover" | "giveUp"> {
  return {
    async unfinished() {
      const rows = await read((session) => session.rows<UnfinishedRow>(UNFINISHED, [own.number]));
      const free = rows.filter(({ node, givenUp }) => node === null && !givenUp).map(({ number }) => number);
      const taken = free.length === 0 ? new Set<number>() : await take(free);
      return rows.flatMap((row) => {
        if (row.givenUp || ownPlans.get(row.campaignId) === "failed") return givenUp(row);
        if (row.node === null) return taken.has(row.number) ? begun(row) : [];
        return ownPlans.get(row.campaignId) === "begun" ? [] : begun(row);
      });
    },

    async leftover(workspaceId, campaignId) {
      const workspace = await seqOf(workspaceId);
      const found = await read(({ row }) =>
        row<Pick<Leftover, "number" | "isGivenUp">>(LEFTOVER, [own.number, workspace, campaignId]),
      );
      return found && { ...found, workspaceId, campaignId };
    },

    async giveUp({ number }) {
      await write(async (tx) => tx.run(GIVE_UP, [number, await holdNode(tx, own)]));
    },
  };

  /** Takes over those of the plans that nobody is making, and returns them. */
  async function take(numbers: readonly number[]): Promise<ReadonlySet<number>> {
    const taken = await write(async (tx) =>
      tx.rows<Row<typeof plans, "mailing">>(TAKE, [await holdNode(tx, own), numbers]),
    );
    return new Set(taken.map(({ mailing }) => mailing));
  }
}

const begun = (row: UnfinishedRow): UnfinishedPlan =>
  unfinishedOf(row, { kind: "begun", overrideQuietHours: row.overrideQuietHours ?? false });
const givenUp = (row: UnfinishedRow): UnfinishedPlan => unfinishedOf(row, { kind: "givenUp" });

const unfinishedOf = (
  { number, workspaceId, campaignId, scheduledAt }: UnfinishedRow,
  state: UnfinishedState,
): UnfinishedPlan => ({ number, workspaceId, campaignId, scheduledAt, state });
