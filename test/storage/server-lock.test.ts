/** A database has one server, whatever leads to it. */
import { expect, test } from "bun:test";
import { copyFileSync, rmSync, symlinkSync } from "node:fs";
import { lockServer, serverOf } from "#app/database.ts";
import { unwrap } from "#core/errors/errors.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";
import { database, hasOwnHome, home, run, world, write } from "../support/storage/server-runs.ts";

hasOwnHome();

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

test("a data directory has one server: the lock outlives the collector, and ends with its holder", () => {
  const lock = unwrap(lockServer(home.path, world.clock.now()));
  for (let i = 0; i < 5; i++) Bun.gc(true);
  const second = lockServer(home.path, world.clock.now());
  expect(second.ok ? "" : second.refusal.message).toContain(`process ${process.pid}`);
  expect(lock.lastEndWasClean).toBe(true);
  lock.release();
  unwrap(lockServer(home.path, world.clock.now())).release();
});
