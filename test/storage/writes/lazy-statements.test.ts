import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { sql as expression } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { openSending } from "#app/sending.ts";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { compileAtFirstRun, forDrizzle } from "#storage/sqlite/engine/lazy-statements.ts";
import { lists } from "#storage/sqlite/schema/schema.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";

const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };

test("a statement is compiled when it runs first, once, and says then what is wrong with it", () => {
  const sqlite = new Database(":memory:", { strict: true });
  compileAtFirstRun(sqlite);
  const early = sqlite.query<{ name: string }, [string]>(
    "SELECT name FROM people WHERE name >= ? ORDER BY name",
  );
  expect(() => early.all("A")).toThrow("no such table: people");
  sqlite.run("CREATE TABLE people (name TEXT)");
  const add = sqlite.query<null, [string]>("INSERT INTO people VALUES (?)");
  expect([add.run("Grace").changes, add.run("Ada").changes]).toEqual([1, 1]);
  expect(early.all("A")).toEqual([{ name: "Ada" }, { name: "Grace" }]);
  expect(early.get("B")).toEqual({ name: "Grace" });
  expect(early.values("B")).toEqual([["Grace"]]);
  expect(early.get("Z")).toBeNull();
  sqlite.close();
});

test("who names the same query gets the same statement; others have their own", () => {
  const sqlite = new Database(":memory:", { strict: true });
  compileAtFirstRun(sqlite);
  const first = sqlite.query("SELECT 1 AS n");
  expect(sqlite.query("SELECT 1 AS n")).toBe(first);
  expect(sqlite.query("SELECT 2 AS n")).not.toBe(first);
  expect(first.get()).toEqual({ n: 1 });
  expect(sqlite.query("SELECT 2 AS n").get()).toEqual({ n: 2 });
  sqlite.close();
});

test("so are Drizzle's, and what goes wrong while they run is reported as for all others", () => {
  const sqlite = new Database(":memory:", { strict: true });
  compileAtFirstRun(sqlite, { of: (error) => new Error("reported", { cause: error }) });
  const orm = drizzle(forDrizzle(sqlite));
  const names = orm.select({ name: lists.name }).from(lists).prepare();
  const broken = orm
    .select({ name: expression`json(${lists.name})` })
    .from(lists)
    .prepare();
  sqlite.run("CREATE TABLE lists (name TEXT)");
  sqlite.run("INSERT INTO lists VALUES ('Spring')");
  expect(names.all()).toEqual([{ name: "Spring" }]);
  expect(() => broken.all()).toThrow("reported");
  sqlite.close();
});

test("every statement of every store fits today's schema", async () => {
  const home = temporaryDirectory();
  const query = Object.getOwnPropertyDescriptor(Database.prototype, "query")!;
  const compiled = new Set<string>();
  // Whoever asks for laziness gets none.
  Object.defineProperty(Database.prototype, "query", {
    configurable: true,
    get: () =>
      function eager(this: Database, sql: string) {
        compiled.add(sql);
        return query.value.call(this, sql);
      },
    set() {},
  });
  try {
    const services = openServices(home.path, world);
    const sending = openSending(services, world, { run: 1, relays: [], baseUrl: "http://localhost" });
    await sending.stop(0);
    await services.close();
  } finally {
    Object.defineProperty(Database.prototype, "query", query);
    home.remove();
  }
  expect(compiled.size).toBeGreaterThan(200);
});
