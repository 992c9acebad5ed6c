import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";

test("the product's database is in WAL mode and checks its references; the queue flushes its log", async () => {
  const folder = temporaryDirectory();
  const database = openSqlite(join(folder.path, "data"), systemClock, systemRandom);
  const pragma = (name: string) => Object.values(database.sqlite.query(`PRAGMA ${name}`).get() as object)[0];
  // 1 is NORMAL: see the queue.
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 1, 1]);
  expect([pragma("busy_timeout"), pragma("journal_size_limit")]).toEqual([2, 64 * 1024 * 1024]);
  await database.close();
  folder.remove();
});
