/** A database whose files somebody moves, removes or replaces while a server has them open. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteEngine } from "#app/sqlite-engine.ts";
import { failureText } from "#commands/line/failure-text.ts";
import { systemRandom } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { probeWrite } from "#storage/sqlite/engine/writes/probe-write.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { lacks } from "../../support/common/needs.ts";

const lacksRoot = lacks("root", process.getuid?.() === 0, "run them as root.");

/** It is looked again after a moment. */
const clock = manualClock();
const aMoment = (): void => clock.advance(1_000);

let folder: string;
let directory: string;
let database: SqliteDatabase;
const path = (suffix = "") => join(directory, `postrider.db${suffix}`);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  directory = join(folder, "data");
  database = openSqlite(directory, clock, systemRandom);
  database.sqlite.run("CREATE TABLE people (name TEXT NOT NULL) STRICT");
  expect(await written("Ada")).toBe("Ada");
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** What a caller is told: the name if it is kept, else what is wrong. */
const written = (name: string): Promise<string> =>
  database.writes
    .write(() => void database.sqlite.run("INSERT INTO people VALUES (?)", [name]))
    .then(
      () => name,
      (error: unknown) => (error instanceof StorageError ? error.trouble : String(error)),
    );
const names = (sqlite = database.sqlite): string[] =>
  sqlite
    .query<{ name: string }, []>("SELECT name FROM people ORDER BY rowid")
    .all()
    .map(({ name }) => name);

describe("nothing is answered that the next start would not find", () => {
  test.each(["", "-wal", "-shm"])(
    "while postrider.db%s is moved away, and all goes on when it is back",
    async (suffix) => {
      renameSync(path(suffix), path(".away"));
      aMoment();
      expect([await written("Grace"), names()]).toEqual(["displaced", ["Ada"]]);
      expect(database.faults.current?.message).toContain("moved, removed or replaced");
      expect(database.faults.current?.cause).toMatchObject({
        message: `${path(suffix)} was moved, removed or replaced while it is open`,
      });
      const probed = await probeWrite(database).catch((error: unknown) => error);
      expect(probed).toBeInstanceOf(StorageError);
      renameSync(path(".away"), path(suffix));
      await probeWrite(database);
      expect(database.faults.current).toBeNull();
      expect([await written("Linus"), names()]).toEqual(["Linus", ["Ada", "Linus"]]);
    },
  );

  test("while a backup is copied over its file; and its end does not merge the log into that", async () => {
    database.sqlite.prepare("VACUUM INTO ?").run(join(folder, "backup.db"));
    const backup = readFileSync(join(folder, "backup.db"));
    expect(await written("Grace")).toBe("Grace");
    writeFileSync(path(), backup);
    aMoment();
    expect(await written("Linus")).toBe("displaced");
    expect(database.faults.current?.cause).toMatchObject({
      message: `${path()} was overwritten while it is open`,
    });
    await database.close();
    expect(readFileSync(path()).equals(backup)).toBe(true);
    expect(() => openSqlite(directory, clock, systemRandom)).toThrow(/is the log of another database/);
  });

  test("while its directory is moved away", async () => {
    renameSync(directory, join(folder, "away"));
    aMoment();
    expect(await written("Grace")).toBe("displaced");
    renameSync(join(folder, "away"), directory);
    expect(await written("Linus")).toBe("Linus");
  });

  test("while a file or a link in a circle is in the place of its directory", async () => {
    renameSync(directory, join(folder, "away"));
    for (const put of [() => writeFileSync(directory, ""), () => symlinkSync("data", directory)]) {
      put();
      aMoment();
      expect(await written("Grace")).toBe("displaced");
      rmSync(directory);
    }
    renameSync(join(folder, "away"), directory);
    expect(await written("Linus")).toBe("Linus");
  });

  test("and a command says that it has ended", async () => {
    rmSync(path());
    aMoment();
    const error = await database.writes.write(() => undefined).catch((thrown: unknown) => thrown);
    expect(failureText(error)).toEndWith("Put it back, and run the same command again.");
  });

  test("and what was answered is there after a clean end, if its log was removed", async () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(path(suffix));
    aMoment();
    expect(await written("Grace")).toBe("displaced");
    await database.close();
    database = openSqlite(directory, clock, systemRandom);
    expect(names(database.sqlite)).toEqual(["Ada"]);
  });

  test("once it is removed", async () => {
    rmSync(path());
    aMoment();
    expect([await written("Grace"), await written("Linus"), names()]).toEqual([
      "displaced",
      "displaced",
      ["Ada"],
    ]);
  });

  test("once another file has its name, such as a backup", async () => {
    copyFileSync(path(), path(".copy"));
    renameSync(path(".copy"), path());
    aMoment();
    expect(await written("Grace")).toBe("displaced");
    const long = database.longWrites.write(function* (sqlite) {
      yield;
      sqlite.run("INSERT INTO people VALUES ('Linus')");
    });
    expect(await long.catch((error: unknown) => error)).toMatchObject({ trouble: "displaced" });
  });
});

test("no backup is made of another file, because SQLite would merge the log beside it into that file", async () => {
  const home = join(folder, "home");
  const file = join(home, "postrider.db");
  const engine = sqliteEngine(home, { clock, random: systemRandom, log: SILENT_LOG }, () => undefined);
  const copy = async (name: string): Promise<unknown> =>
    await engine
      .copy(join(folder, name), { onProgress: () => undefined, signal: new AbortController().signal })
      .catch((error: unknown) => error);
  expect(await copy("backup.db")).toMatchObject({ contacts: 0 });
  await engine.probeWrite();
  copyFileSync(join(folder, "backup.db"), join(folder, "copy.db"));
  renameSync(join(folder, "copy.db"), file);
  aMoment();
  expect(await copy("later.db")).toMatchObject({ trouble: "displaced" });
  expect(readFileSync(file).equals(readFileSync(join(folder, "backup.db")))).toBeTrue();
  expect(readdirSync(folder).filter((name) => name.startsWith("later"))).toEqual([]);
  await engine.close();
  expect(readFileSync(file).equals(readFileSync(join(folder, "backup.db")))).toBeTrue();
});

test.skipIf(lacksRoot)(
  "a directory that is closed to this user says nothing against the file that is open",
  async () => {
    process.seteuid?.(65_534);
    aMoment();
    const grace = await written("Grace").finally(() => process.seteuid?.(0));
    expect([grace, database.faults.current]).toEqual(["Grace", null]);
    rmSync(path());
    aMoment();
    expect(await written("Linus")).toBe("displaced");
  },
);

test("a name that is a link is looked at where it leads, and the log beside the file itself", async () => {
  const linked = join(folder, "linked");
  const other = openSqlite(linked, clock, systemRandom);
  await other.close();
  renameSync(join(linked, "postrider.db"), join(folder, "elsewhere.db"));
  symlinkSync(join(folder, "elsewhere.db"), join(linked, "postrider.db"));
  const reopened = openSqlite(linked, clock, systemRandom);
  const add = (n: number) =>
    reopened.writes.write(() => void reopened.sqlite.run(`PRAGMA user_version = ${n}`));
  await add(1);
  rmSync(join(linked, "postrider.db"));
  aMoment();
  expect(await add(2).catch((error: unknown) => error)).toMatchObject({ trouble: "displaced" });
  symlinkSync(join(folder, "elsewhere.db"), join(linked, "postrider.db"));
  await add(3);
  await reopened.close();
});
