/** Commands whose disk becomes full: what they say is true of a process that has ended. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { failureText } from "#commands/line/failure-text.ts";
import { asError } from "#core/errors/thrown.ts";
import { sqliteFaults } from "#storage/sqlite/engine/sqlite-faults.ts";
import { lacks } from "../../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { placeOf, postrider, PROGRAM } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const AGAIN = "Make room, and run the same command again";
const isElsewhere =
  needsSqlite("only its disk is the command's own") ||
  lacks("mount", canMount, "run these tests as root to try a full disk.");

const at = freshHomes();

function thrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return asError(error);
  }
  throw new Error("nothing was thrown");
}

describe.skipIf(isElsewhere)("an import that fills the disk", () => {
  const ROWS = 80_000;

  test("says what is in, that it has ended, and what a second run does; that does it", async () => {
    const data = `${at.home}/data`;
    mkdirSync(data);
    mountDisk(data, 16 * 1024);
    at.atEnd(() => unmountDisk(data));
    const { id } = JSON.parse(
      (await postrider(data, ["workspace", "create", "--name", "Ada's", "--json"])).out,
    );
    const file = `${at.other}/people.csv`;
    const rows = Array.from({ length: ROWS }, (_, i) => `person-${i}@example.com,SUBSCRIBED`);
    writeFileSync(file, ["email,status", ...rows].join("\n"));
    const run = () => postrider(data, ["import", "contacts", file, "--workspace", id]);

    const cutOff = await run();
    const created = /(\d+) created/.exec(cutOff.err)?.[1];
    expect(cutOff).toEqual({
      code: 1,
      out: "",
      err: `postrider: The database cannot be written: its disk is full. ${AGAIN}. Before that ${created} rows were done and stay: ${created} created, 0 updated, 0 skipped, 0 with errors. A second run finds these people, and adds nobody twice.\n`,
    });

    const log = JSON.parse((await postrider(data, ["audit", "list", "--json"])).out);
    expect(log.map(({ what }: { what: string }) => what)).toContain("import_started");

    const larger = Bun.spawnSync(["mount", "-o", "remount,size=256m", data]);
    expect(larger.exitCode).toBe(0);
    const again = await run();
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(again.out).toBe(
      `${ROWS - Number(created)} created, ${created} updated, 0 skipped, 0 with errors\n`,
    );
  });
});

test.skipIf(needsSqlite("it refuses writes by a trigger in the file"))(
  "an import that ends before any row was kept does not say that some stay",
  async () => {
    await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
    const sqlite = new Database(`${at.home}/postrider.db`);
    sqlite.run("CREATE TRIGGER full BEFORE INSERT ON contacts BEGIN SELECT RAISE(ABORT, 'no more'); END");
    sqlite.close();
    const file = `${at.other}/people.csv`;
    const bad = Array.from({ length: 60 }, () => "no address,SUBSCRIBED");
    writeFileSync(file, ["email,status", ...bad, "ada@example.com,SUBSCRIBED"].join("\n"));
    const { code, err } = await postrider(at.home, ["import", "contacts", file]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^postrider: no more\. Before that (\d+) rows were read: 0 created, 0 updated, 0 skipped, \1 with errors\.\n$/,
    );
  },
);

test.skipIf(isElsewhere)(
  "an export that does not fit names the file that was asked for, and leaves none",
  async () => {
    const disk = `${at.other}/disk`;
    mkdirSync(disk);
    mountDisk(disk, 4);
    at.atEnd(() => unmountDisk(disk));
    await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
    const rows = Array.from({ length: 500 }, (_, i) => `person-${i}@example.com,SUBSCRIBED`);
    writeFileSync(`${at.other}/people.csv`, ["email,status", ...rows].join("\n"));
    expect((await postrider(at.home, ["import", "contacts", `${at.other}/people.csv`])).code).toBe(0);
    expect(await postrider(at.home, ["export", "contacts", "--output", `${disk}/all.csv`])).toEqual({
      code: 1,
      out: "",
      err: `postrider: ${disk}/all.csv: its disk is full\n`,
    });
    expect(readdirSync(disk)).toEqual([]);
  },
);

test.skipIf(lacks("/dev/full", existsSync("/dev/full"), "only Linux has it."))(
  "whatever prints into a full disk says so in its one line, with a database open or without one",
  async () => {
    await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
    const env = { ...process.env, ...(await placeOf(at.home)), DATA_DIR: at.home };
    for (const args of [["settings", "get"], ["export", "contacts"], ["key", "list", "--json"], ["help"]]) {
      const words = ["sh", "-c", 'exec "$@" >/dev/full', "sh", ...PROGRAM, ...args];
      const { exitCode, stderr } = Bun.spawnSync(words, { env });
      const says = "standard output: its disk is full";
      const line = args.includes("--json")
        ? `${JSON.stringify({ error: { code: "FAILED", message: says } })}\n`
        : `postrider: ${says}\n`;
      expect([args, exitCode, stderr.toString()]).toEqual([args, 1, line]);
    }
  },
);

test.skipIf(lacks("/dev/full", existsSync("/dev/full"), "only Linux has it."))(
  "what is shown only once and could not be is told of, with a way to get another",
  async () => {
    const place = { ...(await placeOf(at.home)), DATA_DIR: at.home, BASE_URL: "https://mail.example.com" };
    const env = { ...process.env, ...place };
    const into = (...args: readonly string[]): string => {
      const words = ["sh", "-c", 'exec "$@" >/dev/full', "sh", ...PROGRAM, ...args];
      const { exitCode, stderr } = Bun.spawnSync(words, { env });
      expect([args, exitCode]).toEqual([args, 1]);
      return stderr.toString().replace("postrider: standard output: its disk is full. ", "").trimEnd();
    };
    const made = into("workspace", "create", "--name", "Ada's");
    expect(made).toMatch(/^The workspace (\S+) was made, .*`postrider key create --workspace \1`$/);
    const key = into("key", "create", "--name", "Shop");
    const [, id = ""] =
      /^The key (\S+) was made, .*`postrider key revoke \1`, and make another$/.exec(key) ?? [];
    expect((await postrider(at.home, ["key", "revoke", id])).code).toBe(0);
    const grace = "grace@example.com";
    const again = `For a new link: postrider user remove ${grace}, then user add once more`;
    const add = ["user", "add", grace, "--role", "editor"] as const;
    expect(into(...add)).toBe(`${grace} was added. ${again}`);
    expect((await postrider(at.home, ["user", "remove", grace])).code).toBe(0);
    expect((await postrider(at.home, add)).out).toContain("/console/welcome/");
    expect(into("user", "reset", grace)).toEndWith("run the same command again for another");
    expect((await postrider(at.home, ["user", "reset", grace])).out).toContain("/console/welcome/");
  },
);

test.skipIf(isElsewhere)(
  "on a disk without room even to read, commands and the doctor say that it is full, and all works once there is room",
  async () => {
    const data = `${at.home}/data`;
    mkdirSync(data);
    mountDisk(data, 4 * 1024);
    at.atEnd(() => unmountDisk(data));
    await postrider(data, ["workspace", "create", "--name", "Ada's"]);
    Bun.spawnSync(["dd", "if=/dev/zero", `of=${data}/fill`, "bs=4k"], { stderr: "ignore" });
    const full = `postrider: The database cannot be written: its disk is full. ${AGAIN}.\n`;
    expect(await postrider(data, ["key", "list"])).toEqual({ code: 1, out: "", err: full });
    for (const args of [["backup", `${at.other}/backup.db`], ["migrate"]])
      expect(await postrider(data, args)).toEqual({ code: 1, out: "", err: full });
    const { out } = await postrider(data, ["doctor"]);
    expect(out).toContain(`fail  database: ${data}/postrider.db: its disk is full. make room\n`);
    rmSync(`${data}/fill`);
    expect((await postrider(data, ["key", "list"])).code).toBe(0);
  },
);

test("SQLite's own words for a failing disk say what to do", () => {
  const thrownBy = (code: string, message: string): string =>
    failureText(Object.assign(new Error(message), { code }));
  expect(thrownBy("SQLITE_IOERR_FSYNC", "disk I/O error")).toContain(
    "its disk reports an error (disk I/O error). Look at the disk",
  );
  expect(thrownBy("SQLITE_CANTOPEN", "unable to open database file")).toEndWith(
    "may open more files (ulimit -n)",
  );
});

test("what the database and the system say of a failing disk, of too many files and of a mounted file, too", () => {
  const told = (code: string, what: object = {}): string =>
    failureText(Object.assign(new Error(`${code}: words of the system`), { code, ...what }));
  const ofDatabase = (code: string): string =>
    failureText(sqliteFaults().of(Object.assign(new Error("words of SQLite"), { code })));
  expect(ofDatabase("SQLITE_IOERR_FSYNC")).toContain("Look at the disk and at the system's log, then run");
  expect(ofDatabase("SQLITE_CANTOPEN")).toContain("more files (ulimit -n)");
  const file = { path: "/data/postrider.db" };
  expect(told("EIO", file)).toContain("/data/postrider.db: its disk reports an error: look at the disk");
  expect(told("EMFILE", file)).toEndWith("too many files open: let it open more (ulimit -n)");
  expect(told("EXDEV", { ...file, dest: "/data/postrider.db.replaced" })).toEndWith(
    "/data/postrider.db: it is on another disk, or was mounted by itself: mount its directory instead",
  );
  expect(told("EBUSY", file)).toEndWith("mount its directory instead of the file");
});

test("SQLite's own words for a full disk become ours, also where they are the cause", () => {
  const path = `${at.other}/small.db`;
  using sqlite = new Database(path);
  sqlite.run("CREATE TABLE t (x)");
  sqlite.run("PRAGMA max_page_count = 3");
  const full = thrown(() => sqlite.run("INSERT INTO t VALUES (zeroblob(1000000))"));
  expect(full.message).toBe("database or disk is full");
  expect(failureText(full)).toBe(`The database cannot be written: its disk is full. ${AGAIN}.`);
  expect(failureText(new Error(`/backup.db: ${full.message}`, { cause: full }))).toContain(AGAIN);
});

test.skipIf(isElsewhere)(
  "a copy that does not fit names its own place, not that of the file it is made from",
  () => {
    const [from, disk] = [`${at.other}/from`, `${at.home}/disk`];
    writeFileSync(from, Buffer.alloc(200_000));
    mkdirSync(disk);
    mountDisk(disk, 100);
    at.atEnd(() => unmountDisk(disk));
    expect(failureText(thrown(() => copyFileSync(from, `${disk}/copy`)))).toBe(
      `${disk}/copy: its disk is full`,
    );
  },
);
