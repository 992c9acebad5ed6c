import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { shownCampaign } from "#campaigns/shown-campaign.ts";
import { campaignOf } from "#storage/common/campaigns/campaign-row.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type { campaigns, lists, mailings } from "#storage/sqlite/schema/schema.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

type CampaignRow = Row<
  typeof campaigns,
  "seq" | "id" | "workspace" | "name" | "subject" | "status" | "scheduledAt" | "sentAt" | "createdAt"
> &
  OuterRow<typeof mailings, "accepted" | "opened" | "clicked" | "bounced"> & {
    delivered: Value<typeof mailings, "sent">;
    listId: Value<typeof lists, "id"> | null;
  };

/** Writes the webhook messages about the campaign of this mailing, if it is a campaign's, on the open transaction. */
export const campaignOutbox = oncePerDatabase((sqlite) => {
  const newOutbox = outboxWrites(sqlite);
  const ofMailing = sqlite.query<CampaignRow, [number]>(
    `SELECT c.seq, c.id, c.workspace, c.name, c.subject, c.status, l.id AS listId, c.scheduled_at AS scheduledAt,
       c.sent_at AS sentAt, c.created_at AS createdAt, m.accepted, m.opened, m.clicked, m.bounced, m.sent AS delivered
     FROM campaigns AS c JOIN mailings AS m ON m.seq = c.mailing LEFT JOIN lists AS l ON l.seq = c.list
     WHERE c.mailing = ?`,
  );
  return (mailing: number, type: Extract<EventType, `campaign.${string}`>, at: number): void => {
    const row = ofMailing.get(mailing);
    if (row === null) return;
    const { workspace, ...shown } = row;
    const outbox = newOutbox();
    outbox.add(workspace, type, at, () => JSON.stringify({ campaign: shownCampaign(campaignOf(shown)) }));
    outbox.book();
  };
});
