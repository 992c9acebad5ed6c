import type { Instant } from "./clock.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";

/**
 * The pauses where nobody waits for the answer: soon after a server was only busy, and few where it is down for long.
 * Mail, webhooks and starts of automations have them.
 */
export const GROWING_PAUSES_MS = [
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
] as const;

const SPREAD = 0.2;

type RetryInput = {
  /** Counted attempts so far, 1 or more. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** The shortest pause that the refusing server needs (greylisting, `Retry-After`). */
  readonly minPauseMs: number;
  readonly giveUpAfterMs: number;
  /**
   * It fails only after a try before each of the pauses, and one after the last, however late that is: nothing may have
   * been tried for long, or the clock is ahead. If the clock was ahead at the first try, nobody knows when that was, and
   * only the tries count. If missing, time alone decides.
   */
  readonly hasEachPause?: true;
  /** The pauses after the first, second, … attempt; the last one repeats. */
  readonly pausesMs: readonly number[];
  /**
   * A fraction from 0 to 1 that spreads the retries by up to 20 % either way, but never below the shortest
   * pause.
   */
  readonly jitter: number;
};

/**
 * When to try again: after the next of the pauses, ±20 %, and not before `minPauseMs`. No retry is later than
 * `firstAttemptAt + giveUpAfterMs`. A pause that would be is shortened, even below `minPauseMs`, so that the
 * last try uses all the available time. `null`: that time is over, and it has failed. If it is over too early
 * (`hasEachPause`), the pauses continue.
 */
export function nextAttempt(input: RetryInput): { at: Instant } | null {
  const { firstAttemptAt, now, pausesMs, hasEachPause = false } = input;
  const giveUpAt = firstAttemptAt + input.giveUpAfterMs;
  const isOver = now >= giveUpAt || (hasEachPause && firstAttemptAt > now);
  if (isOver && (!hasEachPause || input.attempts > pausesMs.length)) return null;
  const step = Math.min(Math.max(input.attempts, 1), pausesMs.length) - 1;
  const plannedMs = Math.max(pausesMs[step] ?? MINUTE_MS, input.minPauseMs);
  const at = now + spread(plannedMs, input);
  return { at: isOver ? at : Math.min(at, giveUpAt) };
}

/** The spread keeps a server that greylists a whole campaign from getting all of it back at once. */
function spread(plannedMs: number, { minPauseMs, jitter }: RetryInput): number {
  const leastMs = Math.max(plannedMs * (1 - SPREAD), minPauseMs);
  return Math.round(leastMs + jitter * (plannedMs * (1 + SPREAD) - leastMs));
}
