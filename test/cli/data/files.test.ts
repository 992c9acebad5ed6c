import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "#doctor/finding.ts";
import { lacks } from "../../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { PROGRAM, postrider, postriderProcess } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const isElsewhere = needsSqlite("the database is a file there");

const at = freshHomes();
let victim = "";
beforeEach(() => {
  victim = `${at.other}/victim`;
  writeFileSync(victim, "precious");
});

/** Every file below a directory that others than its owner may read or write. */
function openBelow(directory: string): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) =>
    join(directory, name),
  );
  return [directory, ...paths].filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

describe.skipIf(isElsewhere)("the files of a data directory", () => {
  test("are never written through a link that lies in their place", async () => {
    for (const name of ["server.json.new", "run.json.new", "postrider.db.part"])
      symlinkSync(victim, `${at.home}/${name}`);
    mkdirSync(`${at.home}/captured`);
    symlinkSync(victim, `${at.home}/captured/.000000000001.eml.part`);
    symlinkSync(victim, `${at.other}/backup.db.part`);
    symlinkSync(victim, `${at.other}/people.csv.postrider-${process.pid}.part`);

    const server = await at.start();
    const backup = await postrider(at.home, ["backup", `${at.other}/backup.db`]);
    const exported = await postrider(at.home, ["export", "contacts", "--output", `${at.other}/people.csv`]);
    expect([backup.code, exported.code, await server.end("SIGTERM")]).toEqual([0, 0, 0]);
    const restored = await postrider(at.home, ["restore", `${at.other}/backup.db`, "--force"]);
    expect([restored.code, restored.err]).toEqual([0, ""]);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(openBelow(at.home).filter((path) => !path.endsWith("captured"))).toEqual([]);
    for (const name of ["backup.db", "people.csv"])
      expect(lstatSync(`${at.other}/${name}`).mode & 0o777).toBe(0o600);
  });

  test("may lie on another disk, where a link leads to the database", async () => {
    await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
    renameSync(`${at.home}/postrider.db`, `${at.other}/postrider.db`);
    symlinkSync(`${at.other}/postrider.db`, `${at.home}/postrider.db`);
    const added = await postrider(at.home, ["suppression", "add", "ada@example.com"]);
    expect([added.code, added.err]).toEqual([0, ""]);
    const server = await at.start();
    expect([(await fetch(`${server.url}/health`)).status, await server.end("SIGTERM")]).toEqual([200, 0]);
  });

  test("that are gone are told as gone by commands and the doctor, which do not advise to start the server", async () => {
    await (await at.start()).end("SIGTERM");
    renameSync(`${at.home}/postrider.db`, `${at.other}/postrider.db`);
    const said = `${at.home}/postrider.db is gone or empty, though a server has used it`;
    const { code, err } = await postrider(at.home, ["key", "list"]);
    expect([code, err]).toEqual([1, expect.stringContaining(said)]);
    const { out } = await postrider(at.home, ["doctor"]);
    expect(out).toContain(`fail  database: ${said}`);
    expect(out).not.toContain("start the server once");
    symlinkSync("postrider.db", `${at.home}/postrider.db`);
    expect((await postrider(at.home, ["key", "list"])).err).toContain(said);
    rmSync(`${at.home}/run.json`);
    const { err: circle } = await postriderProcess(at.home, ["--port", "1"]);
    expect(circle).toContain("postrider.db is a symbolic link that leads to no file");
  });

  test.each(["postrider.db", "server.lock"])("are not made where a link leads: %s", async (name) => {
    const elsewhere = `${at.other}/made`;
    symlinkSync(elsewhere, `${at.home}/${name}`);
    const { code, out, err } = await postriderProcess(at.home, ["--port", "1"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`${name} is a symbolic link that leads to no file`);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test.each(["a disk's leavings", null])(
    "with no lock at the lock's name are not called damaged: %p",
    async (text) => {
      await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
      const lock = `${at.home}/server.lock`;
      rmSync(lock, { force: true });
      if (text === null) mkdirSync(lock);
      else writeFileSync(lock, text.repeat(100));
      const { code, err } = await postriderProcess(at.home, ["serve", "--port", "1"]);
      expect([code, err]).toEqual([1, expect.stringContaining(`remove ${lock}: it holds nothing`)]);
      expect(err).not.toMatch(/damaged|backup/);
    },
  );

  test("that others can read are warned about, in the banner and in the log", async () => {
    chmodSync(at.home, 0o755);
    const server = await at.start();
    expect(server.out()).toContain(
      `WARNING: others on this machine have access to ${at.home}. Do: chmod go= ${at.home}`,
    );
    expect(server.err()).toContain(
      `"level":"warn","message":"others on this machine have access to ${at.home}"`,
    );
    await server.end("SIGTERM");
    chmodSync(at.home, 0o700);
    const closed = await at.start();
    expect(closed.out() + closed.err()).not.toContain("others on this machine");
  });
});

describe.skipIf(isElsewhere || lacks("mount", canMount, "run these tests as root."))(
  "a data directory on a read-only disk",
  () => {
    const diskWith = async (make: (file: string) => Promise<unknown>): Promise<string> => {
      const disk = `${at.other}/disk`;
      mkdirSync(disk);
      mountDisk(disk, 8 * 1024);
      at.atEnd(() => unmountDisk(disk));
      await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
      await make(`${disk}/postrider.db`);
      expect(Bun.spawnSync(["mount", "-o", "remount,ro", disk]).exitCode).toBe(0);
      return disk;
    };
    const databaseIn = async (disk: string): Promise<Finding | undefined> => {
      const findings = JSON.parse((await postrider(disk, ["doctor", "--json"])).out) as Finding[];
      return findings.find(({ id }) => id === "database");
    };

    test("that has a backup is read: it needs no log", async () => {
      const disk = await diskWith((file) => postrider(at.home, ["backup", file]));
      expect(await databaseIn(disk)).toMatchObject({ result: "ok" });
      expect(await postrider(disk, ["backup", `${at.other}/again.db`])).toMatchObject({ code: 0, err: "" });
    });

    test("that has a server's database is refused in words: its log cannot be made there", async () => {
      const disk = await diskWith((file) => copyFile(`${at.home}/postrider.db`, file));
      const says = `${disk}: its file system is read-only`;
      const advice = expect.stringContaining("mount it so that it can be written");
      expect(await databaseIn(disk)).toMatchObject({ result: "fail", message: says, advice });
      expect((await postrider(disk, ["backup", `${at.other}/again.db`])).err).toStartWith(
        `postrider: ${says}: mount it so that it can be written, or use another; `,
      );
    });
  },
);

describe.skipIf(isElsewhere)("restore", () => {
  const backUp = async (): Promise<string> => {
    await postrider(at.home, ["workspace", "create", "--name", "Ada's"]);
    expect((await postrider(at.home, ["backup", `${at.other}/backup.db`])).code).toBe(0);
    return `${at.other}/backup.db`;
  };

  test.each([
    [
      "a trigger",
      "CREATE TRIGGER spy AFTER INSERT ON contacts BEGIN DELETE FROM suppressions; END",
      "it has the trigger spy, which Postrider did not make",
    ],
    ["a view", "CREATE VIEW spy AS SELECT email FROM contacts", "it has the view spy,"],
    ["an index", "CREATE INDEX spy ON contacts (email)", "it has the index spy,"],
    [
      "a column",
      "ALTER TABLE contacts ADD COLUMN spy TEXT",
      "its table contacts is not as Postrider made it",
    ],
    [
      "less",
      "DROP INDEX IF EXISTS contacts_by_seq; DROP TABLE schema_migrations; CREATE TABLE schema_migrations (name TEXT, hash TEXT)",
      "lacks|not as Postrider made it",
    ],
  ])("refuses a database with %s from elsewhere, and changes nothing", async (_, sql, says) => {
    const file = await backUp();
    const sqlite = new Database(file);
    const applied = sqlite.query("SELECT name, hash FROM schema_migrations").values() as [string, string][];
    sqlite.exec(sql);
    if (sql.includes("DROP TABLE"))
      for (const row of applied) sqlite.prepare("INSERT INTO schema_migrations VALUES (?, ?)").run(...row);
    sqlite.close();
    const before = readFileSync(`${at.home}/postrider.db`);
    const { code, out, err } = await postrider(at.home, ["restore", file, "--force"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith(`postrider: ${file} was changed by other means: `);
    expect(err).toMatch(new RegExp(says));
    expect(readFileSync(`${at.home}/postrider.db`).equals(before)).toBe(true);
  });

  test("makes no ./data where it was not told the server's directory, and says so", async () => {
    const file = await backUp();
    const elsewhere = join(at.other, "elsewhere");
    mkdirSync(elsewhere);
    const { DATA_DIR: _, ...env } = process.env;
    const [err, child] = [join(at.other, "err"), [...PROGRAM, "restore", file, "--force"]];
    const ended = Bun.spawn(child, {
      cwd: elsewhere,
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: Bun.file(err),
    });
    expect(await ended.exited).toBe(2);
    expect(readFileSync(err, "utf8")).toContain(
      "there is no ./data here: name the server's directory with --data-dir; on a new machine, --data-dir ./data makes it",
    );
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("names the file it was given, as it was given, whatever is wrong with it", async () => {
    const file = await backUp();
    writeFileSync(`${at.other}/text`, "no database at all ".repeat(1_000));
    writeFileSync(`${at.other}/empty`, "");
    writeFileSync(`${at.other}/torn`, readFileSync(file).fill(7, 4_096, 40_960));
    const newer = new Database(file);
    newer.exec("INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_later', 'x', 0)");
    newer.close();
    for (const name of ["text", "empty", "torn", "backup.db", "absent"]) {
      const given = `${at.other}/./${name}`;
      const { code, err } = await postrider(at.home, ["restore", given, "--force"]);
      expect([name, code, err.includes(given), err.includes(".part")]).toEqual([name, 1, true, false]);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
    }
  });
});
