import type { Completion, Letter, Plan, PlanOptions, PlanStore } from "#campaigns/plan.ts";
import { RETRY_AHEAD_MAX_MS } from "#deliveries/sender/backoff.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { planIntents } from "./plan-intents.ts";
import { planWalk } from "./plan-walk.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  campaignBodies,
  campaigns,
  deliveries,
  lists,
  mailings,
  sendingUsage,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";

type CampaignRow = Row<typeof campaigns, "seq" | "list" | "mailing">;
type LeftoverRow = { number: Value<typeof mailings, "seq">; campaignId: string };
type FrozenRow = CampaignRow &
  Row<typeof campaigns, "subject"> &
  Row<typeof campaignBodies, "html"> & {
    listId: Value<typeof lists, "id">;
    listName: Value<typeof lists, "name">;
  };
type UnfinishedRow = Row<typeof mailings, "scheduledAt"> & {
  number: Value<typeof mailings, "seq">;
  workspaceId: Value<typeof workspaces, "id">;
  campaignId: Value<typeof mailings, "sourceId">;
};
type MailingRow = Row<typeof mailings, "workspace" | "list" | "queued" | "scheduledAt">;
/** A campaign that is SCHEDULED has both times. */
type DueRow = {
  workspaceId: Value<typeof workspaces, "id">;
  campaignId: Value<typeof campaigns, "id">;
  scheduledAt: NonNullable<Value<typeof campaigns, "scheduledAt">>;
  dueAt: NonNullable<Value<typeof campaigns, "nextTryAt">>;
};

export function planStore(database: SqliteDatabase, seqOf: WorkspaceSeq): PlanStore {
  const { sqlite, writes, faults } = database;
  const walk = planWalk(database);
  const end = planEnd(database);
  const intents = planIntents(sqlite.filename);
  const findCampaign = sqlite.query<CampaignRow, [string, number]>(
    "SELECT seq, list, mailing FROM campaigns WHERE id = ? AND workspace = ? AND status <> 'SENT'",
  );
  const beginMailing = sqlite.query<
    Row<typeof mailings, "seq">,
    [number, string, number, number | null, number]
  >(
    `INSERT INTO mailings (workspace, kind, source_id, phase, list, scheduled_at, created_at)
     VALUES (?, 'campaign', ?, 'planning', ?, ?, ?)
     ON CONFLICT DO UPDATE SET source_id = source_id RETURNING seq`,
  );
  // A campaign that is not under way has no mailing, but for one that was not taken back.
  const leftover = sqlite.query<LeftoverRow, [string, number]>(
    `SELECT m.seq AS number, ?1 AS campaignId FROM campaigns c JOIN mailings m ON m.kind = 'campaign' AND m.source_id = c.id
     WHERE c.id = ?1 AND c.workspace = ?2 AND c.mailing IS NULL AND m.held = 0`,
  );
  const exclude = sqlite.query(
    "INSERT INTO mailing_exclusions SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
  );
  const queuedSoFar = sqlite.query<Row<typeof mailings, "queued">, [string]>(
    "SELECT queued FROM mailings WHERE kind = 'campaign' AND source_id = ? AND phase = 'planning'",
  );
  const unfinished = sqlite.query<UnfinishedRow, []>(
    `SELECT m.seq AS number, w.id AS workspaceId, m.source_id AS campaignId, m.scheduled_at AS scheduledAt
     FROM mailings m JOIN workspaces w ON w.seq = m.workspace
     WHERE m.phase = 'planning' AND m.held = 0 AND m.kind = 'campaign' ORDER BY m.seq`,
  );
  // Every server that starts has a row here, and it is the newest one.
  const currentRun = sqlite.query<{ run: number }, []>("SELECT coalesce(max(seq), 0) AS run FROM runs");

  const keepIntent = (campaignId: string, { overrideQuietHours }: PlanOptions): void => {
    try {
      intents.keep(campaignId, { run: required(currentRun.get()).run, overrideQuietHours });
    } catch (error) {
      throw faults.writeFailed(error);
    }
  };

  const begin = (workspaceId: string, campaignId: string, options: PlanOptions, now: number): Plan | null => {
    const workspace = seqOf(workspaceId);
    const campaign = findCampaign.get(campaignId, workspace);
    if (!campaign || campaign.list === null || campaign.mailing !== null) return null;
    const number = required(
      beginMailing.get(workspace, campaignId, campaign.list, options.scheduledAt, now),
    ).seq;
    exclude.run(number, JSON.stringify(options.excludeEmails));
    return { number, workspaceId, campaignId };
  };

  return {
    ...scheduleQueries(database),
    gather: walk.gather,
    advance: walk.advance,
    async unfinished() {
      const rows = unfinished.all();
      if (rows.length === 0) return [];
      const { run } = required(currentRun.get());
      return rows.flatMap((row) => {
        const goesOn = intents.find(row.campaignId);
        return goesOn?.run === run ? [] : { ...row, goesOn };
      });
    },
    plannedSoFar: async (campaignId) => queuedSoFar.get(campaignId)?.queued ?? 0,

    leftover: async (workspaceId, campaignId) => {
      const row = leftover.get(campaignId, seqOf(workspaceId));
      return row && { ...row, workspaceId };
    },

    async begin(workspaceId, campaignId, options, now) {
      keepIntent(campaignId, options);
      try {
        const plan = await writes.write(() => begin(workspaceId, campaignId, options, now));
        if (plan === null) intents.forget(campaignId);
        return plan;
      } catch (error) {
        intents.revoke(campaignId);
        throw error;
      }
    },

    async complete(plan, completion) {
      const ended = await end.complete(plan, completion);
      if (ended === "complete") intents.forget(plan.campaignId);
      return ended;
    },

    giveUp: async ({ campaignId }) => intents.revoke(campaignId),

    abandon: (plan, rowsMax) => {
      walk.drop(plan);
      return end.abandon(plan, rowsMax);
    },
  };
}

