import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCheckpoints } from "#app/database.ts";
import { systemClock } from "#core/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";

let folder: string;
let database: SqliteDatabase;
const logLines: string[] = [];
const log = createLog({
  level: "info",
  format: "json",
  clock: systemClock,
  write: (line) => logLines.push(line),
});
const start = () =>
  startCheckpoints({ database } as Parameters<typeof startCheckpoints>[0], {
    clock: systemClock,
    random: systemRandom,
    log,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  database = openSqlite(folder, systemClock, systemRandom);
  database.sqlite.run("CREATE TABLE pages (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  logLines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "postrider.db");
/** About 60 pages of the log, one of them in the database file once it is carried over. */
const write = (text: string) =>
  database.writes.write(() => {
    for (let i = 0; i < 60; i++)
      database.sqlite.run("INSERT INTO pages (text) VALUES (?)", [text.repeat(4_000)]);
  });
const count = (sqlite: Database) =>
  sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM pages").get()!.n;

test("what is committed reaches the database file, although no commit carries it there", async () => {
  const checkpoints = start();
  await write("a");
  const before = statSync(path()).size;
  while (statSync(path()).size === before) await new Promise((resolve) => setImmediate(resolve));
  expect(count(database.sqlite)).toBe(60);
  await checkpoints.stop();
  await database.close();
});

test("ending in the middle of writing leaves one whole file, and nothing in the log", async () => {
  const checkpoints = start();
  const written = Promise.all(
    Array.from({ length: 40 }, (_, i) => write(String.fromCharCode(97 + (i % 26)))),
  );
  await Promise.all([written, checkpoints.stop()]);
  await database.close();
  expect(statSync(`${path()}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const reopened = new Database(path());
  expect(count(reopened)).toBe(40 * 60);
  expect(reopened.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  reopened.close();
});

test("a database where nothing is written is left alone", async () => {
  const checkpoints = start();
  await checkpoints.stop();
  expect(logLines).toEqual([]);
  await database.close();
});

test("while the thread works SQLite's own checkpoints stay far behind it", async () => {
  const checkpoints = start();
  const pages = Object.values(database.sqlite.query("PRAGMA wal_autocheckpoint").get() as object)[0];
  expect(pages).toBeGreaterThan(16_384);
  await checkpoints.stop();
  await database.close();
});

test("a log that has grown long begins anew, and what is written meanwhile waits for it", async () => {
  const checkpoints = start();
  const frames = () =>
    database.sqlite.query<{ log: number }, []>("PRAGMA wal_checkpoint(PASSIVE)").get()!.log;
  const longest = 16_384 * 4_120;
  while (statSync(`${path()}-wal`).size < longest)
    await Promise.all(Array.from({ length: 20 }, () => write("a")));
  const rows = count(database.sqlite);
  // Were it never begun anew, this would have no end.
  while (frames() >= 16_384) await write("b");
  expect(count(database.sqlite)).toBeGreaterThanOrEqual(rows);
  await checkpoints.stop();
  await database.close();
});
