/** When a database goes on as it is, and when its sends are held: its file against the record of its last server. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { openServices, type SqliteServices } from "#app/services.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import { inspectDatabase } from "#storage/sqlite/files/inspect.ts";
import { holdReason, type RunRecord } from "#storage/sqlite/run/run-record.ts";
import { database, hasOwnHome, home, run, world, write } from "../support/storage/server-runs.ts";

hasOwnHome();

const recordPath = () => `${home.path}/run.json`;
function changeRecord(change: (record: { run: number; file: string }) => object): void {
  writeFileSync(recordPath(), JSON.stringify(change(JSON.parse(readFileSync(recordPath(), "utf8")))));
}

test("a database that is a link to a file of an earlier restore's name stays", async () => {
  await run(write);
  renameSync(database, `${database}.replaced-2`);
  symlinkSync(`${database}.replaced-2`, database);
  await run(({ database: { sqlite } }) => {
    expect(sqlite.query("SELECT count(*) FROM workspaces").values()).toEqual([[1]]);
  });
  expect(readdirSync(home.path)).toContain("postrider.db.replaced-2");
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
