import type { Instant } from "#core/clock.ts";
import { DAY_MS } from "#core/time.ts";
import { nextAttempt } from "#deliveries/sender/backoff.ts";

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
 * When a step that could not reach its webhook is tried again: after 1, 5, 15, 60 minutes, 3 and then always 8 hours, ±20 %, the last
 * time a day after the first try. Null: that day is over, the enrollment has FAILED.
 */
export function retryStepAt(tries: Tries): Instant | null {
  return nextAttempt({ ...tries, minPauseMs: 0, giveUpAfterMs: DAY_MS })?.at ?? null;
}

/** A step that threw instead of saying what is wrong: twice more, a minute apart, then null, so that it never holds up the others. */
export function retryCrashAt(crashes: number, now: Instant): Instant | null {
  return crashes < CRASHES_MAX ? now + CRASH_PAUSE_MS : null;
}

/**
 * What a webhook's answer means. Any 2xx is success. 410 Gone says that nobody will ever listen there (Standard Webhooks), so the step
 * fails at once. Everything else, redirects among it (they are not followed), may pass.
 */
export function judgeWebhookStatus(status: number): "delivered" | "retry" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "failed" : "retry";
}
