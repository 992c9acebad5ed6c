import type { Campaign } from "../../api/api.gen.ts";
import type { Tone } from "../../parts/status-word.tsx";

export type CampaignState = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT";

/** The state for people: once its mail goes out, a campaign is "being sent", even if its status is still an older one. */
export const stateOf = ({ status, stat }: Pick<Campaign, "status" | "stat">): CampaignState =>
  status !== "SENT" && stat !== null ? "SENDING" : status;

export const TONES: Readonly<Record<CampaignState, Tone>> = {
  DRAFT: "quiet",
  SCHEDULED: "busy",
  SENDING: "busy",
  SENT: "good",
};

/** The page of a campaign: its report once the send has begun, before that the editor. */
export const addressOf = (campaign: Pick<Campaign, "id" | "status" | "stat">): string => {
  const state = stateOf(campaign);
  const isOut = state === "SENDING" || state === "SENT";
  return `/campaigns/${encodeURIComponent(campaign.id)}${isOut ? "/report" : ""}`;
};
