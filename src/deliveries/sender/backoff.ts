import type { Instant } from "#core/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#core/time.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

const PAUSES_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 8 * HOUR_MS] as const;
const SPREAD = 0.2;

/**
 * A transactional request is answered within 10 s of its arrival, and whoever sent it waits: short pauses, whatever the
 * refusing server would like (docs/decisions.md "Transactional send").
 */
export const REQUEST_PAUSES_MS = [1_000, 2_000, 4_000] as const;

/** No retry lies further ahead. One that does was written while the clock was wrong, and is due. */
export const RETRY_AHEAD_MAX_MS = 24 * HOUR_MS;

/** How long after its first attempt a mail is still tried. A late campaign helps nobody. */
export const giveUpAfterMs: Readonly<Record<MailKind, number>> = {
  campaign: 24 * HOUR_MS,
  automation: 24 * HOUR_MS,
  transactional: 9_000,
  confirmation: 24 * HOUR_MS,
};

type RetryInput = {
  /** Attempts made so far that count, 1 or more. Attempts stopped by relay trouble do not. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** The least pause the refusing server needs (greylisting). */
  readonly minPauseMs: number;
  readonly giveUpAfterMs: number;
  /** The pauses after the first, second, … attempt; the last one stays. */
  readonly pausesMs?: readonly number[];
  /** A fraction from 0 to 1 that spreads the retries by up to 20 % either way, though never below the least pause. */
  readonly jitter: number;
};

/**
 * When to try a deferred mail again: unless other pauses are given, after 1, 5, 15, 60 minutes, 3 and then always 8 hours, ±20 %,
 * and not before `minPauseMs`.
 * No retry lies after `firstAttemptAt + giveUpAfterMs`: a pause that would pass it is cut to it, even below `minPauseMs`,
 * so that the last try uses all the time there is. `null`: that time has come, the mail has failed.
 */
export function nextAttempt(input: RetryInput): { at: Instant } | null {
  const giveUpAt = input.firstAttemptAt + input.giveUpAfterMs;
  if (input.now >= giveUpAt) return null;
  const pausesMs = input.pausesMs ?? PAUSES_MS;
  const step = Math.min(Math.max(input.attempts, 1), pausesMs.length) - 1;
  const plannedMs = Math.max(pausesMs[step] ?? MINUTE_MS, input.minPauseMs);
  return { at: Math.min(input.now + spread(plannedMs, input), giveUpAt) };
}

/** A server that greylists a whole campaign must not get all of it back at one instant either. */
function spread(plannedMs: number, { minPauseMs, jitter }: RetryInput): number {
  const leastMs = Math.max(plannedMs * (1 - SPREAD), minPauseMs);
  return Math.round(leastMs + jitter * (plannedMs * (1 + SPREAD) - leastMs));
}
