import { expect, test } from "bun:test";
import { slicing } from "#automations/run/slicing.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

test("a slice's time runs from when its work begins, not while it waits for other writes", () => {
  const clock = manualClock();
  const slice = slicing({ clock, hasRequests: () => false }).slice();
  clock.advance(1_000);
  const isOver = slice.begin();
  expect(isOver()).toBe(false);
  clock.advance(1_000);
  expect(isOver()).toBe(true);
});

test("a slice is shorter if somebody waits for an answer when it begins", () => {
  const clock = manualClock();
  let isAny = false;
  const slices = slicing({ clock, hasRequests: () => isAny });
  const [beside, alone] = [slices.slice(), slices.slice()];
  isAny = true;
  const isOverBeside = beside.begin();
  isAny = false;
  const isOverAlone = alone.begin();
  clock.advance(2);
  expect([isOverBeside(), isOverAlone()]).toEqual([true, false]);
});
