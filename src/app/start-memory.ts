import type { Clock } from "#core/time/clock.ts";
import { letGoOfCode } from "#system/code-pages.ts";

/** Long enough after the start that this delays no first request. */
const AFTER_START_MS = 5_000;

/**
 * Gives back, once, the memory that only the start needed. Returns a function that cancels it.
 * @param giveBack `giveBackMemory`, except in tests
 */
export const giveBackAfterStart = (clock: Clock, giveBack: () => void = giveBackMemory): (() => void) =>
  clock.setTimer(AFTER_START_MS, giveBack);

/** The code that wired everything, the space that the heap took, and the executable's pages. */
function giveBackMemory(): void {
  // The runtime's own function takes one full collection.
  Bun.shrink();
  void letGoOfCode();
}
