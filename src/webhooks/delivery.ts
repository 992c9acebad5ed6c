import { isoOf } from "#core/time/iso.ts";
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/**
 * One message for one webhook. PENDING: owed. DELIVERED: answered 2xx. FAILED: given up. A replay makes it
 * PENDING again.
 */
export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One request that was made. */
export type Attempt = {
  readonly at: Instant;
  /** Null if no answer came. */
  readonly status: number | null;
  /** The first 2 KB of the answer's body; empty where `attemptsKept` left it out. */
  readonly answer: string;
  /** What went wrong; null if nothing did. */
  readonly error: string | null;
  readonly durationMs: number;
};

/** A delivery with its log, as the API shows it. */
export type Delivery = {
  /** The `webhook-id`: the same at every attempt, even after a replay. */
  readonly id: string;
  readonly type: string;
  readonly state: DeliveryState;
  /** Oldest first; if there are very many, only the newest. */
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: Instant | null;
  readonly createdAt: Instant;
};

/** Deliveries are kept for this long after they were made. */
export const KEPT_MS = 14 * DAY_MS;

/** The most attempts of one delivery that are kept; replays can make many. */
const ATTEMPTS_KEPT = 50;
/** What their answers have together, as JSON: one page shows a hundred deliveries. Those of three days' tries fit in. */
const ANSWERS_CHARACTERS_MAX = 32 * 1024;

/** The newest attempts, with the answers of the newest of them. */
export function attemptsKept(attempts: readonly Attempt[]): Attempt[] {
  let room = ANSWERS_CHARACTERS_MAX;
  const newestFirst = attempts.slice(-ATTEMPTS_KEPT).toReversed();
  const kept = newestFirst.map((attempt) => {
    room -= JSON.stringify(attempt.answer).length;
    return room >= 0 ? attempt : { ...attempt, answer: "" };
  });
  return kept.toReversed();
}

/** What is posted. `data` is JSON already. */
export const messageBody = (type: string, at: Instant, data: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${isoOf(at)}","data":${data}}`;

/** Whether a `state` filter names a state; if not, the caller refuses it. */
export const isDeliveryState = (text: string): text is DeliveryState =>
  DELIVERY_STATES.some((state) => state === text);
