import type { Instant } from "#core/time/clock.ts";

const SUBMISSIONS_MAX = 5;
export const RATE_WINDOW_MS = 10 * 60_000;

/** Whether a submission is accepted; if not, when the next one would be. */
export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterS: number };

/**
 * Accepts five submissions in any ten minutes (docs/contract.md "Limits"): a sliding window over the accepted
 * ones. Refused ones do not count, so the time that a refusal names is right. `earlier` holds the instants
 * after `now - RATE_WINDOW_MS`, oldest first. Instants later than `now` were written before the clock was set
 * back and are ignored.
 */
export function decideSubmission(earlier: readonly Instant[], now: Instant): Admission {
  const counted = earlier.filter((at) => at > now - RATE_WINDOW_MS && at <= now);
  const oldestInTheWay = counted.at(-SUBMISSIONS_MAX);
  if (oldestInTheWay === undefined) return { admitted: true };
  return { admitted: false, retryAfterS: Math.ceil((oldestInTheWay + RATE_WINDOW_MS - now) / 1000) };
}
