import { expect, test } from "bun:test";
import { giveBackAfterStart } from "#app/start-memory.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

test("what the start needed is given back once, some seconds later", () => {
  const clock = manualClock();
  let times = 0;
  giveBackAfterStart(clock, () => times++);
  clock.advance(1_000);
  expect(times).toBe(0);
  clock.advance(10_000);
  expect(times).toBe(1);
  clock.advance(600_000);
  expect(times).toBe(1);
});

test("a server that was stopped before gives nothing back", () => {
  const clock = manualClock();
  let times = 0;
  const leave = giveBackAfterStart(clock, () => times++);
  leave();
  clock.advance(600_000);
  expect(times).toBe(0);
});
