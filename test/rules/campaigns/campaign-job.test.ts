import { expect, test } from "bun:test";
import { campaignJob } from "#campaigns/job.ts";
import { yieldTurns } from "#core/time/event-loop.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

/** Node's way to end a process: nobody handled a rejection. */
async function unhandledDuring(work: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  await work();
  await yieldTurns(10);
  process.off("unhandledRejection", note);
  return unhandled;
}

test("a database that cannot be reached when a continued plan is complete does not end the process", async () => {
  const job = campaignJob({
    plans: { due: async () => [], endHolds: async () => [] } as never,
    planning: { lookAfter: async (whenMade) => whenMade() },
    sending: {} as never,
    control: { lookAfter: async () => undefined },
    autoPause: async () => false,
    wakeSender: () => Promise.reject(new Error("the database cannot be reached")),
    clock: manualClock(),
    log: {} as never,
  });
  expect(await unhandledDuring(() => job.run())).toEqual([]);
});
