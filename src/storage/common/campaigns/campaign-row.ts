import type { Campaign } from "#campaigns/campaign.ts";

/** A campaign with the numbers of its mailing, which are null if it has none. */
export type CampaignRow = Omit<Campaign, "stat" | "delivered"> & {
  readonly accepted: number | null;
  readonly opened: number | null;
  readonly clicked: number | null;
  readonly bounced: number | null;
  readonly delivered: number | null;
};

/** `stat` is null until the relay has accepted a message; its `unsubscribed` stays 0 by contract. */
export function campaignOf(row: CampaignRow): Campaign {
  const { accepted, opened, clicked, bounced, delivered } = row;
  const { id, name, subject, status, listId, scheduledAt, sentAt, createdAt } = row;
  const stat = accepted
    ? { sent: accepted, opened: opened ?? 0, clicked: clicked ?? 0, bounced: bounced ?? 0, unsubscribed: 0 }
    : null;
  return {
    id,
    name,
    subject,
    status,
    listId,
    scheduledAt,
    sentAt,
    createdAt,
    stat,
    delivered: delivered ?? 0,
  };
}
