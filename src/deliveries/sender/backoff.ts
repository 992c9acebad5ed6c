import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#core/time/time.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

const PAUSES_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 8 * HOUR_MS] as const;
const SPREAD = 0.2;

/**
 * A transactional request is answered within 10 s of its arrival, and its caller waits. So the pauses are
 * short, whatever the refusing server asks for (docs/decisions.md "Transactional send").
 */
export const REQUEST_PAUSES_MS = [1_000, 2_000, 4_000] as const;

/** No retry is further ahead than this. If one is, the clock was wrong when it was written: it is due now. */
export const RETRY_AHEAD_MAX_MS = 24 * HOUR_MS;

/** How long after its first attempt a mail is still retried. A late campaign helps nobody. */
export const giveUpAfterMs: Readonly<Record<MailKind, number>> = {
  campaign: 24 * HOUR_MS,
  automation: 24 * HOUR_MS,
  transactional: 9_000,
  confirmation: 24 * HOUR_MS,
};

type RetryInput = {
  /** Counted attempts so far, 1 or more. Attempts stopped by relay trouble do not count. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** The shortest pause that the refusing server needs (greylisting). */
  readonly minPauseMs: number;
  readonly giveUpAfterMs: number;
  /** The pauses after the first, second, … attempt; the last one repeats. */
  readonly pausesMs?: readonly number[];
  /**
   * A fraction from 0 to 1 that spreads the retries by up to 20 % either way, but never below the shortest
   * pause.
   */
  readonly jitter: number;
};

/**
 * When to retry a deferred mail: unless other pauses are given, after 1, 5, 15, 60 minutes, 3 hours and then every
 * 8 hours, ±20 %, and not before `minPauseMs`. No retry is later than `firstAttemptAt + giveUpAfterMs`. A pause
 * that would be is shortened, even below `minPauseMs`, so that the last try uses all the available time. `null`:
 * that time is over, and the mail has failed.
 */
export function nextAttempt(input: RetryInput): { at: Instant } | null {
  const giveUpAt = input.firstAttemptAt + input.giveUpAfterMs;
  if (input.now >= giveUpAt) return null;
  const pausesMs = input.pausesMs ?? PAUSES_MS;
  const step = Math.min(Math.max(input.attempts, 1), pausesMs.length) - 1;
  const plannedMs = Math.max(pausesMs[step] ?? MINUTE_MS, input.minPauseMs);
  return { at: Math.min(input.now + spread(plannedMs, input), giveUpAt) };
}

/** The spread keeps a server that greylists a whole campaign from getting all of it back at once. */
function spread(plannedMs: number, { minPauseMs, jitter }: RetryInput): number {
  const leastMs = Math.max(plannedMs * (1 - SPREAD), minPauseMs);
  return Math.round(leastMs + jitter * (plannedMs * (1 + SPREAD) - leastMs));
}
