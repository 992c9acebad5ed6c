import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextLoopTurn, yieldTurns } from "#core/time/event-loop.ts";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { writeQueue, type WriteQueue } from "#storage/sqlite/engine/writes/write-queue.ts";
import { countingCommits } from "../../support/storage/statement-spy.ts";

let folder: string;
let path: string;
let sqlite: Database;
let other: Database;
let writes: WriteQueue;
/** How often the queue's own COMMIT ran. */
let commits: number;
/**
 * The queue's clock. It stands still, so that the size of a group does not depend on how busy the machine is.
 */
let nowMs: () => number;
/** What stands for the disk's part of a commit. */
let flush: () => Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  path = join(folder, "queue.db");
  sqlite = new Database(path, { create: true, strict: true });
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run("PRAGMA busy_timeout = 5000");
  sqlite.run("CREATE TABLE people (seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT");
  sqlite.run(
    "CREATE TABLE letters (person INTEGER REFERENCES people (seq) DEFERRABLE INITIALLY DEFERRED) STRICT",
  );
  other = new Database(path, { strict: true });
  commits = 0;
  flush = async () => {};
  nowMs = () => 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs() };
  writes = writeQueue(
    countingCommits(sqlite, () => commits++),
    { clock, flush: () => flush() },
  );
});

afterEach(() => {
  other.close();
  sqlite.close();
  rmSync(folder, { recursive: true });
});

/** What a second connection sees: only what is committed. */
const seen = (): string[] =>
  other
    .query<{ name: string }, []>("SELECT name FROM people ORDER BY seq")
    .all()
    .map(({ name }) => name);

const add = (name: string) =>
  writes.write(() => {
    sqlite.run("INSERT INTO people (name) VALUES (?)", [name]);
    return name;
  });

const outcomes = async (all: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(all)).map((it) =>
    it.status === "fulfilled" ? String(it.value) : `rejected: ${it.reason.message}`,
  );

const many = (n: number) => Array.from({ length: n }, (_, i) => `reader-${i}`);

