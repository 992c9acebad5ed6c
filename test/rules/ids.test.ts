import { expect, test } from "bun:test";
import { idMaker } from "#core/ids.ts";
import { manualClock } from "../support/manual-clock.ts";

const clock = manualClock();
const idOf = (bytes: number[]) =>
  idMaker(clock, { bytes: () => Uint8Array.from(bytes), fraction: () => 0 })("ct");
const none = Array.from({ length: 10 }, () => 0);

test("an id is its prefix, ten characters of time and sixteen of chance", () => {
  expect(idOf(none)).toMatch(/^ct_[0-9a-hjkmnp-tv-z]{10}0{16}$/);
  expect(idOf(none.map(() => 255)).slice(13)).toBe("z".repeat(16));
});

test("every bit of chance tells two ids apart", () => {
  const ids = Array.from({ length: 80 }, (_, bit) =>
    idOf(none.map((zero, i) => (i === bit >> 3 ? 1 << (bit & 7) : zero))),
  );
  expect(new Set([idOf(none), ...ids]).size).toBe(81);
});

test("a later id sorts after an earlier one", () => {
  const earlier = idOf(none.map(() => 255));
  clock.advance(1);
  expect(idOf(none) > earlier).toBe(true);
});
