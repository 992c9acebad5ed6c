import { expect, test } from "bun:test";
import { automationJob } from "#automations/job.ts";
import type { SliceResult } from "#automations/run/store.ts";
import { seededRandom } from "../../support/common/dice.ts";
import { DEFAULT_SETTINGS } from "#workspaces/settings/settings.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const NOTHING: SliceResult = { stale: false, done: 0, mails: 0, calls: [], crashes: [] };
const WORK_MS = 5;

/** A deleted automation of so many slices of rows, and one whose run falls due when `dueAfter` of them are cleared. */
function jobBeside(slices: number, dueAfter: number, advance: () => SliceResult) {
  const clock = manualClock();
  const now = { cleared: 0, advancedAfter: null as number | null };
  const due = { number: 1, id: "aut", workspaceId: "ws", flowVersion: 1, dueAt: 0, hasStarts: false };
  const runs = {
    due: async () => (now.cleared >= dueAfter && now.advancedAfter === null ? [due] : []),
    flow: async () => ({ nodes: [], edges: [] }),
    async advance() {
      const result = advance();
      now.advancedAfter = now.cleared;
      return result;
    },
    endedHolds: async () => [],
    spread: async () => 0,
    nextDueAt: async () => null,
    async clearDeleted() {
      clock.advance(WORK_MS);
      if (now.cleared === slices) return false;
      now.cleared++;
      return true;
    },
  };
  const job = automationJob({
    runs,
    workspaces: { settings: async () => DEFAULT_SETTINGS, revision: () => 0 },
    calls: { free: () => 1, start() {}, settled: async () => undefined },
    work: {},
    hasRequests: () => false,
    wakeRuns() {},
    wakeSender: async () => undefined,
    clock,
    random: seededRandom(1),
    newId: (prefix: string) => prefix,
    log: { error() {} },
  } as never);
  return { job, now, clock };
}

test("what falls due does not stand behind the rows of a deleted automation, and all of them are cleared", async () => {
  const { job, now, clock } = jobBeside(1_000, 10, () => ({ ...NOTHING, done: 1 }));
  let rounds = 0;
  do {
    await job.run(() => {});
    rounds++;
  } while ((await job.nextDueAt()) === clock.now() && rounds < 2_000);
  expect(now.cleared).toBe(1_000);
  expect(now.advancedAfter).toBeLessThan(20);
  expect(await job.nextDueAt()).toBeNull();
});

test("an automation that fails is not tried again at once because there is more to clear", async () => {
  const { job, now } = jobBeside(1_000, 0, () => {
    throw new Error("no such table");
  });
  await job.run(() => {});
  expect(now.advancedAfter).toBeNull();
  expect(now.cleared).toBeGreaterThan(0);
  expect(await job.nextDueAt()).toBeNull();
});
