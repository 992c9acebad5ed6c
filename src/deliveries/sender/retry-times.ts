import { GROWING_PAUSES_MS, nextAttempt } from "#core/time/backoff.ts";
import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

/**
 * A caller holds a request open, and its messages are tried for 10 s at the most (`transactional/dispatch.ts`). So its
 * pauses are short, whatever the refusing server asks for (docs/decisions.md "Transactional send").
 */
const REQUEST_PAUSES_MS = [1_000, 2_000, 4_000] as const;

/** No retry is further ahead than this. If one is, the clock was wrong when it was written: it is due now. */
export const RETRY_AHEAD_MAX_MS = 24 * HOUR_MS;

/** How long after its first attempt a mail is still retried. A late campaign helps nobody. */
export const giveUpAfterMs: Readonly<Record<MailKind, number>> = {
  campaign: 24 * HOUR_MS,
  automation: 24 * HOUR_MS,
  transactional: 9_000,
  confirmation: 24 * HOUR_MS,
};

/** The tries of one message, with the one that has just ended. */
type Tries = {
  /** 1 or more. */
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly now: Instant;
  /** The pause that the refusing server needs; a request has no time for it. */
  readonly minPauseMs: number;
  /** A fraction from 0 to 1 that spreads the retries. */
  readonly jitter: number;
};

/**
 * When to try a message again; null: it has failed. Mail that no caller waits for does not fail because time has
 * passed in which nothing was tried: the server was off, the campaign was paused, or the clock is ahead. So it has
 * each of the pauses once. In 24 hours there are more tries, unless nothing was tried for long.
 */
export function nextTry(kind: MailKind, tries: Tries): { at: Instant } | null {
  const times = { ...tries, giveUpAfterMs: giveUpAfterMs[kind] };
  if (kind === "transactional") return nextAttempt({ ...times, minPauseMs: 0, pausesMs: REQUEST_PAUSES_MS });
  return nextAttempt({ ...times, pausesMs: GROWING_PAUSES_MS, hasEachPause: true });
}