function planEnd({ sqlite, writes }: SqliteDatabase): Pick<PlanStore, "complete" | "abandon"> {
  const mailingOf = sqlite.query<MailingRow, [number]>(
    "SELECT workspace, list, queued, scheduled_at AS scheduledAt FROM mailings WHERE seq = ?",
  );
  const frozenOf = sqlite.query<FrozenRow, { id: string; list: number | null; scheduledAt: number | null }>(
    `SELECT c.seq, c.list, c.mailing, c.subject, b.html, l.id AS listId, l.name AS listName FROM campaigns c
     JOIN campaign_bodies b ON b.campaign = c.seq JOIN lists l ON l.seq = c.list
     WHERE c.id = $id AND c.list = $list AND c.status <> 'SENT' AND c.mailing IS NULL
       AND ($scheduledAt IS NULL OR (c.status = 'SCHEDULED' AND c.scheduled_at = $scheduledAt))`,
  );
  const used = sqlite.query<Row<typeof sendingUsage, "n">, [number, string]>(
    "SELECT n FROM sending_usage WHERE workspace = ? AND period = ?",
  );
  const reserve = sqlite.query(
    "INSERT INTO sending_usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  const saveContent = sqlite.query("INSERT INTO mailing_contents VALUES (?, ?)");
  const start = sqlite.query(
    "UPDATE mailings SET phase = 'sending', started_at = ?, reserved_day = ?, reserved_month = ? WHERE seq = ?",
  );
  // A person who sends a campaign that was held for its late schedule has decided; a mailing that is held has its own mark.
  const freeze = sqlite.query(
    "UPDATE campaigns SET mailing = ?, blocked = NULL, next_try_at = NULL, held = 0 WHERE seq = ?",
  );
  const forgetExclusions = sqlite.query("DELETE FROM mailing_exclusions WHERE mailing = ?");
  const isPlanning = sqlite.query<Row<typeof mailings, "seq">, [number]>(
    "SELECT seq FROM mailings WHERE seq = ? AND phase = 'planning'",
  );
  const lastRows = sqlite.query<Row<typeof deliveries, "seq">, [number, number]>(
    "SELECT seq FROM deliveries WHERE mailing = ? ORDER BY seq DESC LIMIT ?",
  );
  const dropRows = sqlite.query<
    Row<typeof deliveries, "contact" | "state" | "reason">,
    { mailing: number; from: number }
  >("DELETE FROM deliveries WHERE mailing = $mailing AND seq >= $from RETURNING contact, state, reason");
  const uncountSkip = sqlite.query("UPDATE mailing_skips SET n = n - 1 WHERE mailing = ? AND reason = ?");
  const stepBack = sqlite.query(
    `UPDATE mailings SET planned_through = min(planned_through, $through), planned = planned - $n, queued = queued - $queued,
       skipped = skipped - ($n - $queued) WHERE seq = $mailing`,
  );
  const dropMailing = sqlite.query("DELETE FROM mailings WHERE seq = ?");

  const reserveAndStart = (plan: Plan, mailing: MailingRow, row: FrozenRow, completion: Completion): void => {
    const letter: Letter = {
      subject: row.subject,
      html: row.html,
      list: { id: row.listId, name: row.listName },
    };
    saveContent.run(plan.number, JSON.stringify(completion.freeze(letter)));
    for (const period of [completion.day, completion.month])
      reserve.run(mailing.workspace, period, mailing.queued);
    start.run(completion.now, completion.day, completion.month, plan.number);
    freeze.run(plan.number, row.seq);
    forgetExclusions.run(plan.number);
  };

  return {
    complete: (plan, completion) =>
      writes.write(() => {
        const mailing = required(mailingOf.get(plan.number));
        const campaign = frozenOf.get({
          id: plan.campaignId,
          list: mailing.list,
          scheduledAt: mailing.scheduledAt,
        });
        if (!campaign) return "changed";
        const refusal = completion.check({
          mailable: mailing.queued,
          dayUsed: used.get(mailing.workspace, completion.day)?.n ?? 0,
          monthUsed: used.get(mailing.workspace, completion.month)?.n ?? 0,
        });
        if (refusal) return refusal;
        reserveAndStart(plan, mailing, campaign, completion);
        return "complete";
      }),

    // From its end, so that what a crash leaves over is a shorter plan: counted right, and fit to be gone on with.
    abandon: (plan, rowsMax) =>
      writes.write(() => {
        // A completion that was reported as failed may have landed after all: what is being sent is no plan any more.
        if (!isPlanning.get(plan.number)) return true;
        const from = lastRows.all(plan.number, rowsMax).at(-1)?.seq;
        if (from === undefined) {
          dropMailing.run(plan.number);
          return true;
        }
        const rows = dropRows.all({ mailing: plan.number, from });
        const contacts = rows.flatMap(({ contact }) => contact ?? []);
        const through = contacts.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...contacts) - 1;
        const queued = rows.filter(({ state }) => state === "queued").length;
        stepBack.run({ mailing: plan.number, through, n: rows.length, queued });
        for (const { reason } of rows) if (reason !== null) uncountSkip.run(plan.number, reason);
        return false;
      }),
  };
}

