import type { DeliveryState } from "../api/api.gen.ts";
import { useTexts } from "../texts/texts.tsx";
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

/** Says why a message had its outcome: by the reason, or where none is known (null, or empty), by what the outcome means. */
export function useOutcomeWords(): (state: DeliveryState, reason: string | null) => string {
  const { report, sending } = useTexts();
  return (state, reason) => (reason ? (sending.reasons[reason] ?? reason) : report.stateSays[state]);
}
