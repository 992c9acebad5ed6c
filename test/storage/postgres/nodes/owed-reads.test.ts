/** A reading of owed messages is several statements, and messages in progress move between them. */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FRONT } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { nodesDatabase, type NodesDatabase } from "../../../support/storage/nodes-database.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { claimDot } from "../../../support/storage/engine-mailings.ts";

const NOW = 1_800_000_000_000;
const CLOCK = { monotonicMs: () => 0 };
const OK = { code: 250, enhanced: "2.0.0", text: "taken" };
const ANYBODY = {
  limit: 100,
  who: "all",
  domains: [],
  except: new Set<number>(),
  withPeople: false,
} as const;
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND wait_event = 'relation'`;

describe.skipIf(await lacksPostgres())("a deferred message that is due", () => {
  let opened: NodesDatabase;
  let ledger: LedgerStore;
  let run = 0;
  let mailings = 0;

  beforeAll(async () => {
    opened = await nodesDatabase();
    ledger = ledgerStore(await opened.open(), ownNode(CLOCK, { name: "test", version: "0" }), CLOCK);
    ({ run } = await ledger.join(NOW, false));
    await opened.keepAlive(run);
  });
  afterAll(() => opened.end());

  const deferTo = (message: number, at: number): Promise<unknown> => {
    const later = { state: "queued", reason: "TEMPORARY", reply: null, nextAttemptAt: at } as const;
    return ledger.settle(message, later, NOW, null, "bulk");
  };

  /** What is read if this happens to the message while the reading has found it, and not read it yet. */
  async function readWhile(happens: (message: number) => Promise<unknown>) {
    const { mailing, messages } = await opened.make(`meanwhile${++mailings}x`, 2);
    const [first, second] = messages as [number, number];
    await deferTo(first, NOW - 1_000);
    const locker = new SQL({ url: opened.url, max: 1 });
    const reading = await locker.begin(async (tx) => {
      // A reading looks for deferred messages first, and then for new ones, in their slices.
      await tx.unsafe("LOCK TABLE slices IN ACCESS EXCLUSIVE MODE");
      const read = ledger.owed(mailing, FRONT, NOW, ANYBODY);
      await eventually(async () => (await opened.values(WAITING)).length > 0);
      await happens(first);
      return { read };
    });
    await locker.close();
    const read = await reading.read;
    expect(read.messages.map(({ number }) => number)).toContain(second);
    const again = await ledger.owed(mailing, read.through, NOW + 60_000, ANYBODY);
    return {
      read: read.messages.find(({ number }) => number === first)?.attempts,
      later: again.messages.find(({ number }) => number === first)?.attempts,
    };
  }

  test("is read with the attempts that it has had", async () => {
    expect(await readWhile(async () => undefined)).toEqual({ read: 1, later: undefined });
  });

  test("and is deferred again while it is read: it waits until its new time", async () => {
    const read = await readWhile((message) => deferTo(message, NOW + 60_000));
    expect(read).toEqual({ read: undefined, later: 2 });
  });

  test("and is due again at once: it is read with its new attempt", async () => {
    expect((await readWhile((message) => deferTo(message, NOW))).read).toBe(2);
  });

  test("and is sent while it is read: it is not offered to a relay again", async () => {
    const read = await readWhile(async (message) => {
      expect(await claimDot(ledger, message, run, NOW)).toBe("dot");
      await ledger.settle(message, { state: "sent", reply: OK }, NOW, null, "bulk");
    });
    expect(read).toEqual({ read: undefined, later: undefined });
  });

  test("and is at its dot while it is read: neither", async () => {
    const read = await readWhile((message) => claimDot(ledger, message, run, NOW));
    expect(read).toEqual({ read: undefined, later: undefined });
  });
});
