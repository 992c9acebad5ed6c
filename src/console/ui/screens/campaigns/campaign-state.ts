import type { Campaign } from "../../api/api.gen.ts";
import type { Tone } from "../../parts/status-word.tsx";

export type CampaignState = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT";

/** The state as people see it: a campaign whose mail has begun to go out is being sent, whatever its status still says. */
export const stateOf = ({ status, stat }: Pick<Campaign, "status" | "stat">): CampaignState =>
  status !== "SENT" && stat !== null ? "SENDING" : status;

export const TONES: Readonly<Record<CampaignState, Tone>> = {
  DRAFT: "quiet",
  SCHEDULED: "busy",
  SENDING: "busy",
  SENT: "good",
};

/** Where a campaign is looked at: what has begun has a report, what has not is written on. */
export const addressOf = (campaign: Pick<Campaign, "id" | "status" | "stat">): string => {
  const state = stateOf(campaign);
  const isOut = state === "SENDING" || state === "SENT";
  return `/campaigns/${encodeURIComponent(campaign.id)}${isOut ? "/report" : ""}`;
};
