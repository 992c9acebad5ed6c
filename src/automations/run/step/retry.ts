import { GROWING_PAUSES_MS, nextAttempt } from "#core/time/backoff.ts";
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/time/time.ts";

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
 * Soon after a person has removed the cause, and rarely enough: a hundred thousand that wait take a minute of
 * PostgreSQL each time, and seconds of SQLite.
 */
const LOOK_AGAIN_MS = 30 * MINUTE_MS;

const TIMES = { minPauseMs: 0, giveUpAfterMs: DAY_MS };
const STEP_TIMES = { ...TIMES, pausesMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, LOOK_AGAIN_MS] };
const START_TIMES = { ...TIMES, pausesMs: GROWING_PAUSES_MS, hasEachPause: true } as const;

/**
 * When to retry a step for which a setting is missing: after 1, 5, 15 minutes and then every 30, ±20 %. The last time is
 * a day after the first try. Null: that day is over, and the enrollment has FAILED.
 */
export function retryStepAt(tries: Tries): Instant | null {
  return nextAttempt({ ...tries, ...STEP_TIMES })?.at ?? null;
}

/**
 * When to retry a trigger that threw: after 1, 5, 15, 60 minutes, 3 and 8 hours, ±20 %. `firstAttemptAt` is when it
 * happened, and perhaps nothing was tried since then: the server was off, the engine had much to do, or the clock is
 * ahead. So it has each of the pauses once. Null: the last of them is over.
 */
export function retryStartAt(tries: Tries): Instant | null {
  return nextAttempt({ ...tries, ...START_TIMES })?.at ?? null;
}

/** When to look again whether a step can be done that waits for as long as it takes, ±20 %. */
export const lookAgainAt = ({ now, jitter }: Pick<Tries, "now" | "jitter">): Instant =>
  now + Math.round((0.8 + 0.4 * jitter) * LOOK_AGAIN_MS);

/** A try that comes later than this shows that the clock was changed, or that nothing was tried meanwhile. */
const LATE_MS = HOUR_MS;

/**
 * Since when a step counts as tried, at a try that was due at `dueAt`. Time in which a try was long overdue does not
 * count. If the clock is ahead, none of it has passed. If the server was off, or the automation paused, nothing was
 * tried in it. If the clock was ahead at the first try, nobody knows when that was.
 */
export function triedSince(firstAttemptAt: Instant | null, dueAt: Instant, now: Instant): Instant | null {
  if (firstAttemptAt === null) return null;
  const lateMs = now - dueAt;
  return Math.min(lateMs > LATE_MS ? firstAttemptAt + lateMs : firstAttemptAt, now);
}

/**
 * When to retry a step that threw instead of returning a reason: twice more, a minute apart. Then null, so that it
 * never blocks the other runs.
 */
export function retryCrashAt(crashes: number, now: Instant): Instant | null {
  return crashes < CRASHES_MAX ? now + CRASH_PAUSE_MS : null;
}
