import type { DeliveryState } from "../api/api.gen.ts";
import type { Tone } from "./status-word.tsx";

/** What the outcome of a message means to whoever looks at it. */
export const OUTCOME_TONES: Readonly<Record<DeliveryState, Tone>> = {
  SENT: "good",
  QUEUED: "busy",
  SENDING: "busy",
  BOUNCED: "bad",
  FAILED: "bad",
  UNCERTAIN: "look",
  SKIPPED: "quiet",
};
