import type { Instant } from "#core/time/clock.ts";

/**
 * Suspicion by timing (docs/decisions.md "Campaigns and sending"): a hit without any mark of a machine, at a
 * time that is unusual for people. It is only a suspicion: such hits count as a person's, and the report says
 * how many recipients they belong to.
 */

/** People do not open a mail this soon after the relay accepted it. */
const OPEN_WITHIN_MS = 2_000;
/** Nobody follows this many different links of a mail in this time. */
const SWEEP_COUNT = 3;
const SWEEP_WITHIN_MS = 2_000;
/** Nor every link of a mail, one by one, in this time. */
export const SWEEP_OF_ALL_WITHIN_MS = 5_000;

/**
 * Whether a mail was opened too soon for a person. False if `acceptedAt` is null, because nobody knows when
 * the relay accepted it. Also false if it was opened long before it was accepted: then the clock was set
 * back.
 */
export function isOpenedTooSoon(openedAt: Instant, acceptedAt: Instant | null): boolean {
  return acceptedAt !== null && Math.abs(openedAt - acceptedAt) <= OPEN_WITHIN_MS;
}

/**
 * Whether the latest clicks look like a scanner that follows a mail's links. `clickedAt` has one instant for
 * each different link that was followed in the last `SWEEP_OF_ALL_WITHIN_MS`. `isEveryLink` says that the
 * mail has no other links. If a mail has only one link, following it proves nothing, however often.
 */
export function isSweep(clickedAt: readonly Instant[], isEveryLink: boolean, now: Instant): boolean {
  if (isEveryLink && clickedAt.length > 1) return true;
  return clickedAt.filter((at) => now - at <= SWEEP_WITHIN_MS).length >= SWEEP_COUNT;
}
