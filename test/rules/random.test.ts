import { expect, test } from "bun:test";
import { stockedRandom } from "#core/random.ts";

/** Draws 0, 1, 2, … so that a byte given twice shows. */
function counting() {
  const draws: number[] = [];
  let next = 0;
  const bytes = stockedRandom((length) => {
    draws.push(length);
    return Uint8Array.from({ length }, () => next++ % 251);
  });
  return { bytes, draws };
}

test("small numbers of bytes come out of one draw, each byte once", () => {
  const { bytes, draws } = counting();
  const taken = Array.from({ length: 200 }, (_, i) => [...bytes(1 + (i % 16))]).flat();
  expect(draws).toEqual([4096]);
  expect(taken).toEqual(taken.map((_, i) => i % 251));
});

test("what is left of a stock too short is not used, and the next stock goes on", () => {
  const { bytes, draws } = counting();
  for (let i = 0; i < 273; i++) bytes(15);
  expect(draws).toEqual([4096]);
  expect([...bytes(2)]).toEqual([4096 % 251, 4097 % 251]);
  expect(draws).toEqual([4096, 4096]);
});

test("a secret is drawn by itself, and what was given stays as it is", () => {
  const { bytes, draws } = counting();
  const small = bytes(10);
  expect(bytes(32)).toHaveLength(32);
  expect(draws).toEqual([4096, 32]);
  const before = [...small];
  small.fill(0);
  expect([...bytes(10)]).not.toContain(before[0]);
});
