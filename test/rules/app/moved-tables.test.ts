import { describe, expect, test } from "bun:test";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { getTableConfig as sqliteConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnsOf, keyOf, sqliteName, TALLIED } from "#move/table.ts";
import { MOVED } from "#move/tables.ts";
import { MIGRATIONS } from "#storage/postgres/schema/migrations.gen.ts";
import * as postgres from "#storage/postgres/schema/schema.ts";
import * as sqlite from "#storage/sqlite/schema/schema.ts";

/** What only one engine has. Whoever adds to it says how the other does without. */
const NOT_MOVED = {
  // Which process has what, and how they share what is owed: made from the messages (finishing.ts). Letters that are
  // shown for minutes: SQLite's one process has them in memory.
  postgres:
    "delivery_ends import_slices node_beats nodes plan_contacts plans retries shown_letters slices tallies".split(
      " ",
    ),
  // Runs of one server; indexes that are made from the rows (finishing.ts); totals of searches, kept for a while.
  sqlite: "contact_events event_index named_events runs search_counts search_index workspace_events".split(
    " ",
  ),
};
const LEFT_OUT = {
  // `folded` of counts: whether a row is a sum. Of events: made from their properties. `moved_to`: the copy is moved no
  // further yet.
  postgres: (table: string, column: string) =>
    column === "node"
      ? ["deliveries", "imports", "mailings", "webhooks"].includes(table)
      : column === "folded"
        ? table !== "contact_attributes"
        : ["instance.moved_to", "instance.origin", "mailing_audiences.settled"].includes(
            `${table}.${column}`,
          ),
  // Whom a plan is for while it is made: nothing is moved meanwhile.
  sqlite: (table: string, column: string) =>
    ["deliveries.run", "instance.moved_to", "mailing_audiences.asked", "mailing_audiences.excluded"].includes(
      `${table}.${column}`,
    ),
};
const POSTGRES_TYPES = {
  int: ["bigint", "integer", "smallint"],
  text: ["text"],
  bytes: ["bytea"],
  flag: ["boolean"],
  texts: ["text[]"],
  json: ["jsonb"],
};
const SQLITE_TYPES = {
  int: ["integer"],
  text: ["text"],
  bytes: ["blob"],
  flag: ["integer"],
  texts: ["text"],
  json: ["text", "blob"],
};

const inPostgres = new Map(
  Object.values(postgres)
    .flatMap((value) => (is(value, PgTable) ? [getTableConfig(value)] : []))
    .map((table) => [table.name, table]),
);
const inSqlite = new Map(
  Object.values(sqlite)
    .flatMap((value) => (is(value, SQLiteTable) ? [sqliteConfig(value)] : []))
    .map((table) => [table.name, table]),
);
/** What the rows of each table refer to, which PostgreSQL looks at for every row. Drizzle's tables do not know it. */
const REFERENCES = new Map(
  [
    ...MIGRATIONS.map(({ sql }) => sql)
      .join("\n")
      .matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)(.*?)^\)/gmsu),
  ].map(([, name, columns = ""]) => [name, [...columns.matchAll(/REFERENCES (\w+)/gu)].map(([, to]) => to)]),
);
const EACH = MOVED.map((table) => [table.name, table] as const);

describe("the tables that are moved from one engine to the other", () => {
  test("are all that there are, but those that only one of them has", () => {
    const moved = MOVED.map(({ name }) => name);
    expect(new Set(moved).size).toBe(moved.length);
    expect([...moved, ...NOT_MOVED.postgres].toSorted()).toEqual([...inPostgres.keys()].toSorted());
    expect([...moved, ...NOT_MOVED.sqlite].toSorted()).toEqual([...inSqlite.keys()].toSorted());
  });

  test.each(EACH)("%s: has every column of PostgreSQL's, and their types", (name, table) => {
    const found = inPostgres.get(name)!.columns.filter((column) => !LEFT_OUT.postgres(name, column.name));
    const own = columnsOf(table).filter((column) => name !== "mailings" || !TALLIED.includes(column.name));
    expect(own.map((column) => column.name).toSorted()).toEqual(
      found.map((column) => column.name).toSorted(),
    );
    const types = new Map(found.map((column) => [column.name, column.getSQLType()]));
    for (const column of own)
      expect([name, column.name, POSTGRES_TYPES[column.kind]]).toEqual([
        name,
        column.name,
        expect.arrayContaining([types.get(column.name)!]),
      ]);
  });

  test.each(EACH)("%s: has every column of SQLite's, and their types", (name, table) => {
    const found = inSqlite.get(name)!.columns.filter((column) => !LEFT_OUT.sqlite(name, column.name));
    const own = columnsOf(table).map((column) => ({ ...column, name: sqliteName(column.name) }));
    expect(own.map((column) => column.name).toSorted()).toEqual(
      found.map((column) => column.name).toSorted(),
    );
    const types = new Map(found.map((column) => [column.name, column.getSQLType()]));
    for (const column of own)
      expect([name, column.name, SQLITE_TYPES[column.kind]]).toEqual([
        name,
        column.name,
        expect.arrayContaining([types.get(column.name)!]),
      ]);
  });

  test("a mailing's numbers are those that PostgreSQL adds up", () => {
    const tallies = inPostgres.get("tallies")!.columns.map(({ name }) => name);
    expect(["mailing", "slot", ...TALLIED]).toEqual(tallies);
  });

  test.each(EACH)(
    "%s: is read in the order of a key that its columns have, which is unique",
    (name, table) => {
      const row = columnsOf(table).map((column) => column.name);
      for (const key of [table.key, table.sqliteKey ?? table.key])
        expect(keyOf(table, key, row)).toEqual(key);
      const { columns, primaryKeys } = inPostgres.get(name)!;
      const primary = columns.filter((column) => column.primary).map((column) => column.name);
      const unique = primaryKeys[0]?.columns.map((column) => column.name) ?? primary;
      if (table.isSummed !== true) expect(table.key).toEqual(unique);
      else expect(unique).toEqual([]);
    },
  );

  test("are known by what they refer to", () => {
    expect(new Set(REFERENCES.keys())).toEqual(new Set(inPostgres.keys()));
    expect(REFERENCES.get("list_members")).toEqual(["lists", "contacts"]);
  });

  const written = EACH.filter(([, table]) => table.isKeptByPostgres !== true);
  test.each(written)("%s: what it refers to is moved before it", (name) => {
    const before = MOVED.slice(
      0,
      MOVED.findIndex((one) => one.name === name),
    ).map((one) => one.name);
    const others = REFERENCES.get(name)!.filter((one) => one !== name);
    expect([name, before]).toEqual([name, expect.arrayContaining(others)]);
  });
});