describe("grouped commits", () => {
  test("writes that arrive together share one commit, in the order they came", async () => {
    const names = many(300);
    expect(await Promise.all(names.map(add))).toEqual(names);
    expect(commits).toBe(1);
    expect(seen()).toEqual(names);
  });

  test("none begins in a group that has gone on for long: those left go first in the next, the order kept", async () => {
    let now = 0;
    const clock = { ...systemClock, monotonicMs: () => now };
    const slow = writeQueue(sqlite, { clock, flush: () => flush() });
    const perCommit: number[] = [];
    const names = many(7);
    await Promise.all(
      names.map((name) =>
        slow.write(() => {
          now += 4;
          perCommit[commits] = (perCommit[commits] ?? 0) + 1;
          sqlite.run("INSERT INTO people (name) VALUES (?)", [name]);
        }),
      ),
    );
    expect(perCommit).toEqual([3, 3, 1]);
    expect(seen()).toEqual(names);
  });

  test("more than a group holds: a few commits, the order kept over them", async () => {
    const names = many(2_000);
    await Promise.all(names.map(add));
    expect(commits).toBe(4);
    expect(seen()).toEqual(names);
  });

  test("a write is answered only after it is committed: a second connection sees every acknowledged row", async () => {
    const early: string[] = [];
    const all = many(1_200).map(async (name) => {
      await add(name);
      if (!seen().includes(name)) early.push(name);
    });
    await Promise.all(all);
    expect(early).toEqual([]);
  });

  test("what is queued but not answered is not seen by anybody else", async () => {
    const written = add("Ada");
    expect(seen()).toEqual([]);
    const looked = writes.write(() => [sqlite.query("SELECT count(*) AS n FROM people").get(), seen()]);
    expect(await looked).toEqual([{ n: 1 }, []]);
    await written;
    expect(seen()).toEqual(["Ada"]);
  });

  test("a write that is queued by an answered one comes in a later commit", async () => {
    await add("Ada");
    await add("Grace");
    expect(commits).toBe(2);
  });

  test("a write is answered once the disk has it, and those that come meanwhile share the next commit", async () => {
    const disk = Promise.withResolvers<void>();
    flush = () => disk.promise;
    const answered: string[] = [];
    const first = add("Ada").then((name) => answered.push(name));
    while (seen().length === 0) await nextLoopTurn();
    const others = ["Grace", "Linus"].map((name) => add(name).then(() => answered.push(name)));
    await yieldTurns(20);
    expect([answered, seen(), commits]).toEqual([[], ["Ada"], 1]);
    flush = async () => {};
    disk.resolve();
    await Promise.all([first, ...others]);
    expect([answered, commits]).toEqual([["Ada", "Grace", "Linus"], 2]);
  });

  test("a group that changes nothing is not flushed, but for what another process may have written", async () => {
    let flushes = 0;
    flush = async () => void flushes++;
    await add("Ada");
    expect(flushes).toBe(1);
    const look = () => writes.write(() => sqlite.query("SELECT name FROM people").values().length);
    expect([await look(), await look(), flushes]).toEqual([1, 1, 1]);
    expect((await outcomes([add("Ada")]))[0]).toContain("UNIQUE");
    other.run("INSERT INTO people (name) VALUES ('Grace')");
    const before = flushes;
    expect([await look(), flushes - before]).toEqual([2, 1]);
    expect([await look(), flushes - before]).toEqual([2, 1]);
    await add("Edsger");
    expect(flushes - before).toBe(2);
  });

  test("the first group is flushed whatever it does: it may rest on what was written before the queue", async () => {
    let flushes = 0;
    flush = async () => void flushes++;
    await writes.write(() => sqlite.query("SELECT name FROM people").values().length);
    expect(flushes).toBe(1);
  });

  test("during a pause nothing is written, and what was asked for comes after it", async () => {
    const inPause = Promise.withResolvers<void>();
    const paused = writes.pause(() => inPause.promise);
    const written = add("Ada");
    await yieldTurns(20);
    expect([seen(), commits]).toEqual([[], 0]);
    inPause.resolve();
    await paused;
    expect(await written).toBe("Ada");
  });

  test("drain waits for all that was queued before it, refused or not", async () => {
    const answered: string[] = [];
    void add("Ada").then((name) => answered.push(name));
    void add("Ada").catch(() => answered.push("refused"));
    await writes.drain();
    expect(answered).toEqual(["Ada", "refused"]);
  });
});

test("at its end the queue answers what it has, and refuses what comes later", async () => {
  const last = add("Ada");
  await writes.end();
  expect(await last).toBe("Ada");
  expect(await outcomes([add("Grace")])).toEqual(["rejected: The database is closed."]);
  expect(seen()).toEqual(["Ada"]);
});

describe("a write that throws", () => {
  test("undoes only itself; the others of its group stay", async () => {
    const failing = writes.write(() => {
      sqlite.run("INSERT INTO people (name) VALUES ('half')");
      throw new Error("no");
    });
    const answers = await outcomes([add("Ada"), failing, add("Ada"), add("Grace")]);
    expect(answers).toEqual([
      "Ada",
      "rejected: no",
      "rejected: UNIQUE constraint failed: people.name",
      "Grace",
    ]);
    expect(seen()).toEqual(["Ada", "Grace"]);
    expect(commits).toBe(1);
    expect(writes.fault).toBeNull();
  });

  test("may be every write of a group", async () => {
    const answers = await outcomes(
      many(3).map(() =>
        writes.write(() => {
          throw new Error("no");
        }),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 3 }, () => "rejected: no"));
    expect(await add("Ada")).toBe("Ada");
    expect(seen()).toEqual(["Ada"]);
  });
});

