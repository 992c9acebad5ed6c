import type { DeliveryState } from "../api/api.gen.ts";
import type { Tone } from "./status-word.tsx";

/** Whether the outcome of a message is good or bad for the sender. */
export const OUTCOME_TONES: Readonly<Record<DeliveryState, Tone>> = {
  SENT: "good",
  QUEUED: "busy",
  SENDING: "busy",
  BOUNCED: "bad",
  FAILED: "bad",
  UNCERTAIN: "look",
  SKIPPED: "quiet",
};
