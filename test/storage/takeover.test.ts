import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { lockServer, serverOf, takeOverDatabase, type Takeover } from "#app/database.ts";
import { takeBack } from "#app/move.ts";
import { openServices, type SqliteServices, type World } from "#app/services.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import { inspectDatabase } from "#storage/sqlite/files/inspect.ts";
import { restoreDatabase } from "#storage/sqlite/files/restore.ts";
import { holdReason, type RunRecord } from "#storage/sqlite/run/run-record.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";

const world: World = { clock: systemClock, random: systemRandom, log: SILENT_LOG };

let home: ReturnType<typeof temporaryDirectory>;
let database = "";
beforeEach(() => {
  home = temporaryDirectory();
  database = `${home.path}/postrider.db`;
});
afterEach(() => home.remove());

/** A server's start and end around `work`, as `serve` does it. `killed`: without the end. */
async function run(
  work: (services: SqliteServices, takeover: Takeover) => Promise<void> | void,
  killed = false,
): Promise<Takeover> {
  const lock = unwrap(lockServer(home.path, world.clock.now()));
  const services = openServices(home.path, world);
  try {
    const takeover = await takeOverDatabase(services, world, lock);
    await work(services, takeover);
    if (!killed) await takeover.beat(world.clock.now());
    return takeover;
  } finally {
    await services.close();
    lock.release();
  }
}

const recordPath = () => `${home.path}/run.json`;
function changeRecord(change: (record: { run: number; file: string }) => object): void {
  writeFileSync(recordPath(), JSON.stringify(change(JSON.parse(readFileSync(recordPath(), "utf8")))));
}

const write = async (services: SqliteServices): Promise<void> => {
  await services.workspaces.create("Ada's");
};

test("a database that is a link to a file of an earlier restore's name stays", async () => {
  await run(write);
  renameSync(database, `${database}.replaced-2`);
  symlinkSync(`${database}.replaced-2`, database);
  await run(({ database: { sqlite } }) => {
    expect(sqlite.query("SELECT count(*) FROM workspaces").values()).toEqual([[1]]);
  });
  expect(readdirSync(home.path)).toContain("postrider.db.replaced-2");
});

test("two data directories with links to one database have one server", async () => {
  await run(write);
  const others = [temporaryDirectory(), temporaryDirectory()];
  const now = world.clock.now();
  for (const { path } of others) symlinkSync(database, `${path}/postrider.db`);
  const [one, two] = others.map(({ path }) => path) as [string, string];
  for (const [first, second] of [
    [one, two],
    [one, home.path],
    [home.path, one],
  ] as const) {
    const lock = unwrap(lockServer(first, now));
    expect(lockServer(second, now)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining(`${second} is in use by another Postrider server`) },
    });
    expect([serverOf(second) === null, serverOf(first) === null]).toEqual([false, false]);
    lock.release();
    expect(serverOf(second)).toBeNull();
  }
  for (const other of others) other.remove();
});

test("two databases in one directory, each with a data directory that has a link to it, have a server each", async () => {
  await run(write);
  const [one, other] = [temporaryDirectory(), temporaryDirectory()];
  copyFileSync(database, `${home.path}/other.db`);
  symlinkSync(database, `${one.path}/postrider.db`);
  symlinkSync(`${home.path}/other.db`, `${other.path}/postrider.db`);
  const now = world.clock.now();
  const locks = [unwrap(lockServer(one.path, now)), unwrap(lockServer(other.path, now))];
  expect([one, home, other].map(({ path }) => lockServer(path, now).ok)).toEqual([false, false, false]);
  for (const lock of locks) lock.release();
  expect([serverOf(one.path), serverOf(other.path)]).toEqual([null, null]);
  one.remove();
  other.remove();
});

test("a data directory has one server, also if its link is another one by now", async () => {
  await run(write);
  const other = temporaryDirectory();
  const now = world.clock.now();
  symlinkSync(database, `${other.path}/postrider.db`);
  const lock = unwrap(lockServer(other.path, now));
  rmSync(`${other.path}/postrider.db`);
  expect([lockServer(other.path, now).ok, serverOf(other.path) === null]).toEqual([false, false]);
  lock.release();
  unwrap(lockServer(other.path, now)).release();
  other.remove();
});

test("what a restore that was killed has left is taken away by the next server", async () => {
  await run(write);
  for (const end of ["", "-wal", "-shm"]) writeFileSync(`${database}.part${end}`, "cut off");
  await run(() => undefined);
  expect(readdirSync(home.path).filter((name) => name.includes(".part"))).toEqual([]);
});

test.each(["gone", "empty"])(
  "where a server had a database that is %s now, no new one is made: it would have nobody in it",
  async (what) => {
    await run(write);
    const away = `${home.path}/away`;
    renameSync(database, away);
    if (what === "empty") writeFileSync(database, "");
    const before = readdirSync(home.path);
    expect(() => openServices(home.path, world)).toThrow(/gone or empty.*postrider restore.*To begin anew/);
    expect(readdirSync(home.path)).toEqual(before);
    renameSync(away, database);
    expect((await run(write)).holdReason).toBeNull();
    rmSync(database);
    rmSync(recordPath());
    await run(({ database: { sqlite } }) => {
      expect(sqlite.query("SELECT count(*) FROM workspaces").values()).toEqual([[0]]);
    });
  },
);

