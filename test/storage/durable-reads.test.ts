import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#core/clock.ts";
import { writeQueue, type WriteQueue } from "#storage/sqlite/engine/write-queue.ts";

let folder: string;
let sqlite: Database;
let writes: WriteQueue;
/** What stands for the disk's part of a commit. */
let disk: PromiseWithResolvers<void>;
/** Resolves when the queue has committed and waits for the disk. */
let committed: PromiseWithResolvers<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  sqlite = new Database(join(folder, "queue.db"), { create: true, strict: true });
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("CREATE TABLE people (name TEXT NOT NULL) STRICT");
  sqlite.run("INSERT INTO people VALUES ('Ada')");
  disk = Promise.withResolvers();
  committed = Promise.withResolvers();
  writes = writeQueue(sqlite, {
    clock: systemClock,
    flush: () => (committed.resolve(), disk.promise),
  });
});

afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

const rename = (name: string) => writes.write(() => void sqlite.run("UPDATE people SET name = ?", [name]));
const find = () => sqlite.query<{ name: string }, []>("SELECT name FROM people").get();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a read that is answered like a write", () => {
  test("is answered at once where nothing waits for the disk", () => {
    expect(writes.read(find)).toEqual({ name: "Ada" });
    expect(writes.commits).toBe(0);
  });

  test("leaves it to a write where it finds nothing", () => {
    expect(writes.read(() => null)).toBeNull();
  });

  test("sees nothing of a write that is not committed, and does not wait for it", async () => {
    const written = rename("Grace");
    expect(writes.read(find)).toEqual({ name: "Ada" });
    disk.resolve();
    await written;
    expect(writes.read(find)).toEqual({ name: "Grace" });
  });

  test("waits for the disk where it may have seen what is not there yet", async () => {
    const written = rename("Grace");
    await committed.promise;
    let isAnswered = false;
    const read = Promise.resolve(writes.read(find)).finally(() => (isAnswered = true));
    for (let n = 0; n < 100; n++) await turn();
    expect(isAnswered).toBe(false);
    disk.resolve();
    expect(await read).toEqual({ name: "Grace" });
    await written;
  });

  test("is no answer where the disk fails, neither then nor later", async () => {
    const written = rename("Grace").catch((error: Error) => error.message);
    await committed.promise;
    const read = writes.read(find);
    disk.reject(new Error("the disk is gone"));
    expect(await read).toBeNull();
    expect(await written).toBe("the disk is gone");
    expect(writes.read(find)).toBeNull();
  });

  test("is no answer while another connection may have committed", async () => {
    disk.resolve();
    const other = Promise.withResolvers<void>();
    const aside = writes.aside(() => other.promise);
    expect(writes.read(find)).toBeNull();
    other.resolve();
    await aside;
    expect(await writes.read(find)).toEqual({ name: "Ada" });
  });

  test("is no answer once the database is closed", async () => {
    disk.resolve();
    await writes.end();
    expect(writes.read(find)).toBeNull();
  });
});
