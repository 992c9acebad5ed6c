import type { Instant } from "#core/time/clock.ts";

/**
 * An end of quiet hours until which something may still be held, although somebody has changed those hours: what is
 * held keeps the end that was known when it was held.
 */
export type EndedHold = {
  readonly heldUntil: Instant;
  /** When the hours were changed. */
  readonly endedAt: Instant;
};