describe("a database is held", () => {
  test("never in the ordinary course: first start, restarts, a kill", async () => {
    expect((await run(write)).holdReason).toBeNull();
    expect((await run(write)).holdReason).toBeNull();
    expect((await run(write, true)).holdReason).toBeNull();
    expect((await run(() => undefined)).holdReason).toBeNull();
  });

  test("when a copy is put back in its place after its original went on", async () => {
    await run(write);
    copyFileSync(database, `${home.path}/copy`);
    await run(write);
    writeFileSync(database, readFileSync(`${home.path}/copy`));
    expect((await run(() => undefined)).holdReason).toContain("older than its run record");
    expect((await run(() => undefined)).holdReason).toBeNull();
  });

  test("and gives its new messages numbers that its original did not give", async () => {
    const lastNumber = (): unknown => {
      using sqlite = new Database(database);
      return sqlite.query("SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'").values()[0]?.[0];
    };
    await run(write);
    expect(lastNumber()).toBeUndefined();
    rmSync(`${home.path}/run.json`);
    await run(() => undefined);
    expect(lastNumber()).toBe(NUMBERS_LEFT_OUT);
    rmSync(`${home.path}/run.json`);
    await run(() => undefined);
    expect(lastNumber()).toBe(2 * NUMBERS_LEFT_OUT);
    await run(() => undefined);
    expect(lastNumber()).toBe(2 * NUMBERS_LEFT_OUT);
  });

  test("when the copy was made while the original ran, as soon as the record moved on", async () => {
    await run(async (services, takeover) => {
      await write(services);
      services.database.sqlite.prepare("VACUUM INTO ?").run(`${home.path}/copy`);
      await write(services);
      await takeover.beat(world.clock.now());
    }, true);
    const copy = new Database(`${home.path}/copy`);
    copy.run("PRAGMA journal_mode = WAL");
    copy.close();
    writeFileSync(database, readFileSync(`${home.path}/copy`));
    expect((await run(() => undefined)).holdReason).toContain("older than its run record");
  });

  test("when it is another file, or has no record", async () => {
    await run(write);
    // The first file stays, so that its number is not given to the second.
    renameSync(database, `${home.path}/first`);
    copyFileSync(`${home.path}/first`, database);
    expect((await run(() => undefined)).holdReason).toContain("not the one its run record");
    rmSync(`${home.path}/run.json`);
    expect((await run(() => undefined)).holdReason).toContain("no run record");
  });

  test("when it is a copy that has its original's number, as a file on another disk may have", async () => {
    await run(write);
    await run(write);
    copyFileSync(database, `${home.path}/copy`);
    renameSync(database, `${home.path}/first`);
    renameSync(`${home.path}/copy`, database);
    changeRecord((record) => ({ ...record, file: statSync(database).ino.toString() }));
    expect((await run(() => undefined)).holdReason).toContain("not the one its run record");
    expect((await run(() => undefined)).holdReason).toBeNull();
  });

  test("and does not start while a pipe is in the place of its record: it would wait for ever", async () => {
    await run(write);
    rmSync(recordPath());
    Bun.spawnSync(["mkfifo", recordPath()]);
    expect(await run(() => undefined).catch(String)).toContain("run.json is no regular file: remove it");
    rmSync(recordPath());
    expect((await run(() => undefined)).holdReason).toContain("no run record");
  });

  test("but not for a record of an earlier version, which did not say when the file was made", async () => {
    await run(write);
    changeRecord(({ run: highest, file }) => ({ run: highest, file }));
    expect((await run(write)).holdReason).toBeNull();
    const { birthtimeNs } = statSync(database, { bigint: true });
    expect(JSON.parse(readFileSync(recordPath(), "utf8")).born).toBe(birthtimeNs.toString());
  });

  test("and says of as many things that they are held as a restore lists", async () => {
    await run(async (services) => {
      await write(services);
      const { sqlite } = services.database;
      sqlite.run(`INSERT INTO automations (id, workspace, name, status, created_at, updated_at) VALUES
        ('aut_live', 1, 'Live', 'LIVE', 1, 1), ('aut_paused', 1, 'Paused', 'PAUSED', 1, 1)`);
      sqlite.run(`INSERT INTO mailings (workspace, kind, source_id, phase, created_at, planned, queued) VALUES
        (1, 'automation', 'aut_live:one', 'sending', 1, 1, 1), (1, 'automation', 'aut_live:two', 'sending', 1, 1, 1),
        (1, 'automation', 'aut_paused:one', 'sending', 1, 1, 1), (1, 'confirmation', 'frm_idle', 'sending', 1, 1, 0),
        (1, 'campaign', 'cmp_idle', 'sending', 1, 1, 0)`);
    });
    rmSync(`${home.path}/run.json`);
    const listed = inspectDatabase(database, "quick").toBeHeld.map(({ id }) => id);
    expect(listed).toEqual(["aut_live", "aut_paused"]);
    const { held } = await run(({ database: { sqlite } }) => {
      expect(sqlite.query("SELECT DISTINCT held FROM mailings").values()).toEqual([[1]]);
    });
    expect(held).toBe(listed.length);
  });

  test("and nobody is signed in there, who may have been signed out in its original since", async () => {
    await run(async (services) => {
      await write(services);
      const { sqlite } = services.database;
      sqlite.run(
        "INSERT INTO sessions (id, user, hash, stays, created_at, last_seen_at) VALUES ('s', 1, x'01', 1, 0, 0)",
      );
      sqlite.run("INSERT INTO welcome_links (hash) VALUES (x'02')");
    });
    const left = "SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM welcome_links)";
    const seen = ({ database: { sqlite } }: SqliteServices) => sqlite.query(left).values()[0]?.[0];
    await run((services) => expect(seen(services)).toBe(2));
    rmSync(`${home.path}/run.json`);
    await run((services) => expect(seen(services)).toBe(0));
  });

  test("and leaves mailboxes to its original, each time, until a person sets them again", async () => {
    const url = "imaps://bounces:secret@imap.example.com/INBOX";
    const readBy = ({ workspaces }: SqliteServices) => workspaces.holders("bounceMailbox");
    const set = async ({ workspaces }: SqliteServices) =>
      workspaces.changeSettings(await workspaces.pick(undefined), { bounceMailbox: url });
    await run(write);
    await run(async (services) => {
      await set(services);
      expect(await readBy(services)).toHaveLength(1);
    });
    for (let copies = 0; copies < 2; copies++) {
      rmSync(`${home.path}/run.json`);
      const { held } = await run(async (services) => {
        expect(await readBy(services)).toEqual([]);
        await set(services);
      });
      expect(held).toBe(1);
      await run(async (services) => expect(await readBy(services)).toHaveLength(1));
    }
  });

  const record = { run: 7, file: "42", born: "1795809871014313231" };
  const untold = { ...record, born: null };
  const FITS: readonly (readonly [string, RunRecord | null, RunRecord, boolean])[] = [
    ["a new database without a record", null, { ...record, run: 0 }, true],
    ["a used database without a record", null, record, false],
    ["the same", record, record, true],
    ["newer than its record: killed before it was written", record, { ...record, run: 8 }, true],
    ["older", record, { ...record, run: 6 }, false],
    ["another file", record, { ...record, file: "43" }, false],
    ["another file with the same number", record, { ...record, born: "1795809871014313232" }, false],
    ["a disk that does not tell when files were made, and did", record, untold, false],
    ["a disk that tells it since", untold, record, true],
    ["a disk that never tells it", untold, untold, true],
    ["another file there", untold, { ...untold, file: "43" }, false],
    ["a new database beside an old record", record, { ...record, run: 0, file: "43" }, false],
  ];
  test.each(FITS)("by these rules: %s", (_, known, found, fits) => {
    expect(holdReason(known, found) === null).toBe(fits);
  });
});

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

