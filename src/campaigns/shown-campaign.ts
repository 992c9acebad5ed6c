import { isoOf, isoOrNull } from "#core/time/iso.ts";
import type { Campaign } from "./campaign.ts";

/** A campaign as answers and webhooks show it. */
export const shownCampaign = (campaign: Campaign) => {
  const { delivered: _, ...shown } = campaign;
  return {
    ...shown,
    scheduledAt: isoOrNull(campaign.scheduledAt),
    sentAt: isoOrNull(campaign.sentAt),
    createdAt: isoOf(campaign.createdAt),
  };
};

/** The campaign with the fields that a request asked for by name. */
export const fullCampaign = (campaign: Campaign) => {
  const { stat, ...shown } = shownCampaign(campaign);
  return { ...shown, stat: stat && { ...stat, delivered: campaign.delivered } };
};
