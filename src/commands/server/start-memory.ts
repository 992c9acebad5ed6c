import type { Clock } from "#core/time/clock.ts";

/** Long enough after the start that this delays no first request. */
const AFTER_START_MS = 5_000;

/**
 * Frees, once, the memory that only the start needed: the code that wired everything, and the space that the heap
 * took. Returns a function that cancels it.
 * @param shrink the runtime's own, which takes one full collection
 */
export const giveBackAfterStart = (clock: Clock, shrink: () => void): (() => void) =>
  clock.setTimer(AFTER_START_MS, shrink);
