import type { Completion, Plan, PlanEnded, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { inATurnUnless } from "#storage/sqlite/engine/writes/in-slices.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { letterToFreeze } from "#storage/common/campaigns/letter-to-freeze.ts";
import { planAudiences } from "./plan-audience.ts";
import { forgetExclusions, hasManyExclusions } from "./plan-exclusions.ts";
import { sendingUsage } from "#storage/sqlite/ledger/sending-usage.ts";
import { campaignOutbox } from "#storage/sqlite/webhooks/campaign-outbox.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  campaignBodies,
  campaignOptions,
  campaigns,
  deliveries,
  lists,
  mailings,
} from "#storage/sqlite/schema/schema.ts";

type FrozenRow = Row<typeof campaigns, "seq" | "name" | "subject"> &
  Row<typeof campaignBodies, "html" | "text"> &
  OuterRow<typeof campaignOptions, "options"> & {
    listId: Value<typeof lists, "id"> | null;
    listName: Value<typeof lists, "name"> | null;
  };
type MailingRow = Row<typeof mailings, "workspace" | "phase" | "list" | "queued" | "scheduledAt">;

/** How a plan ends: it becomes a send, or it is taken back. */
export function planEnd(database: SqliteDatabase): Pick<PlanStore, "complete" | "abandon"> {
  return { complete: completing(database), abandon: abandoning(database) };
}

function completing(database: SqliteDatabase): PlanStore["complete"] {
  return async (plan, completion) =>
    await inATurnUnless(
      database,
      () => hasManyExclusions(database.sqlite, plan.number),
      (connection) => completionOn(connection)(plan, completion),
    );
}

/** The transaction that completes a plan, in slices. */
const completionOn = oncePerDatabase((sqlite) => {
  const mailingOf = sqlite.query<MailingRow, [number]>(
    "SELECT workspace, phase, list, queued, scheduled_at AS scheduledAt FROM mailings WHERE seq = ?",
  );
  const frozenOf = sqlite.query<FrozenRow, { id: string; list: number | null; scheduledAt: number | null }>(
    `SELECT c.seq, c.name, c.subject, b.html, b.text, o.options, l.id AS listId, l.name AS listName FROM campaigns c
     JOIN campaign_bodies b ON b.campaign = c.seq LEFT JOIN lists l ON l.seq = c.list
     LEFT JOIN campaign_options o ON o.campaign = c.seq
     WHERE c.id = $id AND c.list IS $list AND c.status <> 'SENT' AND c.mailing IS NULL
       AND ($scheduledAt IS NULL OR (c.status = 'SCHEDULED' AND c.scheduled_at = $scheduledAt))`,
  );
  const usage = sendingUsage(sqlite);
  const saveContent = sqlite.query("INSERT INTO mailing_contents VALUES (?, ?)");
  const start = sqlite.query(
    "UPDATE mailings SET phase = 'sending', started_at = ?, reserved_day = ?, reserved_month = ? WHERE seq = ?",
  );
  // If a campaign was held because it was late, sending it is a person's decision, so the hold ends. A held mailing
  // has its own mark.
  const freeze = sqlite.query(
    "UPDATE campaigns SET mailing = ?, blocked = NULL, next_try_at = NULL, held = 0 WHERE seq = ?",
  );
  const audiences = planAudiences(sqlite);
  const tellCampaign = campaignOutbox(sqlite);
  const reserveAndStart = (plan: Plan, mailing: MailingRow, row: FrozenRow, completion: Completion): void => {
    saveContent.run(plan.number, JSON.stringify(completion.freeze(letterToFreeze(row))));
    for (const period of [completion.day, completion.month])
      usage.reserve(mailing.workspace, period, mailing.queued);
    start.run(completion.now, completion.day, completion.month, plan.number);
    freeze.run(plan.number, row.seq);
    audiences.forget(plan.number);
    tellCampaign(plan.number, "campaign.started", completion.now);
  };

  return function* (plan: Plan, completion: Completion): Generator<void, PlanEnded, void> {
    const mailing = present(mailingOf.get(plan.number), "mailing of a plan");
    if (mailing.phase === "stopped") return "stopped";
    const { list, scheduledAt } = mailing;
    const campaign = frozenOf.get({ id: plan.campaignId, list, scheduledAt });
    if (!campaign || !audiences.isFor(plan.number, storedOptions(campaign.options))) return "changed";
    const letter = letterToFreeze(campaign);
    if (!completion.isChecked(letter)) return { unchecked: letter };
    const used = {
      dayUsed: usage.used(mailing.workspace, completion.day),
      monthUsed: usage.used(mailing.workspace, completion.month),
    };
    const refused = completion.check({ mailable: mailing.queued, ...used }, letter);
    if (refused !== null) return { refused };
    reserveAndStart(plan, mailing, campaign, completion);
    yield* forgetExclusions(sqlite, plan.number);
    return "complete";
  };
});

