/** Why an address is never mailed (docs/decisions.md "Contacts and consent"). */
export const SUPPRESSION_REASONS = ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/**
 * The reason an entry has after `next` was asked for: UNSUBSCRIBED gives way to the other three, those three stay.
 * So an entry never gets weaker, whatever order reasons arrive in. `current` is null where there is no entry yet.
 */
export function strongerReason(
  current: SuppressionReason | null,
  next: SuppressionReason,
): SuppressionReason {
  return current === null || current === "UNSUBSCRIBED" ? next : current;
}
