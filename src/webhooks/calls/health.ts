/**
 * The health of an endpoint. A dead endpoint must cost little, however many messages wait for it:
 *
 *   well       no failure since the last success: several requests at a time
 *   doubtful   failed: one request at a time
 *   resting    failed five times in a row, or asked for a pause: no request before `resumeAt`, then one
 *   given up   no success for three days: it is disabled
 *
 * One success makes it well again.
 */
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/time/time.ts";

export type Health = {
  /** Failed requests in a row. */
  readonly failures: number;
  /** When the first of them failed. */
  readonly failingSince: Instant | null;
  /** No request is made before this. */
  readonly resumeAt: Instant;
};

export const WELL: Health = { failures: 0, failingSince: null, resumeAt: 0 };

const FAILURES_BEFORE_REST = 5;
const RESTS_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS] as const;
const SPREAD = 0.2;

const GIVEN_UP_AFTER_MS = 3 * DAY_MS;

type Failure = {
  /** When the request began. */
  readonly begunAt: Instant;
  readonly now: Instant;
  /** A fraction from 0 to 1 that spreads the pauses by 20 % either way. */
  readonly jitter: number;
  /** The pause that the endpoint asked for; 0 if it asked for none. */
  readonly askedPauseMs: number;
};

/**
 * After a request that failed. If several were in progress together, those that end during the pause change
 * nothing.
 */
export function afterFailure(health: Health, { begunAt, now, jitter, askedPauseMs }: Failure): Health {
  const asked = now + askedPauseMs;
  if (begunAt < health.resumeAt) return { ...health, resumeAt: Math.max(health.resumeAt, asked) };
  const failures = health.failures + 1;
  const rest = Math.min(failures - FAILURES_BEFORE_REST, RESTS_MS.length - 1);
  const restMs = RESTS_MS[rest] ?? 0;
  return {
    failures,
    failingSince: health.failingSince ?? now,
    resumeAt: Math.max(asked, now + Math.round(restMs * (1 + SPREAD * (2 * jitter - 1)))),
  };
}

/**
 * One that was given up, though its first failure is later than this, was given up by a clock that was ahead.
 * The hour is for servers whose clocks differ.
 */
export const givenUpAheadSince = (now: Instant): Instant => now - GIVEN_UP_AFTER_MS + HOUR_MS;

/** Whether it has failed for so long without a success that it must be disabled. */
export const isGivenUp = ({ failingSince }: Health, now: Instant): boolean =>
  failingSince !== null && now - failingSince >= GIVEN_UP_AFTER_MS;
