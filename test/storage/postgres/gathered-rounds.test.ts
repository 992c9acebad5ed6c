import { expect, test } from "bun:test";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";

/** Rounds that are written down, and answered with what was asked for. */
function writtenDown(most?: number) {
  const rounds: (readonly string[])[] = [];
  const perform = gatheredRounds<string, string>(
    async (steps) => {
      rounds.push(steps);
      return steps;
    },
    () => false,
    most,
  );
  return { rounds, perform };
}

test("a step that may wait shares the round of the next one that may not, and comes first in it", async () => {
  const { rounds, perform } = writtenDown();
  const answers = [perform("outcome", true), perform("outcome 2", true), perform("dot")];
  expect(await Promise.all(answers)).toEqual(["outcome", "outcome 2", "dot"]);
  expect(rounds).toEqual([["outcome", "outcome 2", "dot"]]);
});

test("a step that may wait is performed although no other comes", async () => {
  const { rounds, perform } = writtenDown();
  expect(await perform("outcome", true)).toBe("outcome");
  expect(await perform("dot")).toBe("dot");
  expect(await Promise.all([perform("a", true), perform("b", true)])).toEqual(["a", "b"]);
  expect(rounds).toEqual([["outcome"], ["dot"], ["a", "b"]]);
});

test("what comes while rounds are under way is performed after them, and more than one round takes is not lost", async () => {
  const { rounds, perform } = writtenDown(1);
  const many = Array.from({ length: 600 }, (_, n) => `${n}`);
  const answers = await Promise.all(many.map((step, n) => perform(step, n % 2 === 0)));
  expect(answers).toEqual(many);
  expect(rounds.flat()).toEqual(many);
  expect(rounds.length).toBe(3);
});
