import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { lacksTerminal } from "../../support/common/needs.ts";
import { calling, makeDatabase, valueIn } from "../../support/server/backups.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { keyOf, PROGRAM, postrider } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const isElsewhere = needsSqlite("PostgreSQL has backups of its own");

const at = freshHomes();
let file = "";
beforeEach(() => {
  file = `${at.other}/backup.db`;
});

describe.skipIf(isElsewhere)("a backup", () => {
  test.skipIf(lacksTerminal())(
    "shows how far it is on a terminal, and nothing of that elsewhere",
    async () => {
      await makeDatabase(at.home);
      const line = [...PROGRAM, "backup", file].map((word) => `'${word}'`).join(" ");
      const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
        env: { ...process.env, DATA_DIR: at.home, TERM: "xterm" },
        stdin: "ignore",
      });
      const shown = (await new Response(child.stdout).text()).replaceAll("\r\u001b[K", "<wipe>");
      expect([await child.exited, existsSync(file)]).toEqual([0, true]);
      expect(shown).toMatch(/<wipe>\[[= ]{24}\] +\d+%, copied/);
      expect(shown).toMatch(/<wipe>[^\r]*backup\.db: [\d.]+ MiB, 0 contacts, checked\r\n$/);
      const plain = await postrider(at.home, ["backup", `${file}.2`]);
      expect([plain.code, plain.err]).toEqual([0, ""]);
      expect(plain.out).toMatch(/^[^\r]*backup\.db\.2: [\d.]+ MiB, 0 contacts, checked\n$/);
      expect(readdirSync(at.other).toSorted()).toEqual(["backup.db", "backup.db.2"]);
    },
  );

  test("of a server that writes all the while is whole, holds a moment of it, and does not stop it", async () => {
    const server = await at.start();
    const call = calling(server, keyOf(server));
    const made: string[] = [];
    const stopped = new AbortController();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; !stopped.signal.aborted; i++) {
        const email = `reader-${writer}-${i}@example.com`;
        await call("POST", "/contacts", { email, tags: ["news"], attributes: { number: i } });
        made.push(email);
      }
    });
    while (made.length < 50) await call("GET", "/lists");
    const before = made.length;
    const ended = await postrider(at.home, ["backup", file, "--json"]);
    stopped.abort();
    await Promise.all(writers);

    expect([ended.code, ended.err]).toEqual([0, ""]);
    const told = JSON.parse(ended.out);
    expect(told.contacts).toBeGreaterThanOrEqual(before);
    expect(told.contacts).toBeLessThanOrEqual(made.length);
    expect(made.length).toBeGreaterThan(before);
    expect(valueIn(file, "PRAGMA integrity_check")).toBe("ok");
    expect(valueIn(file, "SELECT count(*) FROM contacts")).toBe(told.contacts);
    expect(valueIn(file, "SELECT n FROM contact_counts WHERE tag = 'news'")).toBe(told.contacts);
    expect(valueIn(file, "SELECT n FROM attribute_counts WHERE name = 'number'")).toBe(told.contacts);
    expect(valueIn(file, "SELECT count(attributes ->> '$.number') FROM contact_attributes")).toBe(
      told.contacts,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(at.other)).toEqual(["backup.db"]);
  });

  test("never takes the place of a file, and needs a database and a directory", async () => {
    await makeDatabase(at.home);
    writeFileSync(file, "Ada's");
    const REFUSED = [
      [at.home, file, "is there already"],
      [at.home, `${at.other}/no/backup.db`, "there is no directory"],
      [`${at.other}/empty`, `${at.other}/new.db`, "there is no database"],
      [at.home, `${at.home}/postrider.db-wal`, "choose another"],
      [at.home, `${at.other}/new.db-journal`, "choose another"],
      [at.home, `${at.home}/postrider.db.part`, "choose another"],
    ] as const;
    for (const [dataDir, target, says] of REFUSED) {
      const ended = await postrider(dataDir, ["backup", target]);
      expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining(says) });
    }
    expect(readFileSync(file, "utf8")).toBe("Ada's");
    expect(readdirSync(at.other)).toEqual(["backup.db"]);
    expect(readdirSync(at.home)).not.toContain("postrider.db-wal");
  });

  test("in the place of a server's file is touched by no command, also none that makes a backup", async () => {
    const server = await at.start();
    await postrider(at.home, ["backup", file]);
    const put = readFileSync(file);
    renameSync(file, `${at.home}/postrider.db`);
    for (const words of [
      ["key", "list"],
      ["backup", `${at.other}/second.db`],
    ]) {
      const { code, err } = await postrider(at.home, words);
      expect([code, err]).toEqual([
        1,
        expect.stringContaining("put that one back, or stop the server first"),
      ]);
    }
    await server.end("SIGTERM");
    expect(readFileSync(`${at.home}/postrider.db`).equals(put)).toBe(true);
    expect((await postrider(at.home, ["key", "list"])).code).toBe(0);
  });

  test("of a damaged database is none", async () => {
    await makeDatabase(at.home);
    const path = `${at.home}/postrider.db`;
    writeFileSync(path, readFileSync(path).fill(0xff, 8192, 16384));
    const { code, err } = await postrider(at.home, ["backup", file]);
    expect(code).toBe(1);
    // A read that failed once looks the same to SQLite.
    expect(err).toMatch(/damaged, or its disk cannot be read .*`postrider doctor`.*only if/);
    expect(readdirSync(at.other)).toEqual([]);
  });
});
