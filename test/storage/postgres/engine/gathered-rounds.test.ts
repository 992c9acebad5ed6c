import { expect, test } from "bun:test";
import { yieldTurns } from "#core/time/event-loop.ts";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";

/** Rounds that are written down, and answered with what was asked for. */
function writtenDown(most?: number) {
  const rounds: (readonly string[])[] = [];
  const perform = gatheredRounds<string, string>(
    async (steps) => {
      rounds.push(steps);
      return steps;
    },
    () => false,
    most === undefined ? {} : { most },
  );
  return { rounds, perform };
}

/** Rounds that end when they are told to, on a clock of their own. */
function heldRounds() {
  const clock = manualClock();
  const rounds: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const perform = gatheredRounds<string, string>(
    (steps) => {
      rounds.push(steps);
      return new Promise((resolve) => ends.push(() => resolve(steps)));
    },
    () => false,
    { clock },
  );
  /** Whatever is to happen without more time has happened. */
  const settled = async (): Promise<void> => {
    await yieldTurns(3);
  };
  return {
    clock,
    rounds,
    perform,
    settled,
    /** Ends the round that began first, after so long. */
    async endAfter(ms: number) {
      clock.advance(ms);
      ends.shift()?.();
      await settled();
    },
  };
}

test("a step that may wait shares the round of the next one that may not, and comes first in it", async () => {
  const { rounds, perform } = writtenDown();
  const answers = [perform("outcome", "later"), perform("outcome 2", "later"), perform("dot")];
  expect(await Promise.all(answers)).toEqual(["outcome", "outcome 2", "dot"]);
  expect(rounds).toEqual([["outcome", "outcome 2", "dot"]]);
});

test("a step that may wait is performed although no other comes", async () => {
  const { rounds, perform } = writtenDown();
  expect(await perform("outcome", "later")).toBe("outcome");
  expect(await perform("dot", "soon")).toBe("dot");
  expect(await Promise.all([perform("a", "later"), perform("b", "later")])).toEqual(["a", "b"]);
  expect(rounds).toEqual([["outcome"], ["dot"], ["a", "b"]]);
});

test("what comes while rounds are under way is performed after them, and more than one round takes is not lost", async () => {
  const { rounds, perform } = writtenDown(1);
  const many = Array.from({ length: 600 }, (_, n) => `${n}`);
  const hastes = ["now", "soon", "later"] as const;
  const answers = await Promise.all(many.map((step, n) => perform(step, hastes[n % 3])));
  expect(answers).toEqual(many);
  expect(rounds.flat()).toEqual(many);
  expect(rounds.length).toBe(3);
});

test("who was answered and asks again at once shares a round with those who asked meanwhile", async () => {
  const { rounds, perform, settled, endAfter } = heldRounds();
  void perform("a", "soon");
  await settled();
  void perform("b", "soon");
  await endAfter(4);
  expect(rounds).toEqual([["a"]]);
  void perform("a was taken", "later");
  void perform("c", "soon");
  await settled();
  expect(rounds).toEqual([["a"], ["b", "a was taken", "c"]]);
});

test("nobody is waited for longer than the round took that answered them, nor longer than 10 ms", async () => {
  for (const [tookMs, waitsMs] of [
    [4, 4],
    [500, 10],
  ] as const) {
    const { clock, rounds, perform, settled, endAfter } = heldRounds();
    void perform("a", "soon");
    await settled();
    void perform("b", "soon");
    await endAfter(tookMs);
    clock.advance(waitsMs - 1);
    await settled();
    expect(rounds).toEqual([["a"]]);
    clock.advance(1);
    await settled();
    expect(rounds).toEqual([["a"], ["b"]]);
    // The others come back long after that: they wait for nobody.
    await endAfter(tookMs);
    clock.advance(60);
    void perform("c", "soon");
    await settled();
    expect(rounds).toEqual([["a"], ["b"], ["c"]]);
  }
});

test("a step that somebody waits for begins a round at once, also beside one that is under way", async () => {
  const { rounds, perform, settled, endAfter } = heldRounds();
  void perform("a", "soon");
  await settled();
  void perform("b", "soon");
  await settled();
  expect(rounds).toEqual([["a"]]);
  void perform("asked for", "now");
  await settled();
  expect(rounds).toEqual([["a"], ["b", "asked for"]]);
  void perform("c", "soon");
  await endAfter(4);
  expect(rounds.length).toBe(2);
  void perform("asked for too", "now");
  await settled();
  expect(rounds).toEqual([["a"], ["b", "asked for"], ["c", "asked for too"]]);
});

test("so many steps that a round of their own is worth its price wait for no other round", async () => {
  const { rounds, perform, settled } = heldRounds();
  void perform("a", "soon");
  await settled();
  for (let n = 0; n < 40; n++) void perform(`${n}`, "soon");
  await settled();
  expect(rounds.map(({ length }) => length)).toEqual([1, 40]);
});
