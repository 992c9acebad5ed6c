/** Somebody's psql with an open transaction has locked what this process wants to write. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { StorageError } from "#core/errors/storage-error.ts";
import { systemClock } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { lockWatch, type WatchParts } from "#storage/postgres/run/heart-watches.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NAME = "someone's psql";
const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
const CHANGE = "UPDATE workspaces SET created_at = created_at";

describe.skipIf(await lacksPostgres())("a lock of another program", () => {
  let home: TestDatabase;
  let database: PostgresDatabase;
  let beside: SQL;
  let lines: string[] = [];
  const clock = manualClock();
  const log = createLog({
    level: "warn",
    format: "json",
    clock: systemClock,
    write: (line) => void lines.push(line),
  });

  beforeAll(async () => {
    home = await migratedDatabase();
    beside = new SQL({ url: home.url, max: 2, connection: { application_name: NAME } });
    await beside.unsafe("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
    // A role's own limit may be shorter, or none.
    await beside.unsafe(`ALTER DATABASE "${new URL(home.url).pathname.slice(1)}" SET lock_timeout = 1`);
    database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1) });
  });
  afterAll(async () => {
    await Promise.all([database.close(), beside.close()]);
    await home.drop();
  });

  /** Runs `work` while the row is locked. */
  async function whileLocked(work: (pid: number) => Promise<void>): Promise<void> {
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM workspaces FOR UPDATE");
      const [{ pid }] = await tx.unsafe("SELECT pg_backend_pid() AS pid");
      await work(pid);
    });
  }
  const waiting = async (): Promise<number> => (await beside.unsafe(WAITING)).length;

  test("is waited for no longer than half a minute, on every connection", async () => {
    const limit = "SELECT current_setting('lock_timeout') AS limit";
    for (const { read } of [database, database.apart, database.watch])
      expect(await read(({ row }) => row(limit))).toEqual({ limit: "30s" });
    // Messages share a transaction there.
    expect(await database.writeOften((tx) => tx.row(limit))).toEqual({ limit: "8s" });
  });

  test("ends who waits too long, and is no fault of the database", async () => {
    await whileLocked(async () => {
      const write = database.write(async (tx) => {
        await tx.run("SET LOCAL lock_timeout = 1");
        await tx.run(CHANGE);
      });
      const error: unknown = await write.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StorageError);
      expect(error).toMatchObject({ trouble: "locked" });
      expect(database.faults.current).toBeNull();
    });
  });

  test("does not keep anybody from reading, however many wait for it", async () => {
    let writes: Promise<number>[] = [];
    await whileLocked(async () => {
      writes = Array.from({ length: 12 }, () => database.write((tx) => tx.run(CHANGE)));
      await eventually(async () => (await waiting()) >= 6);
      expect(await database.read(({ row }) => row("SELECT 1 AS one"))).toEqual({ one: 1 });
      expect(await database.snapshot(({ row }) => row("SELECT 1 AS one"))).toEqual({ one: 1 });
    });
    expect(await Promise.all(writes)).toEqual(Array(12).fill(1));
  });

  test("is named in the log, once a minute", async () => {
    const watch = lockWatch({ database, clock, log } as unknown as WatchParts);
    await whileLocked(async (pid) => {
      const write = database.write((tx) => tx.run(CHANGE));
      await eventually(async () => (await waiting()) === 1);
      const after = async (checks: number): Promise<unknown[]> => {
        lines = [];
        for (let check = 0; check < checks; check++)
          await database.awaited.check(1, () => Promise.resolve(99));
        await watch();
        return lines.map((line) => (JSON.parse(line) as { who: string }).who);
      };
      expect(await after(1)).toEqual([]);
      expect(await after(1)).toEqual([`process ${pid} of ${NAME} as ${new URL(home.url).username}`]);
      expect(await after(1)).toEqual([]);
      clock.advance(60_001);
      expect(await after(1)).toEqual([`process ${pid} of ${NAME} as ${new URL(home.url).username}`]);
      void write;
    });
    await eventually(async () => (await waiting()) === 0);
  });
});