function abandoning(database: SqliteDatabase): PlanStore["abandon"] {
  const { sqlite } = database;
  const lastRows = lastRowsOf(sqlite);
  return async (plan, rowsMax) =>
    await inATurnUnless(
      database,
      () => lastRows.all(plan.number, 1).length === 0 && hasManyExclusions(sqlite, plan.number),
      (connection) => abandonmentOn(connection)(plan, rowsMax),
    );
}

const lastRowsOf = oncePerDatabase((sqlite) => {
  // The rows of a plan have these two states. Without them the index gives no order, and each slice would sort the
  // whole plan.
  const lastOf = (state: "queued" | "skipped"): string =>
    `SELECT * FROM (SELECT seq FROM deliveries WHERE mailing = ?1 AND state = '${state}' ORDER BY seq DESC LIMIT ?2)`;
  return sqlite.query<Row<typeof deliveries, "seq">, [number, number]>(
    `${lastOf("queued")} UNION ALL ${lastOf("skipped")} ORDER BY seq DESC LIMIT ?2`,
  );
});

/**
 * A transaction that takes a plan back, in slices. It removes the last rows first. So a crash leaves a shorter
 * plan, which is counted correctly and can continue. The exclusions go with the mailing: a copy without them
 * could be released, and would mail to everybody.
 */
const abandonmentOn = oncePerDatabase((sqlite) => {
  const isPlanning = sqlite.query<Row<typeof mailings, "seq">, [number]>(
    "SELECT seq FROM mailings WHERE seq = ? AND phase = 'planning'",
  );
  const lastRows = lastRowsOf(sqlite);
  const dropRows = sqlite.query<
    Row<typeof deliveries, "contact" | "state" | "reason">,
    { mailing: number; from: number }
  >(
    "DELETE FROM deliveries WHERE mailing = $mailing AND state IN ('queued', 'skipped') AND seq >= $from RETURNING contact, state, reason",
  );
  const uncountSkip = sqlite.query("UPDATE mailing_skips SET n = n - 1 WHERE mailing = ? AND reason = ?");
  const stepBack = sqlite.query(
    `UPDATE mailings SET planned_through = min(planned_through, $through), planned = planned - $n, queued = queued - $queued,
       skipped = skipped - ($n - $queued) WHERE seq = $mailing`,
  );
  // A DRAFT is as it was before the send. A SCHEDULED campaign would start again, so it stays paused.
  const endPause = sqlite.query(
    `UPDATE campaigns SET paused = NULL WHERE status = 'DRAFT'
     AND id = (SELECT source_id FROM mailings WHERE seq = ? AND kind = 'campaign')`,
  );
  const dropMailing = sqlite.query("DELETE FROM mailings WHERE seq = ?");

  return function* ({ number }: Plan, rowsMax: number): Generator<void, boolean, void> {
    // A completion that was reported as failed may have been written after all. What is being sent is no longer a
    // plan.
    if (!isPlanning.get(number)) return true;
    const from = lastRows.all(number, rowsMax).at(-1)?.seq;
    if (from === undefined) {
      // Otherwise all of them would be removed in one turn together with the mailing, by its foreign key.
      yield* forgetExclusions(sqlite, number);
      for (const statement of [endPause, dropMailing]) statement.run(number);
      return true;
    }
    const rows = dropRows.all({ mailing: number, from });
    const contacts = rows.flatMap(({ contact }) => contact ?? []);
    const through = contacts.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...contacts) - 1;
    const queued = rows.filter(({ state }) => state === "queued").length;
    stepBack.run({ mailing: number, through, n: rows.length, queued });
    for (const { reason } of rows) if (reason !== null) uncountSkip.run(number, reason);
    return false;
  };
});
