/** What one node left, and another takes: its slices, its dots, its place in the registry. */
import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { StorageError } from "#core/errors/storage-error.ts";
import { FRONT } from "#deliveries/ledger.ts";
import type { LedgerStore, Wanted } from "#deliveries/store.ts";
import { OwedReader } from "#deliveries/sender/owed-reader.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { nodesDatabase, type NodesDatabase } from "../../../support/storage/nodes-database.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { claimDot } from "../../../support/storage/engine-mailings.ts";

const NOW = 1_800_000_000_000;

describe.skipIf(await lacksPostgres())("nodes that share a database: slices that another node left", () => {
  let opened: NodesDatabase;
  const join = async (wrap: (db: PostgresDatabase) => PostgresDatabase = (db) => db) => {
    const open = await opened.open();
    const own = ownNode({ monotonicMs: () => 0 }, { name: "test", version: "0" });
    const ledger: LedgerStore = ledgerStore(wrap(open), own, { monotonicMs: () => 0 });
    const { run } = await ledger.join(NOW, false);
    await opened.keepAlive(run);
    return { ledger, run, open, own, nodes: registry(open, own, { monotonicMs: () => 0 }) };
  };
  const wanted = (who: Wanted["who"], domains: string[], known: Set<number>, limit = 100): Wanted => ({
    limit,
    who,
    domains,
    except: known,
    withPeople: false,
  });

  beforeAll(async () => {
    opened = await nodesDatabase();
  });
  afterEach(() => opened.closeNodes());
  afterAll(() => opened.end());

  test("a sweep takes what the dead node had, of every kind, and nothing of one that lives", async () => {
    const [dead, lives] = [await join(), await join()];
    const { mailing, messages } = await opened.make("kinds", 8);
    const [first, second, third, , deferred] = messages as [number, number, number, number, number];
    for (const message of [first, second, deferred])
      expect(await claimDot(dead.ledger, message, dead.run, NOW)).toBe("dot");
    expect(await claimDot(lives.ledger, third, lives.run, NOW)).toBe("dot");
    // A slice is done when all that is owed of it is deferred.
    await opened.run(`UPDATE slices SET done = true WHERE mailing = ${mailing} AND n = 1`);
    await opened.run(`INSERT INTO retries VALUES (${deferred}, ${mailing}, 1, ${dead.run})`);
    for (const [n, { run }] of [dead, lives].entries()) {
      const planned = (await opened.make(`planned${n}x`, 0)).mailing;
      for (const insert of [
        `slices VALUES (${mailing}, ${n + 8}, 0, 0, ${run}, false), (${mailing}, ${n + 10}, 0, 0, ${run}, true)`,
        `retries VALUES (${9_000_000 + n}, ${mailing}, 1, ${run})`,
        `webhooks (id, workspace, url, events, state, secret, created_at, node)
         VALUES ('wh_${n}', 1, '', '[]', 'ENABLED', 's', 1, ${run})`,
        `imports (id, workspace, file_name, state, job, lines_done, created_at, node)
         VALUES ('imp_${n}', 1, '', 'RUNNING', '', 0, 1, ${run})`,
        `plans VALUES (${planned}, ${run})`,
      ])
        await opened.run(`INSERT INTO ${insert}`);
    }
    const kinds = ["slices", "retries", "webhooks", "imports", "plans"];
    const kept = async (run: number) =>
      await Promise.all(
        kinds.map((kind) => opened.values(`SELECT count(*) FROM ${kind} WHERE node = ${run}`)),
      );
    const before = await kept(lives.run);
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${dead.run}`);
    expect(await lives.ledger.sweep(NOW)).toBe(3);
    const states = await opened.values(
      `SELECT state FROM deliveries WHERE mailing = ${mailing} ORDER BY seq LIMIT 5`,
    );
    expect(states).toEqual(["uncertain", "uncertain", "dot", "queued", "uncertain"]);
    // Only a slice that is done says whose it was.
    expect(await kept(dead.run)).toEqual([["1"], ["0"], ["0"], ["0"], ["0"]]);
    expect(await kept(lives.run)).toEqual(before);
  });

  test("a slice is not done while one of its messages is at its dot, so that a sweep finds it", async () => {
    const [dead, lives] = [await join(), await join()];
    const { mailing, messages } = await opened.make("open", 8);
    const read = () => dead.ledger.owed(mailing, FRONT, NOW, wanted("all", [], new Set()));
    await read();
    const taken = { code: 250, enhanced: null, text: "" };
    for (const message of messages) {
      expect(await claimDot(dead.ledger, message, dead.run, NOW)).toBe("dot");
      if (message !== messages[0])
        await dead.ledger.settle(message, { state: "sent", reply: taken }, NOW, null, "bulk");
    }
    await read();
    const open = `SELECT n FROM slices WHERE mailing = ${mailing} AND NOT done`;
    expect(await opened.values(open)).toEqual([0]);
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${dead.run}`);
    expect(await lives.ledger.sweep(NOW)).toBe(1);
  });

  test("a node counts those that live: neither who is fenced, nor whose lease is over", async () => {
    const before = (await join()).own.peers;
    const [fenced, late] = [await join(), await join()];
    await opened.run(`UPDATE nodes SET fenced_at = 1, swept_at = 1 WHERE id = ${fenced.run}`);
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${late.run}`);
    expect((await join()).own.peers).toEqual({ nodes: before.nodes + 1, older: before.nodes });
  });

  test("each reader of a node gets its part of them", async () => {
    const [a, b] = [await join(), await join()];
    const { mailing, messages } = await opened.make("two", 12);
    // Every second person is at a limited domain.
    await opened.run(
      `UPDATE deliveries SET address = replace(address, 'example.com', 'slow.example') WHERE mailing = ${mailing} AND seq % 2 = 0`,
    );
    const known = new Set<number>();
    const keep = (read: { messages: readonly { number: number }[] }) =>
      read.messages.forEach(({ number }) => known.add(number));
    const main = new OwedReader(mailing, a.ledger);
    // B has the first slice, A the second; then A's shelf is full, and a reader of its own continues here.
    await b.ledger.owed(mailing, FRONT, NOW, wanted("all", [], new Set(), 4));
    keep(await main.read(NOW, wanted("all", [], known, 4)));
    const shelf = main.copy();
    // B leaves, as in every upgrade.
    await b.nodes.leave(NOW);
    for (let n = 0; n < 5; n++) {
      keep(await main.read(NOW, wanted("all", ["slow.example"], known)));
      main.again("deferred");
    }
    for (let n = 0; n < 5; n++) keep(await shelf.read(NOW, wanted("only", ["slow.example"], known)));
    // The shelf is empty; nothing is left out any more.
    for (let n = 0; n < 5; n++) {
      keep(await main.read(NOW, wanted("all", [], known)));
      main.again("deferred");
    }
    expect(messages.filter((number) => !known.has(number))).toEqual([]);
  });

  test("and of its deferred messages, although the readers are beyond their times", async () => {
    const [a, b] = [await join(), await join()];
    const { mailing, messages } = await opened.make("deferred", 8);
    await opened.run(
      `UPDATE deliveries SET address = replace(address, 'example.com', 'slow.example') WHERE mailing = ${mailing} AND seq % 2 = 0`,
    );
    const defer = async (which: readonly number[], at: number): Promise<void> => {
      for (const message of which) {
        const later = { state: "queued", reason: "TEMPORARY", reply: null, nextAttemptAt: at } as const;
        await b.ledger.settle(message, later, NOW, null, "bulk");
      }
    };
    const known = new Set<number>();
    const keep = (read: { messages: readonly { number: number }[] }) =>
      read.messages.forEach(({ number }) => known.add(number));
    await defer(messages.slice(0, 4), NOW + 1_000);
    await b.ledger.owed(mailing, FRONT, NOW + 1_500, wanted("all", [], new Set()));
    await defer(messages.slice(4), NOW + 2_000);
    const main = new OwedReader(mailing, a.ledger);
    keep(await main.read(NOW + 3_000, wanted("all", [], known)));
    expect(known).toEqual(new Set(messages.slice(4)));
    const shelf = main.copy();
    await b.nodes.leave(NOW);
    // With a limited domain neither of them begins again: that would read all that waits each time.
    for (let n = 0; n < 2; n++) keep(await main.read(NOW + 4_000, wanted("all", ["slow.example"], known)));
    for (let n = 0; n < 2; n++) keep(await shelf.read(NOW + 4_000, wanted("only", ["slow.example"], known)));
    expect(messages.filter((number) => !known.has(number))).toEqual([]);
  });

  test("are read although the database fails just after one was taken", async () => {
    let failsAfterTake = false;
    let fails = false;
    const a = await join((db) => ({
      ...db,
      write: async (work) => {
        const value = await db.write(work);
        if (failsAfterTake) [failsAfterTake, fails] = [false, true];
        return value;
      },
      read: async (work) => {
        if (fails) {
          fails = false;
          throw new StorageError("unreachable", new Error("cut"));
        }
        return await db.read(work);
      },
    }));
    const b = await join();
    const { mailing, messages } = await opened.make("cut", 8);
    const known = new Set<number>();
    const keep = (read: { messages: readonly { number: number }[] }) =>
      read.messages.forEach(({ number }) => known.add(number));
    const main = new OwedReader(mailing, a.ledger);
    await b.ledger.owed(mailing, FRONT, NOW, wanted("all", [], new Set(), 4));
    keep(await main.read(NOW, wanted("all", [], known, 4)));
    await b.nodes.leave(NOW);
    failsAfterTake = true;
    for (let n = 0; n < 5; n++) {
      await main.read(NOW, wanted("all", [], known)).then(keep, () => undefined);
      main.again("deferred");
    }
    expect(messages.filter((number) => !known.has(number))).toEqual([]);
  });

  test("a settling that comes late takes no other node's dot back", async () => {
    const [a, b] = [await join(), await join()];
    const { mailing, messages } = await opened.make("late", 1);
    const [message] = messages as [number];
    await claimDot(a.ledger, message, a.run, NOW);
    const later = { state: "queued", reason: "TEMPORARY", reply: null, nextAttemptAt: NOW + 60_000 } as const;
    await a.ledger.settle(message, later, NOW, null, "bulk");
    expect(await claimDot(b.ledger, message, b.run, NOW + 60_000)).toBe("dot");
    // The answer was lost, so the recorder writes the outcome again.
    await a.ledger.settle(message, later, NOW + 61_000, null, "bulk");
    expect(await opened.values(`SELECT state FROM deliveries WHERE mailing = ${mailing}`)).toEqual(["dot"]);
  });

  test("a node shows that it lives while everybody else waits for the database", async () => {
    const a = await join();
    const { open } = a;
    const release = Promise.withResolvers<void>();
    const locker = new SQL({ url: opened.url, max: 1 });
    const has = Promise.withResolvers<void>();
    const locked = locker.begin(async (tx) => {
      await tx.unsafe("SELECT FROM workspaces FOR UPDATE");
      has.resolve();
      await release.promise;
    });
    await has.promise;
    // Writes leave one connection to reads.
    const waiting = Array.from({ length: 7 }, (_, n) =>
      open[n === 0 ? "read" : "write"]((tx) => tx.row("SELECT FROM workspaces FOR UPDATE")),
    );
    for (;;) {
      const n = Number(
        (
          await opened.values(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        )[0],
      );
      if (n >= 7) break;
      await Bun.sleep(10);
    }
    const beat = a.ledger.beat(NOW).then(() => "alive");
    // Otherwise it waits like everybody else, until the test's own limit.
    expect(await beat).toBe("alive");
    release.resolve();
    await Promise.all([locked, ...waiting]);
    await locker.close();
  });

  test("a node that comes back together with its database does not fence itself", async () => {
    const a = await join();
    const { messages } = await opened.make("own", 1);
    expect(await claimDot(a.ledger, messages[0]!, a.run, NOW)).toBe("dot");
    // The database was away for longer than a lease. Of the two duties, the sweep comes first.
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${a.run}`);
    const uncertain = await a.ledger.sweep(NOW);
    const beat = await a.ledger.beat(NOW).then(
      () => "goes on",
      (error: unknown) => String(error),
    );
    expect({ uncertain, beat }).toEqual({ uncertain: 0, beat: "goes on" });
  });
});
