import type { Campaign } from "./campaign.ts";

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A campaign as answers and webhooks show it. */
export const shownCampaign = (campaign: Campaign) => {
  const { delivered: _, ...shown } = campaign;
  return {
    ...shown,
    scheduledAt: isoOrNull(campaign.scheduledAt),
    sentAt: isoOrNull(campaign.sentAt),
    createdAt: iso(campaign.createdAt),
  };
};

/** The campaign with the fields that a request asked for by name. */
export const fullCampaign = (campaign: Campaign) => {
  const { stat, ...shown } = shownCampaign(campaign);
  return { ...shown, stat: stat && { ...stat, delivered: campaign.delivered } };
};
