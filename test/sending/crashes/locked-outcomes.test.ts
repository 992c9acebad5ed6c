/** Another program has locked a message whose outcome is to be recorded. */
import { expect, test } from "bun:test";
import { StorageError, type StorageTrouble } from "#core/errors/storage-error.ts";
import { Recorder, type RecorderParts } from "#deliveries/sender/recorder.ts";
import { createLog } from "#log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";

const SENT = { state: "sent", reply: { code: 250, enhanced: null, text: "taken" } } as const;

test.each([
  ["full", true],
  ["locked", false],
] as const)(
  "a database that is %s: other messages wait is %p, and the outcome is kept",
  async (trouble, waits) => {
    const clock = manualClock();
    let now: StorageTrouble | null = trouble;
    let tries = 0;
    const parts = {
      ledger: {
        async settle() {
          tries++;
          if (now !== null) throw new StorageError(now, null);
        },
      },
      clock,
      log: createLog({ level: "error", format: "json", clock, write: () => undefined }),
      mailings: { settled: () => undefined },
      unfinished: new Set(),
      stop: new AbortController().signal,
      pump: () => undefined,
    } as unknown as RecorderParts;
    const recorder = new Recorder(parts);
    const ended = { feed: false };
    const feed = { urgency: "bulk", done: () => (ended.feed = true) } as unknown as Parameters<
      Recorder["record"]
    >[0];
    const message = { number: 1 } as Parameters<Recorder["record"]>[1];
    recorder.record(feed, message, SENT, null);
    await eventually(() => clock.pending > 0);
    expect([tries, recorder.isPaused, ended.feed]).toEqual([1, waits, false]);
    now = null;
    while (!ended.feed) {
      clock.advance(1_000);
      await Bun.sleep(0);
    }
    expect(tries).toBe(2);
  },
);
