import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import type { Migration } from "#storage/common/engine/migrations.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";

let folder: string;
let sqlite: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  sqlite = open();
});
afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

function open(): Database {
  const opened = new Database(join(folder, "house.db"), { create: true, strict: true });
  opened.run("PRAGMA journal_mode = WAL");
  opened.run("PRAGMA foreign_keys = ON");
  return opened;
}

const names = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

describe("the product's own migrations", () => {
  const source = resolve(import.meta.dir, "../../migrations/sqlite");

  test("are built in as they lie in migrations/sqlite: all of them, in order, none changed", () => {
    const onDisk = readdirSync(source)
      .filter((name) => name.endsWith(".sql"))
      .toSorted()
      .map((name) => ({ name: name.slice(0, -4), sql: readFileSync(join(source, name), "utf8") }));
    expect(MIGRATIONS).toEqual(onDisk);
  });

  test("make a database that is whole, whose references hold, in a file for its owner only", async () => {
    const database = openSqlite(join(folder, "data"), systemClock, systemRandom);
    expect(database.migrated).toEqual(names(MIGRATIONS));
    expect(database.sqlite.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.sqlite.query("PRAGMA foreign_key_check").all()).toEqual([]);
    for (const name of readdirSync(join(folder, "data")))
      expect([name, statSync(join(folder, "data", name)).mode & 0o077]).toEqual([name, 0]);
    await database.close();
    const again = openSqlite(join(folder, "data"), systemClock, systemRandom);
    expect(again.migrated).toEqual([]);
    expect(again.signingSecret).toEqual(database.signingSecret);
    await again.close();
  });

  test("leave everything in the one file when the database is closed", async () => {
    const database = openSqlite(join(folder, "data"), systemClock, systemRandom);
    await database.writes.write(
      () => void database.sqlite.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_ada', 1)"),
    );
    await database.close();
    expect(statSync(join(folder, "data", "postrider.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    copyFileSync(join(folder, "data", "postrider.db"), join(folder, "alone.db"));
    const copy = new Database(join(folder, "alone.db"));
    expect(copy.query("SELECT id FROM workspaces").all()).toEqual([{ id: "ws_ada" }]);
    copy.close();
  });
});
