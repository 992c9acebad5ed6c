import type { Completion, Plan, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { newAccount } from "#deliveries/moves/account.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { letterToFreeze, type LetterRow } from "#storage/common/campaigns/letter-to-freeze.ts";
import { planAudience } from "#storage/common/campaigns/plan-audience.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { countsOf } from "#storage/postgres/ledger/ledger-counts.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { lockUsage, reserveUsage } from "#storage/postgres/ledger/sending-usage.ts";
import { countIn } from "#storage/postgres/ledger/moves/tally.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { campaigns, mailingAudiences, mailings } from "#storage/postgres/schema/schema.ts";
import { tellCampaign } from "#storage/postgres/webhooks/campaign-outbox.ts";
import { forgetPlan, forgetPlanContacts } from "./plan-rows.ts";

type FrozenRow = Row<typeof campaigns, "seq"> & LetterRow;
type MailingRow = Row<typeof mailings, "workspace" | "phase" | "list" | "scheduledAt"> & {
  audience: Value<typeof mailingAudiences, "audience"> | null;
  isOwn: boolean;
};

const LOCK_MAILING = `SELECT m.workspace, m.phase, m.list, m.scheduled_at, a.audience,
    EXISTS (SELECT FROM plans WHERE mailing = m.seq AND node = $2 AND NOT given_up) AS is_own
  FROM mailings AS m LEFT JOIN mailing_audiences AS a ON a.mailing = m.seq WHERE m.seq = $1 FOR NO KEY UPDATE OF m`;
const LOCK_CAMPAIGN = "SELECT FROM campaigns WHERE id = $1 FOR NO KEY UPDATE";
const CAMPAIGN = `SELECT c.seq, c.name, c.subject, b.html, b.text, o.options, l.id AS list_id, l.name AS list_name
  FROM campaigns AS c JOIN campaign_bodies AS b ON b.campaign = c.seq LEFT JOIN lists AS l ON l.seq = c.list
    LEFT JOIN campaign_options AS o ON o.campaign = c.seq
  WHERE c.id = $1 AND c.list IS NOT DISTINCT FROM $2::int8 AND c.status <> 'SENT' AND c.mailing IS NULL
    AND ($3::int8 IS NULL OR (c.status = 'SCHEDULED' AND c.scheduled_at = $3))`;
const SAVE_CONTENT = "INSERT INTO mailing_contents VALUES ($1, $2)";
const START =
  "UPDATE mailings SET phase = 'sending', started_at = $2, reserved_day = $3, reserved_month = $4 WHERE seq = $1";
/**
 * If a campaign was held because it was late, sending it is a person's decision, so the hold ends. A held mailing
 * has its own mark.
 */
const FREEZE =
  "UPDATE campaigns SET mailing = $2, blocked = NULL, next_try_at = NULL, held = false WHERE seq = $1";

/** How a plan ends: it becomes a send, or it is taken back. */
export function planEnd({ write }: PostgresDatabase, own: OwnNode): Pick<PlanStore, "complete" | "abandon"> {
  return {
    complete: (plan, completion) => write((tx) => complete(tx, own, plan, completion)),
    abandon: (plan) => write((tx) => abandon(tx, own, plan)),
  };
}

async function complete(
  tx: Session,
  own: OwnNode,
  { number, campaignId }: Plan,
  { day, month, now, isChecked, check, freeze }: Completion,
): ReturnType<PlanStore["complete"]> {
  const mailing = await tx.row<MailingRow>(LOCK_MAILING, [number, own.number]);
  if (mailing?.phase === "stopped" || mailing?.phase === "finished") return "stopped";
  if (mailing?.phase !== "planning" || !mailing.isOwn) return "changed";
  const { workspace, list, scheduledAt, audience } = mailing;
  // A second statement, because one that waits for a lock would see the new subject, but the old body and options.
  const [, campaign] = await Promise.all([
    tx.run(LOCK_CAMPAIGN, [campaignId]),
    tx.row<FrozenRow>(CAMPAIGN, [campaignId, list, scheduledAt]),
  ]);
  if (campaign === null || audience !== planAudience(storedOptions(campaign.options))) return "changed";
  const letter = letterToFreeze(campaign);
  if (!isChecked(letter)) return { unchecked: letter };
  // They may be many, and all other sends of the workspace wait for the usage that is locked next.
  await forgetPlanContacts(tx, number);
  const { queued } = await countsOf(tx, number);
  const used = await lockUsage(tx, workspace, [day, month]);
  const dayUsed = present(used.get(day), "use of a day");
  const monthUsed = present(used.get(month), "use of a month");
  const refused = check({ mailable: queued, dayUsed, monthUsed }, letter);
  if (refused !== null) return { refused };
  for (const period of [day, month]) await reserveUsage(tx, workspace, period, queued);
  await tx.run(SAVE_CONTENT, [number, JSON.stringify(freeze(letter))]);
  await tx.run(START, [number, now, day, month]);
  await tx.run(FREEZE, [campaign.seq, number]);
  await forgetPlan(tx, number);
  await tellCampaign(tx, number, "campaign.started", now);
  return "complete";
}

/** How many rows are deleted in one transaction. */
const ROWS_AT_ONCE = 10_000;

/** Plans that are being sent, or made by another node, must not be deleted here. */
const LOCK_GIVEN_UP = `SELECT FROM mailings AS m WHERE m.seq = $1 AND m.phase = 'planning'
  AND NOT EXISTS (SELECT FROM plans WHERE mailing = m.seq AND node <> $2) FOR NO KEY UPDATE`;
const DROP_ROWS = `WITH gone AS (
    DELETE FROM deliveries WHERE seq = ANY(ARRAY(
      SELECT seq FROM deliveries WHERE mailing = $1 ORDER BY seq DESC LIMIT ${ROWS_AT_ONCE})) RETURNING seq, state),
  ends AS (DELETE FROM delivery_ends AS e USING gone WHERE e.message = gone.seq)
  SELECT count(*) AS n, count(*) FILTER (WHERE state = 'queued') AS queued FROM gone`;
/** A DRAFT is as it was before the send. A SCHEDULED campaign would start again, so it stays paused. */
const END_PAUSE = `UPDATE campaigns SET paused = NULL WHERE status = 'DRAFT'
  AND id = (SELECT source_id FROM mailings WHERE seq = $1 AND kind = 'campaign')`;
const DROP_MAILING = [
  "DELETE FROM mailing_skips WHERE mailing = $1",
  "DELETE FROM mailing_reasons WHERE mailing = $1",
  "DELETE FROM mailings WHERE seq = $1",
];

async function abandon(tx: Session, own: OwnNode, { number }: Plan): Promise<boolean> {
  if ((await tx.row(LOCK_GIVEN_UP, [number, own.number])) === null) return true;
  const dropped = await tx.row<{ n: number; queued: number }>(DROP_ROWS, [number]);
  const { n, queued } = present(dropped, "count of what was deleted");
  if (n > 0) {
    await countIn(tx, number, { ...newAccount(), queued: -queued, skipped: queued - n }, -n);
    return false;
  }
  await tx.run(END_PAUSE, [number]);
  await forgetPlanContacts(tx, number);
  for (const statement of DROP_MAILING) await tx.run(statement, [number]);
  return true;
}
