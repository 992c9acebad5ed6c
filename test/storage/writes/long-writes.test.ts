import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "#app/sqlite-stores.ts";
import { actingAs, type Act } from "#core/request/acting.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { DATABASE_FILE, openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";

let folder: string;
let database: SqliteDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  database = openSqlite(folder, systemClock, systemRandom);
  database.sqlite.run("CREATE TABLE people (name TEXT NOT NULL UNIQUE) STRICT");
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const people = (): string[] =>
  database.sqlite
    .query<{ name: string }, []>("SELECT name FROM people ORDER BY rowid")
    .all()
    .map(({ name }) => name);

/** Adds one person in each slice, and tells who could be read between them. */
const adding = (names: readonly string[], seen: string[][] = []): Slices<number> =>
  function* (sqlite) {
    for (const name of names) {
      sqlite.query<null, [string]>("INSERT INTO people VALUES (?)").run(name);
      yield;
      seen.push(people());
    }
    return names.length;
  };

test("a long write leaves turns to everybody else, who read what was there before, until all of it is there", async () => {
  const seen: string[][] = [];
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await database.longWrites.write(adding(["Ada", "Grace", "Edsger"], seen))).toBe(3);
  isOver = true;
  expect(seen).toEqual([[], [], []]);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(people()).toEqual(["Ada", "Grace", "Edsger"]);
});

test("other writes wait for its end and come after it, in their order", async () => {
  const order: string[] = [];
  const write = async (name: string): Promise<void> => {
    await database.writes.write(() => void database.sqlite.query("INSERT INTO people VALUES (?)").run(name));
    order.push(name);
  };
  const long = database.longWrites.write(adding(["Ada", "Grace"])).then(() => order.push("long"));
  await Promise.all([long, write("Edsger"), write("Barbara")]);
  expect(order).toEqual(["long", "Edsger", "Barbara"]);
  expect(people()).toEqual(["Ada", "Grace", "Edsger", "Barbara"]);
});

test("one that throws leaves nothing behind, and the next writes go on", async () => {
  const failed = await database.longWrites.write(adding(["Ada", "Ada"])).catch((error: unknown) => error);
  expect(String(failed)).toContain("UNIQUE");
  expect(people()).toEqual([]);
  expect(database.faults.current).toBeNull();
  await database.writes.write(() => void database.sqlite.run("INSERT INTO people VALUES ('Grace')"));
  expect(await database.longWrites.write(adding(["Ada"]))).toBe(1);
  expect(people()).toEqual(["Grace", "Ada"]);
});

test("who listens for commits hears of it once, and of one that wrote nothing not at all", async () => {
  await database.writes.write(() => undefined);
  let heard = 0;
  database.writes.onCommit(() => heard++);
  await database.longWrites.write(adding(["Ada", "Grace"]));
  expect(heard).toBe(1);
  await database.longWrites.write(adding([]));
  expect(heard).toBe(1);
});

const act = (what: string): Act => ({
  workspaceId: "ws_one",
  who: "ada",
  what,
  at: 1,
  target: null,
  entry: null,
});
const recorded = (): unknown[][] => database.sqlite.query("SELECT what FROM audit ORDER BY seq").values();

async function addWorkspace(): Promise<void> {
  const key = { id: "key_one", name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
  const { workspaces } = sqliteStores(database);
  await workspaces.create({ id: "ws_one", createdAt: 1 }, {}, { ...key, hash: Buffer.from("k") });
}

test("what is recorded of it is there together with it, or not at all", async () => {
  await addWorkspace();
  const add = (what: string, slices: Slices<number>): Promise<number> =>
    actingAs(act(what), () => database.longWrites.write(slices));
  await add("adds", adding(["Ada", "Grace"]));
  expect(recorded()).toEqual([["adds"]]);
  await add("adds nobody", adding([]));
  await add("fails", adding(["Edsger", "Ada"])).catch(() => undefined);
  expect(recorded()).toEqual([["adds"]]);
  const once = act("has two");
  await actingAs(once, () => database.longWrites.write(adding(["Barbara"])));
  await actingAs(once, () => database.longWrites.write(adding(["Ken"])));
  expect(recorded()).toEqual([["adds"], ["has two"]]);
});

test("an act whose commit fails has no entry: the next one has that number", async () => {
  const { sqlite, writes, longWrites } = database;
  await addWorkspace();
  const { audit } = sqliteStores(database);
  sqlite.run("CREATE TABLE pets (owner TEXT REFERENCES people (name) DEFERRABLE INITIALLY DEFERRED)");
  // SQLite looks for its owner at the commit.
  const stray = (on = sqlite): number => on.run("INSERT INTO pets VALUES ('nobody')").changes;
  const add = (name: string) => writes.write(() => void sqlite.run("INSERT INTO people VALUES (?)", [name]));
  const ways: [string, () => Promise<unknown>][] = [
    ["alone", () => writes.write(() => stray())],
    ["with another", () => Promise.all([writes.write(() => stray()), writes.write(() => stray())])],
    [
      "long",
      () =>
        longWrites.write(function* (on) {
          yield;
          return stray(on);
        }),
    ],
  ];
  for (const [name, write] of ways) {
    const failed = act(`${name}, fails`);
    expect(String(await actingAs(failed, write).catch((error: unknown) => error))).toContain("FOREIGN KEY");
    const next = act(`${name}, next`);
    await actingAs(next, () => add(`${name}, next`));
    // It was refused in the end.
    await audit.takeBack(failed);
    expect(recorded().at(-1)).toEqual([next.what]);
    // It may also go on, and change something after all.
    await actingAs(failed, () => add(name));
    expect(recorded().at(-1)).toEqual([failed.what]);
  }
});

test("where another process keeps the lock it is refused in time, and that is a fault of the database", async () => {
  const other = new Database(join(folder, DATABASE_FILE), { strict: true });
  other.run("BEGIN IMMEDIATE");
  database.writes.lockWaitMs = 20;
  const failed = await database.longWrites.write(adding(["Ada"])).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StorageError);
  expect(failed).toMatchObject({ trouble: "locked" });
  other.run("ROLLBACK");
  other.close();
  expect(people()).toEqual([]);
});

test("closing waits for it, and afterwards there is none", async () => {
  const long = database.longWrites.write(adding(["Ada", "Grace"]));
  await database.close();
  expect(await long).toBe(2);
  const late = await database.longWrites.write(adding(["Edsger"])).catch((error: unknown) => error);
  expect(String(late)).toContain("The database is closed.");
  database = openSqlite(folder, systemClock, systemRandom);
  expect(people()).toEqual(["Ada", "Grace"]);
});

test("one that throws and still has an open statement gives the write lock back at once", async () => {
  const kept: unknown[] = [];
  const slices: Slices<void> = function* (sqlite) {
    const statement = sqlite.prepare<null, [string]>("INSERT INTO people VALUES (?)");
    kept.push(statement);
    statement.run("Ada");
    yield;
    throw new Error("cut off");
  };
  const failed = await database.longWrites.write(slices).catch((error: unknown) => error);
  expect([String(failed), kept.length]).toEqual(["Error: cut off", 1]);
  await database.writes.write(() => void database.sqlite.run("INSERT INTO people VALUES ('Grace')"));
  expect(people()).toEqual(["Grace"]);
});
