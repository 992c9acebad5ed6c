import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  postrider,
  postriderProcess,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../support/postrider.ts";

let home: ReturnType<typeof temporaryDirectory>;
let other: ReturnType<typeof temporaryDirectory>;
let victim = "";
const closing: (() => unknown)[] = [];

beforeEach(() => {
  home = temporaryDirectory();
  other = temporaryDirectory();
  victim = `${other.path}/victim`;
  writeFileSync(victim, "precious");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  home.remove();
  other.remove();
});

async function start(): Promise<RunningServer> {
  const server = await startPostrider(home.path);
  closing.push(() => server.end("SIGKILL"));
  return server;
}

/** Every file below a directory that others than its owner may read or write. */
function openBelow(directory: string): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) =>
    join(directory, name),
  );
  return [directory, ...paths].filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

describe("the files of a data directory", () => {
  test("are never written through a link that lies in their place", async () => {
    for (const name of ["server.json.new", "run.json.new", "postrider.db.part"])
      symlinkSync(victim, `${home.path}/${name}`);
    mkdirSync(`${home.path}/captured`);
    symlinkSync(victim, `${home.path}/captured/.000000000001.eml.part`);
    symlinkSync(victim, `${other.path}/backup.db.part`);
    symlinkSync(victim, `${other.path}/people.csv.part`);

    const server = await start();
    const backup = await postrider(home.path, ["backup", `${other.path}/backup.db`]);
    const exported = await postrider(home.path, [
      "export",
      "contacts",
      "--output",
      `${other.path}/people.csv`,
    ]);
    expect([backup.code, exported.code, await server.end("SIGTERM")]).toEqual([0, 0, 0]);
    const restored = await postrider(home.path, ["restore", `${other.path}/backup.db`, "--force"]);
    expect([restored.code, restored.err]).toEqual([0, ""]);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(openBelow(home.path).filter((path) => !path.endsWith("captured"))).toEqual([]);
    for (const name of ["backup.db", "people.csv"])
      expect(lstatSync(`${other.path}/${name}`).mode & 0o777).toBe(0o600);
  });

  test.each(["postrider.db", "server.lock"])("are not made where a link leads: %s", async (name) => {
    const elsewhere = `${other.path}/made`;
    symlinkSync(elsewhere, `${home.path}/${name}`);
    const { code, out, err } = await postriderProcess(home.path, ["--port", "1"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`${name} is a symbolic link that leads to no file`);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("that others can read are warned about, in the banner and in the log", async () => {
    chmodSync(home.path, 0o755);
    const server = await start();
    expect(server.out()).toContain(
      `WARNING: others on this machine have access to ${home.path}. Do: chmod go= ${home.path}`,
    );
    expect(server.err()).toContain(
      `"level":"warn","message":"others on this machine have access to ${home.path}"`,
    );
    await server.end("SIGTERM");
    chmodSync(home.path, 0o700);
    const closed = await start();
    expect(closed.out() + closed.err()).not.toContain("others on this machine");
  });
});

describe("restore", () => {
  const backUp = async (): Promise<string> => {
    await postrider(home.path, ["workspace", "create", "--name", "Ada's"]);
    expect((await postrider(home.path, ["backup", `${other.path}/backup.db`])).code).toBe(0);
    return `${other.path}/backup.db`;
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
    const before = readFileSync(`${home.path}/postrider.db`);
    const { code, out, err } = await postrider(home.path, ["restore", file, "--force"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith(`postrider: ${file} was changed by other means: `);
    expect(err).toMatch(new RegExp(says));
    expect(readFileSync(`${home.path}/postrider.db`).equals(before)).toBe(true);
  });

  test("names the file it was given, as it was given, whatever is wrong with it", async () => {
    const file = await backUp();
    writeFileSync(`${other.path}/text`, "no database at all ".repeat(1_000));
    writeFileSync(`${other.path}/empty`, "");
    writeFileSync(`${other.path}/torn`, readFileSync(file).fill(7, 4_096, 40_960));
    const newer = new Database(file);
    newer.exec("INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_later', 'x', 0)");
    newer.close();
    for (const name of ["text", "empty", "torn", "backup.db", "absent"]) {
      const given = `${other.path}/./${name}`;
      const { code, err } = await postrider(home.path, ["restore", given, "--force"]);
      expect([name, code, err.includes(given), err.includes(".part")]).toEqual([name, 1, true, false]);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
    }
  });
});
