import type { Clock } from "#core/clock.ts";

/** Late enough that nobody who waits for the start waits for this too. */
const AFTER_START_MS = 5_000;

/**
 * Gives back, once, what only the start needed: the code that ran to wire everything, and the room that the heap took
 * meanwhile. Returns how to leave it.
 * @param shrink the runtime's own, which takes one full collection
 */
export const giveBackAfterStart = (clock: Clock, shrink: () => void): (() => void) =>
  clock.setTimer(AFTER_START_MS, shrink);
