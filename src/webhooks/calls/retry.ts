import { GROWING_PAUSES_MS, nextAttempt } from "#core/time/backoff.ts";
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#core/time/time.ts";

/** The tries of one message so far. */
export type Tries = {
  /** 1 or more. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** A fraction from 0 to 1 that spreads the retries. */
  readonly jitter: number;
  /** The pause that the receiver asked for, if it did. */
  readonly askedPauseMs: number;
};

const TRIED_FOR_MS = 3 * DAY_MS;

/** No pause is longer, also that of an automation's step: an asked one is a day, and a fifth more where retries are spread. */
export const PAUSE_MAX_MS = 1.2 * DAY_MS + MINUTE_MS;

/**
 * When to try a message again: after 1, 5, 15, 60 minutes, 3 hours and then every 8 hours, ±20 %. The last time is
 * three days after the first try. Null: those days are over, and the message has failed.
 */
export function retryAt(tries: Tries): Instant | null {
  const times = {
    minPauseMs: tries.askedPauseMs,
    pausesMs: GROWING_PAUSES_MS,
    giveUpAfterMs: TRIED_FOR_MS,
  };
  return nextAttempt({ ...tries, ...times })?.at ?? null;
}

/** A try that comes later than this shows that the clock was changed, or that nothing was tried meanwhile. */
const LATE_MS = DAY_MS;

type Late = {
  readonly firstTriedAt: Instant | null;
  readonly dueAt: Instant | null;
  readonly begunAt: Instant;
};

/**
 * Since when a message counts as tried. Time in which a try was overdue for very long does not count to its three
 * days. If the clock is ahead, none of it has passed. If the server was off, the webhook disabled or held in a copy,
 * or more was owed than goes out in a day, nothing was tried in it.
 */
export function triedSince({ firstTriedAt, dueAt, begunAt }: Late): Instant {
  if (firstTriedAt === null) return begunAt;
  const lateMs = dueAt === null ? 0 : begunAt - dueAt;
  return lateMs > LATE_MS ? firstTriedAt + lateMs : firstTriedAt;
}

/**
 * What an answer's status means. Any 2xx is success. 410 Gone says that nobody will ever listen there
 * (Standard Webhooks). Everything else may change, so it is retried; that includes redirects, which are not
 * followed.
 */
export function judgeStatus(status: number): "delivered" | "retry" | "gone" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "retry";
}

/**
 * The pause that an answer asks for with `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). Only 429 and
 * 503 count. 0: none, or not readable.
 */
export function askedPauseMs(status: number, retryAfter: string | null, now: Instant): number {
  if ((status !== 429 && status !== 503) || retryAfter === null) return 0;
  const text = retryAfter.trim();
  // Very many digits give Infinity, which is a day as well.
  const pauseMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(pauseMs) ? 0 : Math.min(Math.max(0, pauseMs), DAY_MS);
}
