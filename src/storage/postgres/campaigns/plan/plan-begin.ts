import { hasAudience, isSameAudience } from "#campaigns/send/audience.ts";
import type { Plan, PlanOptions, PlanStore } from "#campaigns/send/plan.ts";
import type { Instant } from "#core/time/clock.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { planAudience } from "#storage/common/campaigns/plan-audience.ts";
import { slicesOf } from "#storage/common/engine/slices-of.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { campaignOptions, campaigns, lists, mailings } from "#storage/postgres/schema/schema.ts";
import { lockMailing } from "#storage/postgres/campaigns/campaign-sends.ts";
import { namedAddresses } from "#storage/postgres/campaigns/named-addresses.ts";

type CampaignRow = Row<typeof campaigns, "list" | "mailing"> & {
  listId: Value<typeof lists, "id"> | null;
  options: Value<typeof campaignOptions, "options"> | null;
};

const LOCK_CAMPAIGN = "SELECT FROM campaigns WHERE workspace = $1 AND id = $2 FOR NO KEY UPDATE";
const CAMPAIGN = `SELECT c.list, l.id AS list_id, c.mailing, o.options FROM campaigns AS c
    LEFT JOIN campaign_options AS o ON o.campaign = c.seq LEFT JOIN lists AS l ON l.seq = c.list
  WHERE c.workspace = $1 AND c.id = $2 AND c.status <> 'SENT'`;
/**
 * Leaving a list locks the list's row, and looks for plans afterwards. So a contact that is leaving just now has
 * left before the plan is walked, and one that leaves later finds the plan.
 */
const WAIT_FOR_LEAVERS = "SELECT FROM lists WHERE seq = $1 FOR UPDATE";
const MAKE = `INSERT INTO mailings (workspace, kind, source_id, phase, list, scheduled_at, created_at)
  VALUES ($1, 'campaign', $2, 'planning', $3, $4, $5) ON CONFLICT (kind, source_id) DO NOTHING RETURNING seq`;
const KEEP_AUDIENCE = "INSERT INTO mailing_audiences (mailing, audience) VALUES ($1, $2)";
const TAKE = `INSERT INTO plans AS p (mailing, node, override_quiet_hours) VALUES ($1, $2, $3)
  ON CONFLICT (mailing) DO UPDATE SET node = excluded.node, override_quiet_hours = excluded.override_quiet_hours
    WHERE NOT p.given_up AND (p.node IS NULL OR p.node = excluded.node)
  RETURNING given_up`;
const EXCLUDE = `INSERT INTO mailing_exclusions (mailing, address)
  SELECT $1::int8, address FROM jsonb_array_elements_text($2::text::jsonb) AS address ON CONFLICT DO NOTHING`;
/** A body may name 100,000 addresses. So many take a millisecond to prepare; more would hold up others. */
const ADDRESSES_AT_ONCE = 5_000;

/** @param began called for a plan that was begun, and for one that failed and is given up */
export function planBegin(
  { write, seqOf }: PostgresDatabase,
  own: OwnNode,
  began: (campaignId: string, ended: "begun" | "failed") => void,
): PlanStore["begin"] {
  return async (workspaceId, campaignId, options, now) => {
    const workspace = await seqOf(workspaceId);
    try {
      const begun = await write((tx) => begin(tx, own, { workspace, campaignId }, options, now));
      if (typeof begun !== "number") return begun;
      began(campaignId, "begun");
      return { number: begun, workspaceId, campaignId } satisfies Plan;
    } catch (error) {
      began(campaignId, "failed");
      throw error;
    }
  };
}

async function begin(
  tx: Session,
  own: OwnNode,
  { workspace, campaignId }: { readonly workspace: number; readonly campaignId: string },
  { scheduledAt, overrideQuietHours, excludeEmails, audience: asked }: PlanOptions,
  now: Instant,
): Promise<number | "taken" | null> {
  const node = await holdNode(tx, own);
  const held = await lockMailing(tx, workspace, campaignId);
  // A second statement, because one that waits for a lock would see the new list, but the old options.
  const [, campaign] = await Promise.all([
    tx.run(LOCK_CAMPAIGN, [workspace, campaignId]),
    tx.row<CampaignRow>(CAMPAIGN, [workspace, campaignId]),
  ]);
  if (campaign === null || campaign.mailing !== null) return null;
  const audience = { ...storedOptions(campaign.options), listId: campaign.listId };
  if (asked && !isSameAudience(audience, asked)) return null;
  if (!hasAudience(campaign.list, audience.segmentId)) return null;
  await tx.run(WAIT_FOR_LEAVERS, [campaign.list]);
  const made = [workspace, campaignId, campaign.list, scheduledAt, now] as const;
  const number = held?.seq ?? (await tx.row<Row<typeof mailings, "seq">>(MAKE, made))?.seq;
  // Another transaction created it after the look.
  if (number === undefined) throw new LostRace();
  if ((await tx.row(TAKE, [number, node, overrideQuietHours])) === null) return "taken";
  // A held plan keeps its audience; if the campaign has another one now, completing the plan says so.
  const kept = planAudience(audience);
  if (held === null && kept !== null) await tx.run(KEEP_AUDIENCE, [number, kept]);
  for (const some of slicesOf(excludeEmails, ADDRESSES_AT_ONCE))
    await tx.run(EXCLUDE, [number, namedAddresses(some)]);
  return number;
}
