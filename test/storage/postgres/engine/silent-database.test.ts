/** A database that does not answer, not even with an error: its machine vanished, or a commit waits for a standby. */
import { expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { Unanswered } from "#core/errors/fenced.ts";
import { startHeart } from "#storage/postgres/run/heart.ts";
import type { WatchParts } from "#storage/postgres/run/heart-watches.ts";
import { SILENT_LOG } from "../../../support/common/silent-log.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";

const never = () => new Promise<never>(() => undefined);

/** A node with a lease of 15 seconds. Its database answers reads as told, and no write. */
function startNode(read: () => Promise<unknown>) {
  const clock = manualClock();
  const [asked, ended]: [string[], Error[]] = [[], []];
  const note =
    <T>(what: string, answer: () => Promise<T>) =>
    () => {
      asked.push(what);
      return answer();
    };
  const heart = startHeart({
    database: {
      read: never,
      write: never,
      apart: { read: note("read", read), write: never },
      watch: { read: note("read", read) },
      awaited: { check: () => Promise.resolve(false), hasWaited: () => false },
    },
    registry: { leaseMs: 15_000, lost: never(), beat: note("beat", never), sweep: never },
    clock,
    log: SILENT_LOG,
    record: {},
    seen: { place: {}, number: 1 },
  } as unknown as WatchParts);
  void heart.lost.then((error) => ended.push(error));
  return {
    asked,
    ended,
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await nextLoopTurn();
    },
  };
}

test("a node whose database answers no read within four leases ends, to start anew with new connections", async () => {
  const { asked, ended, pass } = startNode(never);
  await pass(3_000);
  await pass(59_999);
  expect([asked.filter((what) => what === "read"), ended]).toEqual([["read"], []]);
  await pass(1);
  expect(ended).toEqual([expect.any(Unanswered)]);
});

test("a node whose commit waits goes on, because a standby may be away", async () => {
  const { asked, ended, pass } = startNode(() => Promise.resolve(null));
  for (let minute = 0; minute < 20; minute++) await pass(60_000);
  expect([asked.filter((what) => what === "beat"), ended]).toEqual([["beat"], []]);
});

test("a node whose database vanishes while its commit waits ends, as one whose database vanishes before", async () => {
  let isThere = true;
  const { asked, ended, pass } = startNode(() => (isThere ? Promise.resolve(null) : never()));
  for (let beats = 0; beats < 10; beats++) await pass(3_000);
  expect([asked.includes("beat"), ended]).toEqual([true, []]);
  isThere = false;
  await pass(3_000);
  await pass(59_999);
  expect(ended).toEqual([]);
  await pass(1);
  expect(ended).toEqual([expect.any(Unanswered)]);
});
