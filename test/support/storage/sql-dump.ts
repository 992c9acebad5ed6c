import type { Database } from "bun:sqlite";

type Entry = { type: string; name: string; sql: string };

/**
 * A contentless index cannot be read back, and SQLite forbids writing the tables behind it. So it is filled
 * from its source.
 */
const REFILL: Readonly<Record<string, string>> = {
  contact_search: "INSERT INTO contact_search (rowid, search) SELECT seq, search FROM contacts ORDER BY seq;",
};

/**
 * A database as SQL text that makes it again, `sqlite_sequence` included. Triggers come last, so that rows
 * are inserted as they are.
 */
export function dumpSql(sqlite: Database): string {
  const entries = sqlite
    .query<Entry, []>("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    .all()
    .filter(({ name }) => !name.startsWith("sqlite_"));
  const virtual = entries.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name);
  const tables = entries.filter(
    ({ type, name }) => type === "table" && !virtual.some((index) => name.startsWith(`${index}_`)),
  );
  const rest = entries.filter(({ type }) => type !== "table");
  return [
    ...tables.map(({ sql }) => `${sql};`),
    ...tables.flatMap(({ name }) => (virtual.includes(name) ? [] : rowsOf(sqlite, name))),
    ...virtual.map((name) => REFILL[name] ?? unknown(name)),
    'DELETE FROM "sqlite_sequence";',
    ...rowsOf(sqlite, "sqlite_sequence"),
    ...rest.map(({ sql }) => `${sql};`),
    "",
  ].join("\n");
}

function rowsOf(sqlite: Database, name: string): string[] {
  const rows = sqlite.query(`SELECT * FROM "${name}"`).values();
  return rows.map((row) => `INSERT INTO "${name}" VALUES (${row.map(literal).join(", ")});`);
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`;
  if (typeof value !== "string") throw new Error(`a value of type ${typeof value}`);
  return `'${value.replaceAll("'", "''")}'`;
}

function unknown(name: string): never {
  throw new Error(`${name}: say in REFILL what this index is filled from`);
}
