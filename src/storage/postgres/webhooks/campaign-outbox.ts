import { shownCampaign } from "#campaigns/shown-campaign.ts";
import { campaignOf, type CampaignRow } from "#storage/common/campaigns/campaign-row.ts";
import { CAMPAIGN_COLUMNS, CAMPAIGN_JOINS } from "#storage/postgres/campaigns/campaign-columns.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

const OF_MAILING = `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns AS c ${CAMPAIGN_JOINS} WHERE c.mailing = $1`;

/** Writes the webhook messages about the campaign of this mailing, if it is a campaign's, in the open transaction. */
export async function tellCampaign(
  tx: Session,
  mailing: number,
  type: Extract<EventType, `campaign.${string}`>,
  at: number,
): Promise<void> {
  const row = await tx.row<CampaignRow & { workspace: number }>(OF_MAILING, [mailing]);
  if (row === null) return;
  const outbox = outboxWrites(tx);
  await outbox.add(row.workspace, type, at, () =>
    JSON.stringify({ campaign: shownCampaign(campaignOf(row)) }),
  );
  await outbox.book();
}
