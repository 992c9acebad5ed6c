/** What a server that was killed has left: a log that may be that of another database, and a file that may be damaged. */
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { takeOverDatabase } from "#app/database.ts";
import { takeBack } from "#app/move.ts";
import { openServices } from "#app/services.ts";
import { inspectDatabase } from "#storage/sqlite/files/inspect.ts";
import { restoreDatabase } from "#storage/sqlite/files/restore.ts";
import { database, hasOwnHome, home, run, world, write } from "../support/storage/server-runs.ts";

hasOwnHome();

const MAYBE_DAMAGED =
  /is damaged, or its disk cannot be read \([^]*\)\. Nothing was changed or sent\. Run `postrider doctor`\. .* only if/;

describe("a log that another database's server has left", () => {
  /** A server is killed after its backup was made, and that is copied over its file by hand. */
  async function copiedByHand(): Promise<{ backup: Buffer; wal: Buffer }> {
    const { backup, wal } = await leftByKill();
    writeFileSync(database, backup);
    writeFileSync(`${database}-wal`, wal);
    return { backup, wal };
  }

  async function leftByKill(): Promise<{ backup: Buffer; wal: Buffer }> {
    const left = { backup: Buffer.alloc(0), wal: Buffer.alloc(0) };
    await run(async (services) => {
      await write(services);
      services.database.sqlite.prepare("VACUUM INTO ?").run(`${home.path}/backup.db`);
      left.backup = readFileSync(`${home.path}/backup.db`);
      await write(services);
      left.wal = readFileSync(`${database}-wal`);
    });
    expect(left.wal.length).toBeGreaterThan(0);
    return left;
  }

  test("is not applied to a backup that was copied over the file: nothing starts or reads it, and nothing is changed", async () => {
    const { backup, wal } = await copiedByHand();
    const refused = /postrider\.db-wal is the log of another database.*postrider restore/;
    expect(() => openServices(home.path, world)).toThrow(refused);
    expect(() => inspectDatabase(database, "quick")).toThrow(refused);
    expect(readFileSync(database).equals(backup)).toBe(true);
    expect(readFileSync(`${database}-wal`).equals(wal)).toBe(true);
  });

  test("is taken away by a restore of that file, as the message says", async () => {
    const { backup } = await copiedByHand();
    renameSync(database, `${home.path}/copy.db`);
    restoreDatabase(`${home.path}/copy.db`, database, false);
    expect(readdirSync(home.path)).not.toContain("postrider.db-wal");
    const { holdReason: why } = await run(({ database: { sqlite } }) => {
      expect(sqlite.query("SELECT count(*) FROM workspaces").values()).toEqual([[1]]);
    });
    expect(why).toContain("no run record");
    expect(readFileSync(`${home.path}/copy.db`).equals(backup)).toBe(true);
  });

  test("is no part of what a restore takes over from the file that it replaces", async () => {
    const { backup } = await copiedByHand();
    const { optOuts } = restoreDatabase(`${home.path}/backup.db`, database, true);
    expect(optOuts).toBeNull();
    expect(readFileSync(`${database}.replaced`).equals(backup)).toBe(true);
  });

  test("is applied to the database that it belongs to", async () => {
    await run(write);
    let [file, wal] = [Buffer.alloc(0), Buffer.alloc(0)];
    await run(async (services) => {
      await write(services);
      [file, wal] = [readFileSync(database), readFileSync(`${database}-wal`)];
    });
    writeFileSync(database, file);
    writeFileSync(`${database}-wal`, wal);
    await run(({ database: { sqlite } }) => {
      expect(sqlite.query("SELECT count(*) FROM workspaces").values()).toEqual([[2]]);
    }, true);
  });
});

describe("a data directory", () => {
  /** Its database has one bad page. Returns what is in the file then. */
  async function damaged(): Promise<Buffer> {
    let page = 0;
    await run(async (services) => {
      await write(services);
      const root = "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'consent_log'";
      page = services.database.sqlite.query<{ page: number }, []>(root).get()!.page;
    });
    const pages = readFileSync(database);
    pages.fill(0xff, (page - 1) * 4096, page * 4096);
    writeFileSync(database, pages);
    return pages;
  }

  test("is looked over after an end that was not clean, and a damaged database is refused unchanged", async () => {
    const pages = await damaged();
    const services = openServices(home.path, world);
    const lock = { lastEndWasClean: false, release: () => undefined };
    const refused: unknown = await takeOverDatabase(services, world, lock).catch((error: unknown) => error);
    expect(String(refused)).toMatch(MAYBE_DAMAGED);
    services.database.sqlite.close();
    // A move looks it over too, and for it the last server never ended.
    writeFileSync(`${home.path}/server.json`, "{}");
    const moved: unknown = await takeBack(home.path, null, world).catch((error: unknown) => error);
    expect(String(moved)).toMatch(MAYBE_DAMAGED);
    expect(readFileSync(database).equals(pages)).toBe(true);
  });

  /** A database above 1 GB with a damaged page, of a server that was killed: what the next start says of it. */
  async function largeAfterKill(change: () => void, changedAt: Date | null = null): Promise<unknown> {
    await damaged();
    change();
    // SQLite reads as many pages as its header says.
    truncateSync(database, 1_100_000_000);
    const services = openServices(home.path, world);
    try {
      await write(services);
      if (changedAt !== null) utimesSync(database, changedAt, changedAt);
      const lock = { lastEndWasClean: false, release: () => undefined };
      return await takeOverDatabase(services, world, lock).catch(String);
    } finally {
      services.database.sqlite.close();
    }
  }

  test("above 1 GB is looked over only where its log may be another file's: else a start would take too long", async () => {
    expect(await largeAfterKill(() => undefined)).toMatchObject({ holdReason: null });
  });

  test("above 1 GB is looked over where it is another file than the one that was used last", async () => {
    const copied = (): void => {
      copyFileSync(database, `${home.path}/copy`);
      renameSync(`${home.path}/copy`, database);
    };
    expect(await largeAfterKill(copied)).toMatch(MAYBE_DAMAGED);
  });

  test("above 1 GB is looked over where the file was changed long after its log", async () => {
    const later = new Date(Date.now() + 600_000);
    expect(await largeAfterKill(() => undefined, later)).toMatch(MAYBE_DAMAGED);
  });
});
