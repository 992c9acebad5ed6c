import { afterAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import * as schema from "#storage/sqlite/schema/schema.ts";

const sqlite = new Database(":memory:", { strict: true });
migrate(sqlite, MIGRATIONS, 0);
afterAll(() => sqlite.close());

/**
 * Tables that Drizzle does not describe: the migrator's own, the full-text index, and what SQLite keeps for
 * it.
 */
const NOT_DRIZZLES = /^(sqlite_.*|schema_migrations|contact_search(_.*)?)$/;

type Column = { name: string; type: string; notNull: boolean; key: number };
type PragmaColumn = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null };

const drizzleTables = Object.values(schema).flatMap((value) =>
  is(value, SQLiteTable) ? [getTableConfig(value)] : [],
);

const databaseTables = sqlite
  .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  .all()
  .map(({ name }) => name)
  .filter((name) => !NOT_DRIZZLES.test(name));

const pragma = (table: string): PragmaColumn[] =>
  sqlite.query<PragmaColumn, [string]>("SELECT * FROM pragma_table_info(?)").all(table);

/** `key` is the column's place in the primary key, from 1; 0 outside it. */
function inDatabase(table: string): Column[] {
  return pragma(table).map(({ name, type, notnull, pk }) => {
    // An INTEGER PRIMARY KEY is the rowid, which is never NULL, whatever the pragma says.
    const isRowid =
      pk === 1 && type === "INTEGER" && pragma(table).filter((each) => each.pk > 0).length === 1;
    return { name, type: type.toLowerCase(), notNull: notnull === 1 || isRowid, key: pk };
  });
}

function inDrizzle({ columns, primaryKeys }: ReturnType<typeof getTableConfig>): Column[] {
  const keys = primaryKeys.flatMap((key) => key.columns.map(({ name }) => name));
  return columns.map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    notNull: column.notNull,
    key: column.primary ? 1 : keys.indexOf(column.name) + 1,
  }));
}

/** A default as the database would show it: SQL text, or null where there is none. */
function shownDefault(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === "number") return String(value);
  return `'${typeof value === "string" ? value : JSON.stringify(value)}'`;
}

describe("the Drizzle schema and the migrated database", () => {
  test("have the same tables", () => {
    expect(drizzleTables.map(({ name }) => name).toSorted()).toEqual(databaseTables);
    expect(databaseTables.length).toBeGreaterThan(20);
  });

  test.each(drizzleTables.map((table) => [table.name, table] as const))(
    "%s: the same columns in the same order, their types, NOT NULL and primary key",
    (name, table) => {
      expect(inDrizzle(table)).toEqual(inDatabase(name));
    },
  );

  test.each(drizzleTables.map((table) => [table.name, table] as const))(
    "%s: the same defaults",
    (name, table) => {
      const drizzles = table.columns.map((column) => [column.name, shownDefault(column.default)]);
      expect(drizzles).toEqual(pragma(name).map((column) => [column.name, column.dflt_value]));
    },
  );

  test.each(drizzleTables.map((table) => [table.name, table] as const))(
    "%s: the same columns are UNIQUE by themselves",
    (name, table) => {
      const unique = sqlite
        .query<{ name: string }, [string]>(
          `SELECT min(c.name) AS name FROM pragma_index_list(?) i, pragma_index_info(i.name) c
         WHERE i."unique" = 1 AND i.origin = 'u' GROUP BY i.name HAVING count(*) = 1 ORDER BY 1`,
        )
        .all(name);
      const drizzles = table.columns.filter((column) => column.isUnique).map((column) => column.name);
      expect(drizzles.toSorted()).toEqual(unique.map((column) => column.name));
    },
  );

  test.each(drizzleTables.map((table) => [table.name, table] as const))(
    "%s: what Drizzle allows as a value, the CHECK allows, and nothing else",
    (name, table) => {
      const sql = sqlite
        .query<{ sql: string }, [string]>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
        .get(name)!.sql;
      for (const column of table.columns) {
        const checked = new RegExp(`CHECK \\(${column.name} IN \\(([^)]*)\\)\\)`).exec(sql)?.[1];
        // Of numbers Drizzle knows no list.
        const allowed = checked?.match(/'[^']*'/g)?.map((value) => value.slice(1, -1));
        const drizzles = (column.enumValues ?? []) as string[];
        expect([column.name, drizzles]).toEqual([column.name, allowed ?? []]);
      }
    },
  );

  test("every table is STRICT", () => {
    const loose = sqlite
      .query<{ name: string }, []>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0",
      )
      .all();
    expect(loose.map(({ name }) => name).filter((name) => !/^(sqlite_|contact_search)/.test(name))).toEqual(
      [],
    );
  });
});
