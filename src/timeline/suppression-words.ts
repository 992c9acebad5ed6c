import type { SuppressionReason } from "#suppression/reason.ts";

/** Why an address is suppressed, as part of a sentence. */
export const SUPPRESSION_WORDS: Readonly<Record<SuppressionReason, string>> = {
  HARD_BOUNCE: "hard bounce",
  COMPLAINT: "complaint",
  MANUAL: "by hand",
  UNSUBSCRIBED: "unsubscribed",
};
