import { expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { createLog } from "#log.ts";
import { followIndexes, type LateIndex } from "#storage/sqlite/upkeep/index-follower.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

/** An index of things that come and wait; `ill` makes a look at it throw, as a damaged database does. */
function countedIndex() {
  const state = { looks: 0, waiting: 0, come: 0, ill: false };
  const index: LateIndex = {
    finds: "things",
    look() {
      state.looks++;
      if (state.ill) throw new Error("database disk image is malformed");
      const { come } = state;
      [state.come, state.waiting] = [0, state.waiting + come];
      return come;
    },
    get behind() {
      return state.waiting;
    },
    behindMax: 1_000,
    async catchUp() {
      state.waiting = 0;
    },
  };
  return { state, index };
}

function following(index: LateIndex, hasChanged = () => true) {
  const clock = manualClock();
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", clock, write: (line) => lines.push(line) });
  const stop = followIndexes([index], { clock, log, hasChanged });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await nextLoopTurn();
    }
  };
  return { lines, stop, pass };
}

test("an index is not looked at while nothing was written; what comes is indexed all the same", async () => {
  const { state, index } = countedIndex();
  let written = false;
  const { pass, stop } = following(index, () => {
    const was = written;
    written = false;
    return was;
  });
  await pass(1_000);
  const { looks } = state;
  await pass(60_000);
  expect(state.looks).toBe(looks);
  [written, state.come] = [true, 3];
  await pass(3_000);
  expect(state).toMatchObject({ waiting: 0, come: 0 });
  const after = state.looks;
  await pass(60_000);
  expect(state.looks).toBe(after);
  await stop.stop();
});

test("a look that throws ends nothing: it is said once, tried again, and works when it can", async () => {
  const { state, index } = countedIndex();
  state.ill = true;
  const { pass, stop, lines } = following(index);
  await pass(60_000);
  expect(lines).toEqual([expect.stringContaining("things could not be indexed yet")]);
  expect(state.looks).toBeGreaterThan(5);
  [state.ill, state.come] = [false, 2];
  await pass(10_000);
  expect([state.come, state.waiting]).toEqual([0, 0]);
  await stop.stop();
});