function scheduleQueries({
  sqlite,
  writes,
}: SqliteDatabase): Pick<PlanStore, "due" | "nextDueAt" | "postpone" | "hold"> {
  const due = sqlite.query<DueRow, [number, number]>(
    `SELECT w.id AS workspaceId, c.id AS campaignId, c.scheduled_at AS scheduledAt, c.next_try_at AS dueAt FROM campaigns c
     JOIN workspaces w ON w.seq = c.workspace
     WHERE c.status = 'SCHEDULED' AND c.mailing IS NULL AND c.held = 0 AND c.next_try_at <= ? ORDER BY c.next_try_at LIMIT ?`,
  );
  // A further try that lies ahead as no pause does, of a time that has come: it was set while the clock was wrong.
  const farTries = sqlite.query<DueRow, [number, number]>(
    `SELECT w.id AS workspaceId, c.id AS campaignId, c.scheduled_at AS scheduledAt, c.next_try_at AS dueAt FROM campaigns c
     JOIN workspaces w ON w.seq = c.workspace
     WHERE c.status = 'SCHEDULED' AND c.mailing IS NULL AND c.held = 0 AND c.next_try_at > ? AND c.scheduled_at <= ?`,
  );
  const nextDue = sqlite.query<{ at: number | null }, []>(
    "SELECT min(next_try_at) AS at FROM campaigns WHERE status = 'SCHEDULED' AND mailing IS NULL AND held = 0",
  );
  const blockedOf = sqlite.query<Row<typeof campaigns, "blocked">, [string]>(
    "SELECT blocked FROM campaigns WHERE id = ?",
  );
  const stillDue = "id = ? AND status = 'SCHEDULED' AND scheduled_at = ? AND mailing IS NULL";
  const postpone = sqlite.query(`UPDATE campaigns SET blocked = ?, next_try_at = ? WHERE ${stillDue}`);
  const hold = sqlite.query(`UPDATE campaigns SET held = 1, blocked = ? WHERE ${stillDue}`);

  return {
    async due(now, limit) {
      const far = farTries.all(now + RETRY_AHEAD_MAX_MS, now).map((each) => ({ ...each, dueAt: now }));
      return [...due.all(now, limit), ...far];
    },
    nextDueAt: async () => required(nextDue.get()).at,
    postpone: ({ campaignId, scheduledAt }, reason, nextTryAt) =>
      writes.write(() => {
        const isNew = blockedOf.get(campaignId)?.blocked !== reason;
        return postpone.run(reason, nextTryAt, campaignId, scheduledAt).changes > 0 && isNew;
      }),
    hold: ({ campaignId, scheduledAt }, reason) =>
      writes.write(() => {
        hold.run(reason, campaignId, scheduledAt);
      }),
  };
}
