/**
 * A restore that is killed, or that cannot write on, at any moment: the old database or the restored one is there, and the
 * next attempt needs nobody's help.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { restore as restoreDatabase } from "#app/database.ts";
import { sqliteStores } from "#app/sqlite-stores.ts";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { takeOver } from "#storage/sqlite/run/takeover.ts";
import { postrider, PROGRAM, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { lacksLimits, withSmallFiles } from "../../support/server/small-files.ts";

const isElsewhere = needsSqlite("only its database is a file");

let home: ReturnType<typeof temporaryDirectory>;
let other: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  home = temporaryDirectory();
  other = temporaryDirectory();
});
afterEach(() => {
  home.remove();
  other.remove();
});

const databaseIn = (directory: string): string => `${directory}/postrider.db`;
const database = (): string => databaseIn(home.path);
/** What is there of databases, also half ones, without the logs of SQLite's that it makes and takes away. */
const copies = (directory = home.path): string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith("postrider.db") && !/db-(wal|shm)$/.test(name))
    .toSorted();

describe.skipIf(isElsewhere)("a restore that is cut off", () => {
  let backup = "";

  /** Ada's database in the backup, Grace's in its place. */
  async function makeBoth(): Promise<void> {
    backup = `${other.path}/backup.db`;
    await postrider(other.path, ["workspace", "create", "--name", "Ada's"]);
    expect((await postrider(other.path, ["backup", backup])).code).toBe(0);
    await postrider(home.path, ["workspace", "create", "--name", "Grace's"]);
  }
  const restore = (directory: string, file = backup) => postrider(directory, ["restore", file, "--force"]);
  /** In a process of its own, as a server that starts has one: it keeps what it locked to its end. */
  const inProcess = (directory: string, args: readonly string[]) => {
    const env = { DATA_DIR: directory, PORT: "1", PATH: process.env["PATH"] };
    return Bun.spawnSync([...PROGRAM, ...args], { env, cwd: "/" });
  };
  const nameIn = async (directory: string): Promise<string> => {
    const { out } = await postrider(directory, ["workspace", "list"]);
    return /Ada's|Grace's/.exec(out)?.[0] ?? out;
  };

  /** How many files have all those names. */
  const filesIn = (directory: string): number =>
    new Set(copies(directory).map((name) => fs.statSync(`${directory}/${name}`).ino)).size;

  /** A server that starts there instead has its database under no other name: it could be taken for the old one. */
  async function expectStarts(directory: string): Promise<void> {
    const { path, remove } = temporaryDirectory();
    Bun.spawnSync(["cp", "-a", `${directory}/.`, path]);
    const old = copies(path).filter((name) => name.includes(".replaced"));
    const opened = openSqlite(path, systemClock, systemRandom);
    await takeOver(opened, sqliteStores(opened).ledger, systemClock.now(), true);
    await opened.close();
    const isNew = (await nameIn(path)) === "Ada's";
    expect(copies(path)).toEqual(["postrider.db", ...(isNew ? old : [])]);
    remove();
  }

  test("by a kill at any moment: one of both is there, and it is restored by the next attempt", async () => {
    await makeBoth();
    const left: ReturnType<typeof temporaryDirectory>[] = [];
    // Two names of one file stay two names of one.
    const keep = (): void => {
      const copy = temporaryDirectory();
      Bun.spawnSync(["cp", "-a", `${home.path}/.`, copy.path]);
      left.push(copy);
    };
    const spies = (["renameSync", "rmSync", "linkSync", "chmodSync"] as const).map((name) => {
      const real = fs[name] as (...given: unknown[]) => void;
      return spyOn(fs, name).mockImplementation((...given: unknown[]) => {
        real(...given);
        keep();
      });
    });
    const { copyFileSync } = fs;
    const copying = spyOn(fs, "copyFileSync").mockImplementation((from, to) => {
      const bytes = readFileSync(from);
      writeFileSync(to, bytes.subarray(0, bytes.length / 2));
      keep();
      copyFileSync(from, to);
      keep();
    });
    try {
      restoreDatabase(backup, database(), true);
    } finally {
      for (const spy of [...spies, copying]) spy.mockRestore();
    }
    expect(await nameIn(home.path)).toBe("Ada's");
    expect(left.length).toBeGreaterThan(8);
    expect(left.some(({ path }) => filesIn(path) < copies(path).length)).toBe(true);
    for (const { path, remove } of left) {
      expect(existsSync(databaseIn(path))).toBe(true);
      await expectStarts(path);
      expect(["Ada's", "Grace's"]).toContain(await nameIn(path));
      expect(await restore(path)).toMatchObject({ code: 0 });
      expect(await nameIn(path)).toBe("Ada's");
      expect(copies(path).filter((name) => name.includes(".part"))).toEqual([]);
      expect(filesIn(path)).toBe(copies(path).length);
      remove();
    }
  });

  test("in a directory without a database: none is made there until it is restored", async () => {
    await makeBoth();
    const { path, remove } = temporaryDirectory();
    const part = `${databaseIn(path)}.part`;
    writeFileSync(part, readFileSync(backup).subarray(0, 5_000));
    for (const args of [["serve"], ["workspace", "create", "--name", "Linus's"], ["workspace", "list"]]) {
      const { exitCode, stderr } = inProcess(path, args);
      expect([exitCode, stderr.toString()]).toEqual([
        1,
        expect.stringContaining(`${part} is what a restore has not completed`),
      ]);
    }
    expect(copies(path)).toEqual(["postrider.db.part"]);
    expect(await restore(path)).toMatchObject({ code: 0 });
    expect([copies(path), await nameIn(path)]).toEqual([["postrider.db"], "Ada's"]);
    remove();
  });

  // The executable restores in a process of its own, which cannot be held at a step.
  test.skipIf(PROGRAM.length === 1)(
    "a command beside it is refused: what it wrote would be gone",
    async () => {
      await makeBoth();
      const beside: { code: number; err: string }[] = [];
      const { linkSync } = fs;
      const spy = spyOn(fs, "linkSync").mockImplementation((from, to) => {
        for (const args of [
          ["suppression", "add", "left@example.com"],
          ["restore", backup, "--force"],
          ["serve"],
        ]) {
          const ended = inProcess(home.path, args);
          beside.push({ code: ended.exitCode, err: ended.stderr.toString() });
        }
        linkSync(from, to);
      });
      try {
        expect(await restore(home.path)).toMatchObject({ code: 0, err: "" });
      } finally {
        spy.mockRestore();
      }
      const waits = expect.stringMatching(/by `postrider restore` \(process .*Wait until it has ended/);
      expect(beside).toEqual([1, 2, 3].map(() => ({ code: 1, err: waits })));
      expect((await postrider(home.path, ["suppression", "add", "left@example.com"])).code).toBe(0);
    },
  );

  test("between the old file's log and the copy: the next attempt keeps both under one name", async () => {
    await makeBoth();
    const old = "no database that SQLite reads";
    writeFileSync(database(), old);
    fs.linkSync(database(), `${database()}.replaced`);
    writeFileSync(`${database()}.replaced-wal`, "its log");
    expect(await restore(home.path)).toMatchObject({ code: 0 });
    const kept = copies().filter((name) => name.includes(".replaced"));
    expect(kept).toEqual(["postrider.db.replaced", "postrider.db.replaced-wal"]);
    expect(kept.map((name) => readFileSync(`${home.path}/${name}`, "utf8"))).toEqual([old, "its log"]);
  });

  test("after it opened its copy: nothing of that one's log is in the next", async () => {
    await makeBoth();
    const grace = `${home.path}/grace.db`;
    expect((await postrider(home.path, ["backup", grace])).code).toBe(0);
    const part = `${database()}.part`;
    cpSync(grace, part);
    const sqlite = new Database(part);
    sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
    sqlite.exec("UPDATE schema_migrations SET applied_at = 7; CREATE TABLE left_over (seq INTEGER)");
    cpSync(`${part}-wal`, `${other.path}/wal`);
    sqlite.close(true);
    cpSync(grace, part);
    cpSync(`${other.path}/wal`, `${part}-wal`);
    expect(await restore(home.path)).toMatchObject({ code: 0, err: "" });
    expect(await nameIn(home.path)).toBe("Ada's");
    using restored = new Database(database());
    expect(restored.query("SELECT name FROM sqlite_schema WHERE name = 'left_over'").all()).toEqual([]);
  });

  test.skipIf(lacksLimits)("by a disk that takes no more: the next attempt does it", async () => {
    await makeBoth();
    const before = [copies(), readFileSync(database())];
    const { code, err } = await withSmallFiles(home.path, 256, ["restore", backup, "--force"]);
    expect([code, err.trimEnd().split("\n").length]).toEqual([1, 1]);
    expect([copies(), readFileSync(database())]).toEqual(before);
    expect(await restore(home.path)).toMatchObject({ code: 0, err: "" });
    expect(await nameIn(home.path)).toBe("Ada's");
  });
});
