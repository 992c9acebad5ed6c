import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "#storage/postgres/schema/schema.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../support/storage/postgres.ts";

const TABLES = Object.values(schema)
  .flatMap((value) => (is(value, PgTable) ? [getTableConfig(value)] : []))
  .toSorted((a, b) => a.name.localeCompare(b.name));
const EACH = TABLES.map((table) => [table.name, table] as const);

let database: TestDatabase;
let sql: SQL;

/** The rows of a question about one table. */
const ask = (table: string, question: string): Promise<any[]> => sql.unsafe(question, [table]);

describe.skipIf(await lacksPostgres())("the Drizzle schema and the migrated PostgreSQL", () => {
  beforeAll(async () => {
    database = await migratedDatabase();
    sql = new SQL({ url: database.url, max: 1 });
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  test("have the same tables", async () => {
    const found: { name: string }[] = await sql.unsafe(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> 'schema_migrations' ORDER BY relname COLLATE "C"`,
    );
    expect(TABLES.map(({ name }) => name).toSorted()).toEqual(found.map(({ name }) => name));
    expect(found.length).toBeGreaterThan(50);
  });

  test.each(EACH)("%s: the same columns in the same order, their types and NOT NULL", async (name, table) => {
    const found = await ask(
      name,
      `SELECT attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS "notNull" FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum`,
    );
    const columns = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      notNull: column.notNull,
    }));
    expect(columns).toEqual(found.map((column) => ({ ...column })));
  });

  test.each(EACH)("%s: the same primary key, and the same unique columns", async (name, table) => {
    const found = await ask(
      name,
      `SELECT contype AS kind, ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (n, at)
         JOIN pg_attribute ON attrelid = conrelid AND attnum = k.n ORDER BY k.at) AS columns
       FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype IN ('p', 'u')`,
    );
    const keys = found.map(({ kind, columns }) => `${kind} ${columns.join(", ")}`);
    const drizzles = [
      ...table.columns.filter((column) => column.primary).map((column) => `p ${column.name}`),
      ...table.primaryKeys.map((key) => `p ${key.columns.map((column) => column.name).join(", ")}`),
      ...table.columns.filter((column) => column.isUnique).map((column) => `u ${column.name}`),
      ...table.uniqueConstraints.map((key) => `u ${key.columns.map((column) => column.name).join(", ")}`),
    ];
    expect(drizzles.toSorted()).toEqual(keys.toSorted());
  });

  test.each(EACH)("%s: a value that may be left out has a default in both", async (name, table) => {
    const found = await ask(
      name,
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND (atthasdef OR attidentity <> '') ORDER BY attnum`,
    );
    const drizzles = table.columns.filter((column) => column.hasDefault).map((column) => column.name);
    expect(drizzles).toEqual(found.map((column) => column.name));
  });

  test.each(EACH)(
    "%s: what Drizzle allows as a value, the CHECK allows, and nothing else",
    async (name, table) => {
      const found = await ask(
        name,
        `SELECT a.attname AS name, pg_get_constraintdef(c.oid) AS text FROM pg_constraint AS c
       JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       WHERE c.conrelid = to_regclass($1) AND c.contype = 'c'`,
      );
      const checked = new Map<string, string[]>(
        found.map((check) => [
          check.name,
          [...check.text.matchAll(/'([^']*)'::/g)].map(([, value]) => value!),
        ]),
      );
      for (const column of table.columns)
        expect([column.name, column.enumValues ?? []]).toEqual([column.name, checked.get(column.name) ?? []]);
    },
  );

  test("text in an index is compared by bytes", async () => {
    const others: { name: string }[] = await sql.unsafe(
      `SELECT DISTINCT i.indexrelid::regclass::text AS name FROM pg_index AS i
       JOIN pg_class AS t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace,
       unnest(i.indcollation) AS used (rule)
       WHERE used.rule NOT IN (0, '"C"'::regcollation) AND t.relname <> 'schema_migrations'
       AND i.indexrelid::regclass::text NOT IN ('link_clicks_once')`,
    );
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  test("no index, and no condition of one, has a message's state", async () => {
    const found: { text: string }[] = await sql.unsafe(
      "SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'deliveries'::regclass",
    );
    expect(found.length).toBeGreaterThan(2);
    expect(found.filter(({ text }) => /\bstate\b|\bat\b|_at\b/.test(text))).toEqual([]);
  });
});
