import { shownCampaign } from "#campaigns/shown-campaign.ts";
import { campaignOf, type CampaignRow } from "#storage/common/campaign-row.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

const OF_MAILING = `SELECT c.id, c.workspace, c.name, c.subject, c.status, l.id AS list_id, c.scheduled_at, c.sent_at,
    c.created_at, t.accepted, t.opened, t.clicked, t.bounced, t.sent AS delivered
  FROM campaigns AS c LEFT JOIN lists AS l ON l.seq = c.list
  CROSS JOIN (SELECT coalesce(sum(accepted), 0)::int8 AS accepted, coalesce(sum(opened), 0)::int8 AS opened,
      coalesce(sum(clicked), 0)::int8 AS clicked, coalesce(sum(bounced), 0)::int8 AS bounced,
      coalesce(sum(sent), 0)::int8 AS sent FROM tallies WHERE mailing = $1) AS t
  WHERE c.mailing = $1`;

/** Tells webhooks of the campaign whose send this mailing is, if it is one, in the open transaction. */
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
