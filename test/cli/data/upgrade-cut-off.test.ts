/**
 * An upgrade that is killed, or that cannot write on, at any moment: the old database is whole or the new one is, and the
 * next start needs nobody's help.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { PROGRAM, postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { lacksLimits, withSmallFiles } from "../../support/server/small-files.ts";

const isElsewhere = needsSqlite("only its database is a file");

const FIXTURE = resolve(import.meta.dir, "../../fixtures/schema-0040.sql");
const MIB = 1024 ** 2;

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => (home = temporaryDirectory()));
afterEach(() => home.remove());

const database = (): string => `${home.path}/postrider.db`;
/** What is there of databases, also half ones, without the logs of SQLite's that it makes and takes away. */
const copies = (): string[] =>
  readdirSync(home.path)
    .filter((name) => name.startsWith("postrider.db") && !/db-(wal|shm)$/.test(name))
    .toSorted();

/** The first column of the first row; the file must be whole. */
function one(path: string, sql: string): unknown {
  const sqlite = new Database(path, { readwrite: true, create: false });
  try {
    expect(sqlite.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    return sqlite.query(sql).values()[0]?.[0];
  } finally {
    sqlite.close(true);
  }
}

const ROWS = 5_000;
const SCHEMA = "SELECT max(name) FROM schema_migrations";
const COUNT = "SELECT count(*) FROM contacts WHERE first_name LIKE 'xx%'";

/** Some 20 MB of an earlier schema: copying them takes a while. */
function makeOld(): void {
  const sqlite = new Database(database());
  sqlite.exec("PRAGMA journal_mode = WAL");
  sqlite.exec(`PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
  sqlite.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'con_' || i, 1, 'p' || i || '@example.com', replace(hex(zeroblob(2000)), '0', 'x'), '', 'SUBSCRIBED', '', 1 FROM n`,
  );
  sqlite.close(true);
}

/** Kills a command as soon as `isTime`; it may have ended before. */
async function killed(args: readonly string[], isTime: () => boolean): Promise<void> {
  const child = Bun.spawn([...PROGRAM, ...args], {
    env: { ...process.env, DATA_DIR: home.path },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  while (child.exitCode === null && !isTime()) await Bun.sleep(0);
  child.kill("SIGKILL");
  await child.exited;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const named = (end: RegExp) => (): string | undefined =>
  readdirSync(home.path).find((name) => end.test(name));
const partOfCopy = named(/\.before-\w+\.part$/);

describe.skipIf(isElsewhere)("an upgrade that is cut off", () => {
  async function expectUpgrades(): Promise<void> {
    expect(await postrider(home.path, ["migrate"])).toMatchObject({ code: 0 });
    expect(one(database(), COUNT)).toBe(ROWS);
    expect(String(one(database(), SCHEMA)) > "0041").toBe(true);
    const [, copy = "", ...more] = copies();
    expect([copy, more]).toEqual([expect.stringMatching(/\.before-\w+$/), []]);
    expect([
      one(join(home.path, copy), COUNT),
      String(one(join(home.path, copy), SCHEMA)).slice(0, 4),
    ]).toEqual([ROWS, "0040"]);
    expect(readdirSync(home.path).filter((name) => /part|whole/.test(name))).toEqual([]);
  }

  const MOMENTS: [string, () => boolean][] = [
    ["when its copy begins", () => partOfCopy() !== undefined],
    ["in the middle of its copy", () => sizeOf(`${home.path}/${partOfCopy() ?? "none"}`) > 5 * MIB],
    ["while it changes the tables", () => sizeOf(`${database()}-wal`) > MIB],
    ["when its copy is whole", () => named(/\.before-\w+\.whole$/)() !== undefined],
    ["when its copy has its name", () => named(/\.before-\w+$/)() !== undefined],
  ];
  test.each(MOMENTS)("by a kill, %s: the next start does it", async (_, isTime) => {
    makeOld();
    await killed(["migrate"], isTime);
    expect(one(database(), COUNT)).toBe(ROWS);
    await expectUpgrades();
  });

  test.skipIf(lacksLimits)("by a disk that takes no more of its copy: the next start does it", async () => {
    makeOld();
    const before = readFileSync(database());
    const { code, err } = await withSmallFiles(home.path, 8 * 1024, ["migrate"]);
    expect([code, err.trimEnd().split("\n").length]).toEqual([1, 1]);
    expect(copies()).toEqual(["postrider.db"]);
    expect(readFileSync(database()).equals(before)).toBe(true);
    await expectUpgrades();
  });
});
