/**
 * A network may lose some connections of a node and keep the others. Then its heart beats, and its work waits forever.
 * Such a node must end; one whose statements take long must not.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { Unanswered } from "#core/errors/fenced.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { databaseRecord } from "#storage/postgres/run/database-record.ts";
import { startHeart } from "#storage/postgres/run/heart.ts";
import { takeOver } from "#storage/postgres/run/takeover.ts";
import { SILENT_LOG } from "../../../support/common/silent-log.ts";
import { partitionTo, type Partition } from "../../../support/chaos/partition.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { temporaryDirectory } from "../../../support/server/postrider.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

/** A beat is one of the clock's 10 milliseconds, which only the test moves: PostgreSQL is that much slower. */
const LEASE_MS = 50;
const BEAT_MS = 10;
/** A minute, at a lease of 15 seconds. */
const BEATS_UNTIL_LOST = 20;
/** PostgreSQL has worked on a statement for long, at this lease. */
const LONG_MS = 150;
const CONNECTIONS = 7;

const PORT = "SELECT inet_client_port()::int4 AS port";

const places = temporaryDirectory();

describe.skipIf(await lacksPostgres())("a node whose network loses connections", () => {
  const homes: TestDatabase[] = [];
  let beside: SQL;
  let network: Partition;
  const open: PostgresDatabase[] = [];

  beforeAll(async () => {
    const home = await migratedDatabase();
    homes.push(home);
    beside = new SQL({ url: home.url, max: 2 });
    network = await partitionTo(Number(new URL(home.url).port));
  });
  afterAll(async () => {
    network.stop();
    await Promise.all([beside.close(), ...open.map((database) => database.close())]);
    await Promise.all(homes.map(({ drop }) => drop()));
    places.remove();
  });

  /** Each has a database of its own: none takes another's lease for over. */
  async function startNode() {
    const home = await migratedDatabase();
    homes.push(home);
    const through = Object.assign(new URL(home.url), { hostname: "127.0.0.1", port: String(network.port) });
    const database = await openPostgres(through.href, {
      clock: systemClock,
      random: seededRandom(homes.length),
    });
    open.push(database);
    const clock = manualClock();
    const own = ownNode(clock, { name: "test", version: "0", leaseMs: LEASE_MS });
    const nodes = registry(database, own, clock);
    const record = databaseRecord(join(mkdtempSync(join(places.path, "node-")), "database.json"));
    const how = { record, trustsFailover: false };
    const { seen } = await takeOver(database, nodes, systemClock.now(), how);
    const heart = startHeart({ database, registry: nodes, clock, log: SILENT_LOG, record, seen });
    const ended: Error[] = [];
    void heart.lost.then((error) => ended.push(error));
    return {
      database,
      ended,
      /** Its clock goes on, and after each beat PostgreSQL has answered what the beat asked. */
      async live(beats: number): Promise<void> {
        for (let beat = 0; beat < beats && ended.length === 0; beat++) {
          // PostgreSQL counts its work by its own clock: if the node's went faster, a slow commit would look like a lost one.
          await Bun.sleep(BEAT_MS);
          clock.advance(BEAT_MS);
          // On a busy machine one connection may be slower than another, and the clock of the node must wait for both.
          // The first is behind what the beat asked, and what it asked then is before the second.
          for (let turn = 0; turn < 3; turn++)
            for (const { read } of [database.watch, database.apart]) await read(({ row }) => row("SELECT"));
        }
      },
    };
  }

  type Node = Awaited<ReturnType<typeof startNode>>;

  const portOf = async (session: Parameters<Parameters<PostgresDatabase["read"]>[0]>[0]): Promise<number> =>
    present(await session.row<{ port: number }>(PORT), "port").port;

  /** A write whose connection is lost after its first statement. Returns when its second is on the way. */
  async function loseAWrite({ database }: Node, how: "write" | "writeOften" = "write"): Promise<void> {
    const asked = Promise.withResolvers<void>();
    void database[how](async (tx) => {
      network.silence(await portOf(tx));
      const answer = tx.row("SELECT");
      asked.resolve();
      await answer;
    }).catch(() => undefined);
    await asked.promise;
  }

  const countAtWork = (mark: string) => async (): Promise<number> => {
    const [found]: { n: number }[] = await beside.unsafe(
      `SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'active'
       AND query LIKE '%${mark}%' AND query_start < clock_timestamp() - interval '${LONG_MS} ms'`,
    );
    return present(found, "count").n;
  };

  const cancel = (mark: string) =>
    beside.unsafe(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%${mark}%'`,
    );

  for (const how of ["write", "writeOften"] as const)
    test(`a node ends if one connection of its pool is lost in the middle of a ${how}, and its heart beats`, async () => {
      const node = await startNode();
      await loseAWrite(node, how);
      await node.live(BEATS_UNTIL_LOST - 1);
      expect(node.ended).toEqual([]);
      await node.live(2);
      expect(node.ended).toEqual([expect.any(Unanswered)]);
    });

  test("a node ends if connections are lost that nothing uses, as soon as something asked on them for a minute", async () => {
    const node = await startNode();
    const found = Promise.withResolvers<void>();
    const ports = new Set<number>();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, n) =>
        // Writes leave one to reads.
        node.database[n === 0 ? "snapshot" : "write"](async (tx) => {
          if (ports.add(await portOf(tx)).size === CONNECTIONS) found.resolve();
          await found.promise;
        }),
      ),
    );
    for (const port of ports) network.silence(port);
    await node.live(3 * BEATS_UNTIL_LOST);
    // A duty of the node asks on them: nothing else has to.
    expect(node.ended).toEqual([expect.any(Unanswered)]);
  });

  test("a node whose statements take long, or wait for a lock or a connection, goes on", async () => {
    const node = await startNode();
    const { database, ended, live } = node;
    const key = 4_711;
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = beside.begin(async (tx) => {
      await tx.unsafe("SELECT pg_advisory_xact_lock($1)", [key]);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const lockers = Array.from({ length: 2 }, () =>
      database
        .write((tx) => tx.row("SELECT pg_advisory_xact_lock($1), 'takes long'", [key]))
        .catch((error: Error) => error),
    );
    const sleepers = Array.from({ length: 2 * CONNECTIONS }, () =>
      database.read(({ row }) => row("SELECT pg_sleep(600), 'takes long'")).catch((error: Error) => error),
    );
    const areLong = countAtWork("takes long");
    await eventually(async () => (await areLong()) === CONNECTIONS);
    await live(10 * BEATS_UNTIL_LOST);
    expect(ended).toEqual([]);
    held.resolve();
    await holder;
    const ends = Promise.all([...lockers, ...sleepers]);
    let isOver = false;
    void ends.then(() => (isOver = true));
    await eventually(async () => {
      await cancel("takes long");
      return isOver;
    });
    for (let beat = 0; beat < 3 * BEATS_UNTIL_LOST; beat++) {
      await live(1);
      await Promise.all(Array.from({ length: CONNECTIONS }, () => database.read(({ row }) => row("SELECT"))));
    }
    expect(ended).toEqual([]);
  });

  test("a node goes on behind a pooler that puts the client's port behind the name of each connection", async () => {
    const node = await startNode();
    const renamed = `SELECT set_config('application_name',
      current_setting('application_name') || ' - 10.0.0.1:' || inet_client_port(), false)`;
    await node.database.watch.read(({ row }) => row(renamed));
    const long = node.database
      .write(async (tx) => {
        await tx.row(renamed);
        await tx.row("SELECT pg_sleep(600), 'is renamed'");
      })
      .catch(() => null);
    const isLong = countAtWork("is renamed");
    await eventually(async () => (await isLong()) === 1);
    await node.live(2 * BEATS_UNTIL_LOST);
    expect(node.ended).toEqual([]);
    await cancel("is renamed");
    await long;
  });

  test("a node ends if a connection is lost while another of its statements takes long", async () => {
    const node = await startNode();
    const long = node.database.read(({ row }) => row("SELECT pg_sleep(600), 'goes on'")).catch(() => null);
    const isLong = countAtWork("goes on");
    await eventually(async () => (await isLong()) === 1);
    await loseAWrite(node);
    await node.live(2 * BEATS_UNTIL_LOST);
    expect(node.ended).toEqual([expect.any(Unanswered)]);
    await cancel("goes on");
    await long;
  });
});
