import { expect, test } from "bun:test";
import { watchForSetBack } from "#core/time/set-back.ts";
import { HOUR } from "../../support/common/durations.ts";

/** What is said after each of these moves of the time of day, with an hour on the other clock before each. */
function said(...movesMs: readonly number[]): boolean[] {
  let [ahead, monotonic] = [0, 0];
  const wasSetBack = watchForSetBack({ now: () => ahead + monotonic, monotonicMs: () => monotonic });
  return [0, ...movesMs].map((move) => {
    ahead += move;
    monotonic += HOUR;
    return wasSetBack();
  });
}

test("a clock that was set back by more than a minute is noticed, once", () => {
  expect(said(0, -60_001, 0, 0)).toEqual([false, false, true, false, false]);
  expect(said(-24 * HOUR, -HOUR)).toEqual([false, true, true]);
});

test("a correction of less, a clock that was set forward, and one that runs are none", () => {
  expect(said(-60_000, -30_000, 0, HOUR, 0)).toEqual([false, false, false, false, false, false]);
});

test("a clock that was wrong for a while is noticed when it is right again", () => {
  expect(said(365 * 24 * HOUR, 0, -365 * 24 * HOUR)).toEqual([false, false, false, true]);
});
