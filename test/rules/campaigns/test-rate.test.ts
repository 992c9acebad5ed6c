import { expect, test } from "bun:test";
import { decideTest, TEST_WINDOW_MS } from "#transactional/test-rate.ts";

const NOW = 10 * TEST_WINDOW_MS;
const earlier = (...tests: [secondsAgo: number, addresses: number][]) =>
  tests.map(([secondsAgo, addresses]) => ({ at: NOW - secondsAgo * 1000, addresses }));

test.each([
  ["none before", [], 10, null],
  ["just sixty", [[60, 50]], 10, null],
  ["one too many", [[60, 51]], 10, 3_540],
  [
    "enough leaves with the first",
    [
      [3_000, 30],
      [60, 30],
    ],
    10,
    600,
  ],
  [
    "enough leaves with the second",
    [
      [3_000, 5],
      [1_000, 10],
      [60, 45],
    ],
    10,
    2_600,
  ],
  ["an hour old counts no more", [[3_600, 60]], 10, null],
  ["later than now counts not: the clock was set back", [[-5, 60]], 10, null],
] as const)("%s", (_what, tests, wanted, retryAfterS) => {
  const said = decideTest(earlier(...(tests as unknown as [number, number][])), wanted, NOW);
  expect(said).toEqual(retryAfterS === null ? null : { retryAfterS });
});
