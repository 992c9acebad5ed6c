import type { Campaign } from "../../api/api.gen.ts";
import type { Tone } from "../../parts/status-word.tsx";

export type CampaignState = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT";

type Sending = Pick<Campaign, "status" | "stat">;

/** The state for people: once its mail goes out, a campaign is "being sent", even if its status is still an older one. */
export const stateOf = ({ status, stat }: Sending): CampaignState =>
  status !== "SENT" && stat !== null ? "SENDING" : status;

export const TONES: Readonly<Record<CampaignState, Tone>> = {
  DRAFT: "quiet",
  SCHEDULED: "busy",
  SENDING: "busy",
  SENT: "good",
};

/** Whether its send has begun: then there is nothing to write any more, and its report is its page. */
export const isOut = (campaign: Sending): boolean => {
  const state = stateOf(campaign);
  return state === "SENDING" || state === "SENT";
};

/** The page of a campaign: its report once the send has begun, before that the editor. */
export const addressOf = (campaign: Sending & Pick<Campaign, "id">): string =>
  `/campaigns/${encodeURIComponent(campaign.id)}${isOut(campaign) ? "/report" : ""}`;
