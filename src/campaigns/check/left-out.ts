import { accept, invalid, type Result } from "#core/errors/errors.ts";

/**
 * Why a dry run leaves somebody out. `NOT_SUBSCRIBED`: on the list and in the segment, but with another status; a
 * plan does not look at these contacts at all.
 */
const LEFT_OUT_REASONS = ["EXCLUDED", "SUPPRESSED", "BLOCKED_DOMAIN", "NOT_SUBSCRIBED"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export const LEFT_OUT: readonly string[] = LEFT_OUT_REASONS;

/** Reads `reason` of GET /campaigns/{id}/check/contacts; empty means every reason of the dry run. */
export function parseLeftOutReason(text: string | undefined): Result<LeftOutReason | null> {
  if (!text) return accept(null);
  const reason = LEFT_OUT_REASONS.find((known) => known === text);
  return reason === undefined
    ? invalid(`\`reason\` must be one of ${LEFT_OUT_REASONS.join(", ")}.`)
    : accept(reason);
}
