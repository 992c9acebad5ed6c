import type { Instant } from "#core/clock.ts";

/**
 * Suspicion by timing (docs/decisions.md "Campaigns and sending"): a hit that carries no mark of a machine
 * but comes as people rarely do. It is suspicion and no more: such hits count as a person's, and the report
 * says how many recipients they belong to.
 */

/** People get no mail, let alone read it, this soon after the relay took it. */
const OPEN_WITHIN_MS = 2_000;
/** Nobody picks this many different links of a mail in this time. */
const SWEEP_COUNT = 3;
const SWEEP_WITHIN_MS = 2_000;
/** Nor every link of it, one by one, in this time. */
export const SWEEP_OF_ALL_WITHIN_MS = 5_000;

/**
 * Whether a mail was opened too soon for a person. `acceptedAt` null: nobody knows when the relay took it, so no. Long
 * before it is a clock that was set back, and no either.
 */
export function isOpenedTooSoon(openedAt: Instant, acceptedAt: Instant | null): boolean {
  return acceptedAt !== null && Math.abs(openedAt - acceptedAt) <= OPEN_WITHIN_MS;
}

/**
 * Whether the clicks up to now look like a scanner that follows a mail's links. `clickedAt` has one instant for each
 * different link that was followed in the last `SWEEP_OF_ALL_WITHIN_MS`; `isEveryLink` says that the mail has no other.
 * A mail's only link proves nothing, however often it is followed.
 */
export function isSweep(clickedAt: readonly Instant[], isEveryLink: boolean, now: Instant): boolean {
  if (isEveryLink && clickedAt.length > 1) return true;
  return clickedAt.filter((at) => now - at <= SWEEP_WITHIN_MS).length >= SWEEP_COUNT;
}