describe("a commit that fails", () => {
  /** An orphan is found at COMMIT: the reference is deferred. */
  const orphan = () => writes.write(() => void sqlite.run("INSERT INTO letters VALUES (-1)"));

  test("rejects the whole group, keeps nothing of it, and is the queue's fault until the next one works", async () => {
    const answers = await outcomes([add("Ada"), orphan(), add("Grace")]);
    expect(answers).toEqual(Array.from({ length: 3 }, () => "rejected: FOREIGN KEY constraint failed"));
    expect(seen()).toEqual([]);
    expect(sqlite.inTransaction).toBe(false);
    expect(writes.fault?.message).toBe("FOREIGN KEY constraint failed");
    expect(await add("Linus")).toBe("Linus");
    expect(writes.fault).toBeNull();
    expect(seen()).toEqual(["Linus"]);
  });

  test("takes nothing of the next group with it", async () => {
    const first = many(512).map((name) => (name === "reader-7" ? orphan() : add(name)));
    const second = many(1_024).slice(512).map(add);
    const answers = await outcomes([...first, ...second]);
    expect(answers.filter((answer) => answer.startsWith("rejected")).length).toBe(512);
    expect(seen()).toEqual(many(1_024).slice(512));
  });

  test("because the disk is full: nothing of the group is kept, and it works again when there is room", async () => {
    await add("Ada");
    const { page_count: pages } = sqlite.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
    sqlite.run(`PRAGMA max_page_count = ${pages}`);
    const big = writes.write(
      () => void sqlite.run("INSERT INTO people (name) VALUES (?)", ["x".repeat(100_000)]),
    );
    expect(await outcomes([big])).toEqual(["rejected: database or disk is full"]);
    expect(sqlite.inTransaction).toBe(false);
    expect(seen()).toEqual(["Ada"]);
    sqlite.run("PRAGMA max_page_count = 1000000");
    expect(await add("Grace")).toBe("Grace");
    expect(writes.fault).toBeNull();
    expect(seen()).toEqual(["Ada", "Grace"]);
  });

  test("does not keep drain from coming back: a server that ends can close its database", async () => {
    other.run("BEGIN IMMEDIATE");
    writes.lockWaitMs = 1;
    nowMs = () => systemClock.monotonicMs();
    const refused = outcomes([add("Ada")]);
    await writes.drain();
    expect(await refused).toEqual(["rejected: database is locked"]);
    other.run("ROLLBACK");
  });
});

describe("a flush that fails", () => {
  test("rejects its group and every write after it: nobody can say what the disk holds (D-23)", async () => {
    const broken = new Error("EIO: i/o error, fdatasync");
    flush = () => Promise.reject(broken);
    expect(await outcomes([add("Ada"), add("Grace")])).toEqual([
      `rejected: ${broken.message}`,
      `rejected: ${broken.message}`,
    ]);
    flush = async () => {};
    expect(await outcomes([add("Linus")])).toEqual([`rejected: ${broken.message}`]);
    expect(seen()).not.toContain("Linus");
    expect(writes.fault).toBe(broken);
    expect(await writes.lost).toBe(broken);
  });
});

describe("another process's lock", () => {
  test("is waited for: the write lands once the other is done", async () => {
    const holder = Bun.spawn({
      cmd: [process.execPath, "-e", HOLDER, path],
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const reader = holder.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value).trim()).toBe("locked");
    const written = add("Ada");
    await yieldTurns(20);
    expect(seen()).toEqual([]);
    void holder.stdin.end();
    expect(await written).toBe("Ada");
    expect(await holder.exited).toBe(0);
    expect(seen()).toEqual(["the other", "Ada"]);
    expect(writes.fault).toBeNull();
  });

  test("keeps nobody else waiting: the event loop turns meanwhile", async () => {
    other.run("BEGIN IMMEDIATE");
    const written = add("Ada");
    // Would never get here, were the lock waited for inside a call of SQLite.
    await yieldTurns(20);
    expect(seen()).toEqual([]);
    other.run("COMMIT");
    expect(await written).toBe("Ada");
  });
});

/** Holds the write lock until its input ends, and commits what it wrote. */
const HOLDER = `
  const { Database } = require("bun:sqlite");
  const sqlite = new Database(process.argv[1]);
  sqlite.run("BEGIN IMMEDIATE");
  sqlite.run("INSERT INTO people (name) VALUES ('the other')");
  console.log("locked");
  process.stdin.on("end", () => { sqlite.run("COMMIT"); process.exit(0); }).resume();
`;
