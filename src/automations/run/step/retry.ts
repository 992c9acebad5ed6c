import { GROWING_PAUSES_MS, nextAttempt } from "#core/time/backoff.ts";
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

const CRASH_PAUSE_MS = 60_000;
const CRASHES_MAX = 3;

/** The tries of one step so far. */
export type Tries = {
  /** 1 or more. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** A fraction from 0 to 1 that spreads the retries. */
  readonly jitter: number;
};

/**
 * When to retry a step that cannot be done yet: after 1, 5, 15, 60 minutes, 3 hours and then every 8 hours, ±20 %.
 * The last time is a day after the first try. Null: that day is over, and the enrollment has FAILED.
 */
export function retryStepAt(tries: Tries): Instant | null {
  const times = { minPauseMs: 0, pausesMs: GROWING_PAUSES_MS, giveUpAfterMs: DAY_MS };
  return nextAttempt({ ...tries, ...times })?.at ?? null;
}

/**
 * When to retry a step that threw instead of returning a reason: twice more, a minute apart. Then null, so that it
 * never blocks the other runs.
 */
export function retryCrashAt(crashes: number, now: Instant): Instant | null {
  return crashes < CRASHES_MAX ? now + CRASH_PAUSE_MS : null;
}
