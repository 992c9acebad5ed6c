import type { DecisionSource } from "#core/decision-source.ts";

/** Why an address is never mailed (docs/decisions.md "Contacts and consent"). */
export const SUPPRESSION_REASONS = ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/**
 * The reason of an entry after `next` was added. UNSUBSCRIBED is replaced by the other three; those three
 * stay. So an entry never gets weaker, in whatever order reasons arrive. `current` is null if there is no
 * entry yet.
 */
export function strongerReason(
  current: SuppressionReason | null,
  next: SuppressionReason,
): SuppressionReason {
  return current === null || current === "UNSUBSCRIBED" ? next : current;
}

/**
 * Whether somebody entered the complaint. It may be about another sender's mail, if the person was never mailed from
 * here; a report that came in is always about a message of ours.
 */
export const isEnteredComplaint = (entry: {
  readonly reason: SuppressionReason;
  readonly source: DecisionSource | null;
}): boolean => entry.reason === "COMPLAINT" && entry.source !== "complaint";
