import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCheckpoints } from "#app/database.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { startCheckpoints as checkpointsOf } from "#storage/sqlite/upkeep/checkpoints.ts";
import { checkpointsOnceLong } from "#storage/sqlite/upkeep/late-checkpoints.ts";
import { startCheckpointThread } from "#threads.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";

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
/** About a page of the log for each row, and one of the database file once it is carried over. */
const write = (text: string, rows = 60) =>
  database.writes.write(() => {
    for (let i = 0; i < rows; i++)
      database.sqlite.run("INSERT INTO pages (text) VALUES (?)", [text.repeat(4_000)]);
  });
/**
 * Of the log's index, which tells it without a checkpoint (SQLite's file format, "4.1.1 WAL-Index Header" and "4.1.2
 * WAL-Index Checkpoint Info").
 */
const ofIndex = (offset: number) =>
  new DataView(readFileSync(`${path()}-shm`).buffer).getUint32(offset, true);
const frames = () => ofIndex(16);
const merged = () => ofIndex(96);
const count = (sqlite: Database) =>
  sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM pages").get()!.n;

test("what is committed reaches the database file, although no commit carries it there", async () => {
  const checkpoints = start();
  await write("a", 300);
  const before = statSync(path()).size;
  while (statSync(path()).size === before) await nextLoopTurn();
  expect(count(database.sqlite)).toBe(300);
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

test("a short log is left as it is, without a thread; the first commit that makes it long starts one", async () => {
  // What made the schema is no longer in the log.
  database.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const threads: Worker[] = [];
  const startThread = () => (threads.push(startCheckpointThread()), threads.at(-1)!);
  const checkpoints = checkpointsOnceLong(database, startThread, { clock: systemClock, log });
  await write("a");
  const before = statSync(path()).size;
  expect(threads).toHaveLength(0);
  await write("b", 300);
  await eventually(() => statSync(path()).size > before);
  await write("c", 300);
  expect(threads).toHaveLength(1);
  await checkpoints.stop();
  await database.close();
  expect(statSync(`${path()}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  expect(count(new Database(path()))).toBe(660);
});

test("where the log never grew, nothing has to end, and a later write starts no thread", async () => {
  database.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const checkpoints = checkpointsOnceLong(
    database,
    () => {
      throw new Error("a thread was started");
    },
    { clock: systemClock, log },
  );
  await write("a");
  await checkpoints.stop();
  await write("b", 300);
  await database.close();
  expect(count(new Database(path()))).toBe(360);
});

test("while the thread works no commit makes a checkpoint", async () => {
  const checkpoints = start();
  const pages = Object.values(database.sqlite.query("PRAGMA wal_autocheckpoint").get() as object)[0];
  // Off.
  expect(pages).toBe(0);
  await checkpoints.stop();
  await database.close();
});

test("a log that has grown long begins anew, because the writer waits once until nothing is left in it", async () => {
  const pauses = spyOn(database.writes, "pause");
  const checkpoints = start();
  await write("a", 17_000);
  expect(frames()).toBeGreaterThan(16_384);
  await eventually(() => pauses.mock.calls.length > 0);
  await Promise.all([write("b"), write("c")]);
  expect(frames()).toBeLessThan(1_000);
  await checkpoints.stop();
  expect(count(database.sqlite)).toBe(17_120);
  await database.close();
});

test("a log that grew under a long reader is merged by the thread, and by no commit", async () => {
  const clock = manualClock();
  const pauses = spyOn(database.writes, "pause");
  const checkpoints = checkpointsOf(database, startCheckpointThread, { clock, log });
  await write("a", 1);
  const reader = new Database(path());
  reader.run("BEGIN");
  expect(count(reader)).toBe(1);
  await database.writes.write(() => {
    database.sqlite.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
       INSERT INTO pages (text) SELECT hex(zeroblob(2000)) FROM n`,
    );
  });
  expect(frames()).toBeGreaterThan(4 * 16_384);
  reader.close();
  const before = merged();
  for (const text of ["b", "c"]) await write(text, 1);
  expect(merged()).toBe(before);
  await eventually(() => clock.pending > 0);
  clock.advance(100);
  await eventually(() => pauses.mock.results.length > 0);
  await pauses.mock.results[0]?.value;
  expect(merged()).toBe(frames());
  await write("d", 1);
  expect(frames()).toBeLessThan(1_000);
  await checkpoints.stop();
  expect(count(database.sqlite)).toBe(70_004);
  await database.close();
});

describe("a checkpoint thread in trouble", () => {
  const clock = manualClock();
  const threads: Worker[] = [];
  const messages = () => logLines.map((line) => JSON.parse(line).message);
  const ownAtFrames = () =>
    Object.values(database.sqlite.query("PRAGMA wal_autocheckpoint").get() as object)[0];
  const startThreads = () =>
    checkpointsOf(database, () => (threads.push(startCheckpointThread()), threads.at(-1)!), { clock, log });
  const newestIsGone = (): Promise<void> =>
    new Promise((resolve) => threads.at(-1)!.addEventListener("close", () => resolve()));
  beforeEach(() => threads.splice(0));

  test("that ends is replaced: commits do its work until the new one has done some, and both are said once", async () => {
    const checkpoints = startThreads();
    const gone = newestIsGone();
    threads[0]!.terminate();
    await gone;
    expect(messages()).toEqual(["the checkpoint thread ended; commits do its work until a new one does"]);
    expect(ownAtFrames()).toBe(1_000);
    await write("a");
    const before = statSync(path()).size;
    clock.advance(1_000);
    expect(threads).toHaveLength(2);
    clock.advance(100);
    await eventually(() => messages().length > 1);
    expect(messages().slice(1)).toEqual(["the checkpoint thread works again"]);
    expect(statSync(path()).size).toBeGreaterThan(before);
    expect(ownAtFrames()).toBe(0);
    await checkpoints.stop();
    await database.close();
  });

  test("whose successors end at once, too, is tried again with growing pauses, and says it once", async () => {
    const checkpoints = startThreads();
    for (let died = 0; died < 9; died++) {
      const gone = newestIsGone();
      threads.at(-1)!.terminate();
      await gone;
      expect(threads).toHaveLength(died + 1);
      clock.advance(Math.min(1_000 * 2 ** died, 60_000) - 1);
      expect(threads).toHaveLength(died + 1);
      clock.advance(1);
    }
    expect(threads).toHaveLength(10);
    expect(messages()).toHaveLength(1);
    await checkpoints.stop();
    await database.close();
  });

  test("that ends while a pass runs holds no write up; no other is started once the server stops", async () => {
    const checkpoints = startThreads();
    await write("a");
    clock.advance(100);
    const gone = newestIsGone();
    threads[0]!.terminate();
    await gone;
    await write("b");
    await checkpoints.stop();
    clock.advance(3_600_000);
    expect(threads).toHaveLength(1);
    await database.close();
    expect(count(new Database(path()))).toBe(120);
  });

  test("that meets an error says what is wrong with the database, lives on, and works when it can", async () => {
    const checkpoints = startThreads();
    const pass = async (afterMs: number): Promise<number> => {
      await eventually(() => clock.pending > 0);
      const reported = new Promise((resolve) => threads[0]!.addEventListener("message", resolve));
      clock.advance(afterMs);
      await reported;
      return statSync(path()).size;
    };
    await write("a");
    const before = await pass(100);
    await write("b");
    const wal = readFileSync(`${path()}-wal`);
    // Its header alone: every page that a pass wants to carry over is missing.
    truncateSync(`${path()}-wal`, 32);
    await pass(100);
    expect(database.faults.current).toMatchObject({ trouble: "failing" });
    writeFileSync(`${path()}-wal`, wal);
    expect(await pass(1_000)).toBeGreaterThan(before);
    expect([threads.length, messages()]).toEqual([1, []]);
    await checkpoints.stop();
    await database.close();
    expect(count(new Database(path()))).toBe(120);
  });
});
