/** What needs room for a whole database looks first whether there is any: on a tmpfs, if this machine lets a test mount one. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openServerDatabase } from "#app/server-database.ts";
import { readConfig } from "#config.ts";
import { unwrap } from "#core/errors/errors.ts";
import { asError } from "#core/errors/thrown.ts";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { lacks } from "../../support/common/needs.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const isElsewhere = needsSqlite("only its disk is the server's own");
const lacksMount = lacks("right to mount a tmpfs", canMount, "run them as root.");

const FIXTURE = resolve(import.meta.dir, "../../fixtures/schema-0040.sql");
const MIB = 1024 ** 2;
const DISK_MIB = 160;

let disk = "";
let home: ReturnType<typeof temporaryDirectory>;
/** The databases on the disk, also half ones. */
const copies = (): string[] =>
  readdirSync(disk).filter((name) => name.startsWith("postrider.db") && !/-(wal|shm)$/.test(name));
const database = (): string => `${disk}/postrider.db`;
/** Takes so much of the disk. A tmpfs counts what was written. */
const fill = (mib: number): void => writeFileSync(`${disk}/ballast`, Buffer.alloc(mib * MIB, 1));

function makeOld(path: string): void {
  const sqlite = new Database(path);
  sqlite.exec(`PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
  sqlite.exec("PRAGMA journal_mode = WAL");
  sqlite.close(true);
}

beforeEach(() => {
  home = temporaryDirectory();
  disk = mkdtempSync(join(tmpdir(), "postrider-room-"));
  if (canMount) mountDisk(disk, DISK_MIB * 1024);
});
afterEach(() => {
  if (canMount) unmountDisk(disk);
  rmSync(disk, { recursive: true, force: true });
  home.remove();
});

/** One line that says how much is needed, how much is free, and what to do. */
const saying = (what: string, advice: string) =>
  expect.stringMatching(
    new RegExp(
      `^postrider: there is no room for ${what} in ${disk}: it needs (\\d+) MiB \\(\\d+ for the copy, 100 to spare\\), and \\d+ MiB are free: nothing was changed; make room, and ${advice}\n$`,
    ),
  );

describe.skipIf(isElsewhere || lacksMount)("where the disk has no room for it", () => {
  test("an old database is not upgraded, and stays as it was; with room the next start does it", async () => {
    makeOld(database());
    const before = readFileSync(database());
    fill(DISK_MIB - 90);
    const refused = await postrider(disk, ["migrate"]);
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: saying("the copy that is made before an upgrade", "start again"),
    });
    expect(copies()).toEqual(["postrider.db"]);
    expect(readFileSync(database()).equals(before)).toBe(true);
    const config = unwrap(readConfig({ flags: {}, environment: { DATA_DIR: disk }, onTerminal: false }));
    const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
    const refusal: unknown = await openServerDatabase(config, world).catch((error: unknown) => error);
    expect(asError(refusal).message).toContain("there is no room");
    // The next start would take it for what a crash has left, and read the whole database.
    expect(existsSync(`${disk}/server.json`)).toBeFalse();
    rmSync(`${disk}/ballast`);
    expect(await postrider(disk, ["migrate"])).toMatchObject({ code: 0 });
    expect(copies().toSorted()).toEqual(["postrider.db", expect.stringMatching(/\.before-\w+$/)]);
  });

  test("what an upgrade that was killed has left of its copy is not in the next one's way", async () => {
    makeOld(database());
    const first = /^\d{4}_\w+$/m.exec((await postrider(disk, ["migrate", "--check"])).out)![0];
    writeFileSync(`${database()}.before-${first}.part`, Buffer.alloc(40 * MIB, 1));
    fill(30);
    expect(await postrider(disk, ["migrate"])).toMatchObject({ code: 0 });
    expect(copies().filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a backup is not restored, and the database stays as it was; with room the next one is", async () => {
    await postrider(disk, ["workspace", "create", "--name", "Ada's"]);
    const backup = `${home.path}/backup.db`;
    await postrider(disk, ["backup", backup]);
    const before = [copies(), readFileSync(database())];
    fill(DISK_MIB - 90);
    const refused = await postrider(disk, ["restore", backup, "--force"]);
    expect(refused).toEqual({ code: 1, out: "", err: saying("the restored database", "restore again") });
    rmSync(`${disk}/ballast`);
    expect([copies(), readFileSync(database())]).toEqual(before);
    writeFileSync(`${database()}.part`, Buffer.alloc(60 * MIB, 1));
    expect(await postrider(disk, ["restore", backup, "--force"])).toMatchObject({ code: 0, err: "" });
    expect(copies().filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});