describe("the run record", () => {
  test("is readable by its owner only, and stays where nothing was written", async () => {
    await run(() => undefined);
    const path = `${home.path}/run.json`;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await run(async (_, takeover) => {
      const before = readFileSync(path, "utf8");
      await takeover.beat(world.clock.now());
      expect(readFileSync(path, "utf8")).toBe(before);
    });
  });
});

const MAYBE_DAMAGED =
  /is damaged, or its disk cannot be read \([^]*\)\. Nothing was changed or sent\. Run `postrider doctor`\. .* only if/;

describe("a data directory", () => {
  test("has one server: the lock outlives the collector, and ends with its holder", () => {
    const lock = unwrap(lockServer(home.path, world.clock.now()));
    for (let i = 0; i < 5; i++) Bun.gc(true);
    const second = lockServer(home.path, world.clock.now());
    expect(second.ok ? "" : second.refusal.message).toContain(`process ${process.pid}`);
    expect(lock.lastEndWasClean).toBe(true);
    lock.release();
    unwrap(lockServer(home.path, world.clock.now())).release();
  });

  test("is looked over after an end that was not clean, and a damaged database is refused unchanged", async () => {
    let page = 0;
    await run(async (services) => {
      await write(services);
      const root = "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'consent_log'";
      page = services.database.sqlite.query<{ page: number }, []>(root).get()!.page;
    });
    const pages = readFileSync(database);
    pages.fill(0xff, (page - 1) * 4096, page * 4096);
    writeFileSync(database, pages);
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
    let page = 0;
    await run(async (services) => {
      await write(services);
      const root = "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'consent_log'";
      page = services.database.sqlite.query<{ page: number }, []>(root).get()!.page;
    });
    const pages = readFileSync(database);
    pages.fill(0xff, (page - 1) * 4096, page * 4096);
    writeFileSync(database, pages);
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
