import { expect, test } from "bun:test";
import { idMaker, requestIdMaker } from "#core/ids.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

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

test("each byte of chance is used once, many from one draw, in ids of records and of requests", () => {
  const draws: number[] = [];
  let next = 0;
  const random = {
    bytes(length: number) {
      draws.push(length);
      return Uint8Array.from({ length }, () => next++ % 251);
    },
    fraction: () => 0,
  };
  const requestId = requestIdMaker(random);
  const ids = Array.from({ length: 600 }, () => requestId());
  expect(ids.join("")).toBe(Uint8Array.from({ length: 7200 }, (_, i) => i % 251).toHex());
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  expect(draws).toEqual([3072, 3072, 3072]);
  next = 0;
  const newId = idMaker(clock, random);
  const chance = Array.from({ length: 300 }, () => newId("ct").slice(13));
  next = 0;
  const singly = Array.from({ length: 300 }, () =>
    idOf(Array.from({ length: 10 }, () => next++ % 251)).slice(13),
  );
  expect(chance).toEqual(singly);
  expect(draws).toEqual([3072, 3072, 3072, 2560, 2560]);
});

test("a later id sorts after an earlier one", () => {
  const earlier = idOf(none.map(() => 255));
  clock.advance(1);
  expect(idOf(none) > earlier).toBe(true);
});
