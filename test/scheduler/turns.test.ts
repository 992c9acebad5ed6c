import { describe, expect, test } from "bun:test";
import { yieldTurnsWhile } from "#core/time/event-loop.ts";
import { underWay } from "#scheduler/under-way.ts";

/** Counts the turns of the loop until `work` is over. */
async function turnsOf(work: Promise<void>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work;
  over = true;
  return turns;
}

describe("work that nobody waits for", () => {
  test("rests longer while somebody is waiting, but never for ever", async () => {
    const [short, long] = [
      await turnsOf(yieldTurnsWhile(() => false, 2, 12)),
      await turnsOf(yieldTurnsWhile(() => true, 2, 12)),
    ];
    expect(long - short).toBe(10);
  });

  test("goes on as soon as nobody is waiting any more", async () => {
    let asked = 0;
    await yieldTurnsWhile(() => ++asked <= 3, 2, 12);
    expect(asked).toBe(4);
  });
});

test("somebody is waiting from the first request on until the last is answered", () => {
  const requests = underWay();
  expect(requests.isAny).toBeFalse();
  const [first, second] = [requests.begin(), requests.begin()];
  first();
  expect(requests.isAny).toBeTrue();
  second();
  expect(requests.isAny).toBeFalse();
});
