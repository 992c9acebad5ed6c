import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lockServer } from "#app/database.ts";
import { unwrap } from "#core/errors/errors.ts";
import { MIGRATIONS as POSTGRES } from "#storage/postgres/schema/migrations.gen.ts";
import { MIGRATIONS as SQLITE } from "#storage/sqlite/schema/migrations.gen.ts";
import { emptyDatabase, lacksPostgres } from "../../support/storage/postgres.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const FIXTURE = resolve(import.meta.dir, "../../fixtures/schema-0040.sql");
const LATER = SQLITE.map(({ name }) => name).filter((name) => name > "0041");

const isMissing = await lacksPostgres();

let home: ReturnType<typeof temporaryDirectory>;
const file = (): string => `${home.path}/postrider.db`;
const look = (...flags: string[]) => postrider(home.path, ["migrate", ...flags]);

const change = (statement: string): void => {
  const sqlite = new Database(file());
  sqlite.exec(statement);
  sqlite.close(true);
};

beforeEach(() => {
  home = temporaryDirectory();
});
afterEach(() => home.remove());

describe.skipIf(needsSqlite("what PostgreSQL has of it is a test of its own"))("migrate", () => {
  test("with --check tells which migrations would run, and leaves every byte as it was", async () => {
    change(`PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
    const before = readFileSync(file());
    const names = readdirSync(home.path);
    const { code, out, err } = await look("--check");
    expect({ code, err }).toEqual({ code: 3, err: "" });
    expect(out).toBe(`${LATER.length} migrations would run:\n${LATER.join("\n")}\n`);
    const asJson = await look("--check", "--json");
    expect({ code: asJson.code, said: JSON.parse(asJson.out) }).toEqual({
      code: 3,
      said: { pending: LATER },
    });
    expect(readFileSync(file()).equals(before)).toBe(true);
    expect(readdirSync(home.path)).toEqual(names);
  });

  test("without --check runs them, and then nothing is left to do", async () => {
    change(`PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
    const ran = await look("--json");
    expect({ code: ran.code, said: JSON.parse(ran.out) }).toEqual({
      code: 0,
      said: { applied: LATER },
    });
    const { code, out } = await look("--check");
    expect({ code, out }).toEqual({
      code: 0,
      out: "The database has this version's schema: nothing is to be done.\n",
    });
  });

  test("no command upgrades under a server that runs: it knows only the schema that it started with", async () => {
    change(`PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
    const older = unwrap(lockServer(home.path, 0));
    for (const command of [["key", "list"], ["migrate"]])
      expect(await postrider(home.path, command)).toEqual({
        code: 1,
        out: "",
        err: expect.stringContaining(`under another Postrider server (process ${process.pid}`),
      });
    expect(JSON.parse((await look("--check", "--json")).out)).toEqual({ pending: LATER });
    expect(readdirSync(home.path).filter((name) => name.includes(".before-"))).toEqual([]);
    older.release();
    expect((await postrider(home.path, ["key", "list"])).code).toBe(0);
  });

  test("a newer version's database, no database, and one that is not ours are refused in one line with 1", async () => {
    const refused = async (what: string): Promise<void> => {
      const { code, out, err } = await look("--check");
      expect({ code, out, lines: err.trim().split("\n").length }).toEqual({
        code: 1,
        out: "",
        lines: 1,
      });
      expect(err).toContain(what);
    };
    await refused("there is no database");
    change("CREATE TABLE other (n)");
    await refused("is no Postrider database");
    change(`DROP TABLE other; PRAGMA foreign_keys = OFF; ${readFileSync(FIXTURE, "utf8")}`);
    change("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 1)");
    await refused("written by a newer Postrider (migration 9999_later");
    expect((await look("--chek")).code).toBe(2);
  });

  test.skipIf(isMissing)("tells the same of PostgreSQL", async () => {
    const database = await emptyDatabase();
    const sql = new SQL({ url: database.url, max: 1 });
    try {
      const check = async () => {
        const { code, out, err } = await postrider(home.path, ["migrate", "--check", "--json"], {
          DATABASE_URL: database.url,
        });
        return { code, err, ...(out === "" ? {} : JSON.parse(out)) };
      };
      const names = POSTGRES.map(({ name }) => name);
      const tables = () =>
        sql.unsafe("SELECT count(*)::int4 FROM pg_tables WHERE schemaname = 'public'").values();
      expect(await check()).toEqual({ code: 3, err: "", pending: names });
      expect(await tables()).toEqual([[0]]);
      const ran = await postrider(home.path, ["migrate"], {
        DATABASE_URL: database.url,
      });
      expect(ran).toMatchObject({ code: 0, err: "" });
      expect(await check()).toEqual({ code: 0, err: "", pending: [] });
      await sql.unsafe("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 1)");
      expect(await check()).toMatchObject({
        code: 1,
        err: expect.stringContaining("9999_later"),
      });
    } finally {
      await sql.close();
      await database.drop();
    }
  });
});
