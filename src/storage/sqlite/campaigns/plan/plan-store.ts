import type { Database } from "bun:sqlite";
import { hasAudience, isSameAudience } from "#campaigns/send/audience.ts";
import type { Plan, PlanOptions, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { atOnce } from "#core/time/event-loop.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { SegmentQueries } from "#storage/sqlite/segments/segment-queries.ts";
import type {
  campaignOptions,
  campaigns,
  lists,
  mailings,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { audienceSettling, planAudiences } from "./plan-audience.ts";
import { planEnd } from "./plan-end.ts";
import { exclude, FEW_EXCLUSIONS } from "./plan-exclusions.ts";
import { planIntents } from "./plan-intents.ts";
import { planSchedule } from "./plan-schedule.ts";
import { planWalk } from "./plan-walk.ts";

type CampaignRow = Row<typeof campaigns, "seq" | "list" | "mailing"> & {
  listId: Value<typeof lists, "id"> | null;
  options: Value<typeof campaignOptions, "options"> | null;
  /** The mailing of a plan that was begun and is held. */
  earlierMailing: Value<typeof mailings, "seq"> | null;
};
type LeftoverRow = { number: Value<typeof mailings, "seq">; campaignId: string };
type UnfinishedRow = Row<typeof mailings, "scheduledAt"> & {
  number: Value<typeof mailings, "seq">;
  workspaceId: Value<typeof workspaces, "id">;
  campaignId: Value<typeof mailings, "sourceId">;
};

/** No other server can have a plan of this database. */
type OwnPlans = Omit<PlanStore, "begin"> & {
  begin(...given: Parameters<PlanStore["begin"]>): Promise<Plan | null>;
};

export function planStore(database: SqliteDatabase, seqOf: WorkspaceSeq, queries: SegmentQueries): OwnPlans {
  const { sqlite } = database;
  const walk = planWalk(database);
  const end = planEnd(database);
  const intents = planIntents(sqlite.filename);
  const queuedSoFar = sqlite.query<Row<typeof mailings, "queued">, [string]>(
    "SELECT queued FROM mailings WHERE kind = 'campaign' AND source_id = ? AND phase = 'planning'",
  );

  return {
    ...planSchedule(database),
    ...recovery(database, seqOf),
    settle: audienceSettling(database, queries, seqOf),

    async planNext(plan, contactsMax) {
      const next = await walk.planNext(plan, contactsMax);
      if (next === "stopped") {
        walk.drop(plan);
        intents.forget(plan.campaignId);
      }
      return next;
    },
    plannedSoFar: async (campaignId) => queuedSoFar.get(campaignId)?.queued ?? 0,
    begin: beginning(database, seqOf),

    async complete(plan, completion) {
      const ended = await end.complete(plan, completion);
      if (ended !== "complete" && ended !== "stopped") return ended;
      walk.drop(plan);
      intents.forget(plan.campaignId);
      return ended;
    },

    giveUp: async ({ campaignId }) => intents.revoke(campaignId),

    abandon: (plan, rowsMax) => {
      walk.drop(plan);
      return end.abandon(plan, rowsMax);
    },
  };
}

/** Every start of a server adds a row here, and this server's row is the newest. */
function currentRun(sqlite: Database): () => number {
  const newest = sqlite.query<{ run: number }, []>("SELECT coalesce(max(seq), 0) AS run FROM runs");
  return () => present(newest.get(), "number of this run").run;
}

function beginning(database: SqliteDatabase, seqOf: WorkspaceSeq): OwnPlans["begin"] {
  const { sqlite, writes, longWrites, faults } = database;
  const intents = planIntents(sqlite.filename);
  const runNow = currentRun(sqlite);

  const keepIntent = async (campaignId: string, { overrideQuietHours }: PlanOptions): Promise<void> => {
    try {
      await intents.keep(campaignId, { run: runNow(), overrideQuietHours });
    } catch (error) {
      throw faults.writeFailed(error);
    }
  };

  return async (workspaceId, campaignId, options, now) => {
    const excluded = await inKeyOrder(options.excludeEmails);
    await keepIntent(campaignId, options);
    try {
      const order = { workspace: seqOf(workspaceId), campaignId, options, excluded, now };
      const slices: Slices<number | null> = (connection) => beginningOn(connection)(order);
      const number =
        excluded.length < FEW_EXCLUSIONS
          ? await writes.write(() => atOnce(slices(sqlite)))
          : await longWrites.write(slices);
      if (number === null) intents.forget(campaignId);
      return number === null ? null : { number, workspaceId, campaignId };
    } catch (error) {
      intents.revoke(campaignId);
      throw error;
    }
  };
}

type Beginning = {
  readonly workspace: number;
  readonly campaignId: string;
  readonly options: PlanOptions;
  readonly excluded: readonly string[];
  readonly now: number;
};

/** The transaction that begins a plan, in slices. Returns the number of its mailing. */
const beginningOn = oncePerDatabase((sqlite) => {
  const audiences = planAudiences(sqlite);
  const findCampaign = sqlite.query<CampaignRow, [string, number]>(
    `SELECT c.seq, c.list, l.id AS listId, c.mailing, o.options, m.seq AS earlierMailing FROM campaigns c
     LEFT JOIN lists l ON l.seq = c.list LEFT JOIN campaign_options o ON o.campaign = c.seq LEFT JOIN mailings m ON m.kind = 'campaign' AND m.source_id = c.id
     WHERE c.id = ? AND c.workspace = ? AND c.status <> 'SENT'`,
  );
  const beginMailing = sqlite.query<
    Row<typeof mailings, "seq">,
    [number, string, number | null, number | null, number]
  >(
    `INSERT INTO mailings (workspace, kind, source_id, phase, list, scheduled_at, created_at)
     VALUES (?, 'campaign', ?, 'planning', ?, ?, ?)
     ON CONFLICT DO UPDATE SET source_id = source_id RETURNING seq`,
  );

  return function* ({
    workspace,
    campaignId,
    options: { audience: asked, scheduledAt },
    excluded,
    now,
  }: Beginning): Generator<void, number | null, void> {
    const campaign = findCampaign.get(campaignId, workspace);
    if (!campaign || campaign.mailing !== null) return null;
    const audience = { ...storedOptions(campaign.options), listId: campaign.listId };
    if (asked && !isSameAudience(audience, asked)) return null;
    if (!hasAudience(campaign.list, audience.segmentId)) return null;
    const mailing = beginMailing.get(workspace, campaignId, campaign.list, scheduledAt, now);
    const number = present(mailing, "mailing that was just made").seq;
    // A held plan keeps its audience; if the campaign has another one now, completing the plan says so.
    if (campaign.earlierMailing === null) audiences.begin(number, audience);
    yield* exclude(sqlite, number, excluded);
    return number;
  };
});

/** Sorting 100,000 takes a turn of its own. */
async function inKeyOrder(addresses: readonly string[]): Promise<readonly string[]> {
  const sorted = addresses.toSorted();
  if (addresses.length >= FEW_EXCLUSIONS) await nextLoopTurn();
  return sorted;
}

/** Plans that were left by a process that ended. */
function recovery(
  { sqlite }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<PlanStore, "unfinished" | "leftover"> {
  const intents = planIntents(sqlite.filename);
  const runNow = currentRun(sqlite);
  // A campaign that is not being sent has a mailing only if its plan was not taken back.
  const leftover = sqlite.query<LeftoverRow, [string, number]>(
    `SELECT m.seq AS number, ?1 AS campaignId FROM campaigns c JOIN mailings m ON m.kind = 'campaign' AND m.source_id = c.id
     WHERE c.id = ?1 AND c.workspace = ?2 AND c.mailing IS NULL AND m.held = 0`,
  );
  const unfinished = sqlite.query<UnfinishedRow, []>(
    `SELECT m.seq AS number, w.id AS workspaceId, m.source_id AS campaignId, m.scheduled_at AS scheduledAt
     FROM mailings m JOIN workspaces w ON w.seq = m.workspace
     WHERE m.phase = 'planning' AND m.held = 0 AND m.kind = 'campaign' ORDER BY m.seq`,
  );

  return {
    async unfinished() {
      const rows = unfinished.all();
      if (rows.length === 0) return [];
      const run = runNow();
      return rows.flatMap((row) => {
        const intent = intents.find(row.campaignId);
        if (intent === null) return { ...row, state: { kind: "givenUp" } };
        if (intent instanceof Error) return { ...row, state: { kind: "unreadable", error: intent } };
        const { overrideQuietHours } = intent;
        return intent.run === run ? [] : { ...row, state: { kind: "begun", overrideQuietHours } };
      });
    },

    leftover: async (workspaceId, campaignId) => {
      const row = leftover.get(campaignId, seqOf(workspaceId));
      return row && { ...row, workspaceId, isGivenUp: intents.find(campaignId) === null };
    },
  };
}
