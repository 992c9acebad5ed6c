/** The form of the moved rows in SQLite: flags as 0 or 1, lists as JSON, attributes as SQLite's binary JSON. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { MovedRow, Place, Sums } from "#move/store.ts";
import {
  columnsOf,
  comparedColumns,
  keyOf,
  SUM_MODULUS,
  sqliteName,
  type Column,
  type MovedTable,
} from "#move/table.ts";

/** Quoted, because some names are SQL keywords. */
const named = ({ name }: Pick<Column, "name">): string => `"${sqliteName(name)}"`;

const sqliteKey = ({ sqliteKey: own, key }: MovedTable): readonly string[] => own ?? key;

export function readRows(
  sqlite: Database,
  table: MovedTable,
  after: Place | null,
  limit: number,
): readonly MovedRow[] {
  const columns = columnsOf(table).map((column) =>
    column.kind === "json" ? `json(${named(column)})` : named(column),
  );
  const key = sqliteKey(table)
    .map((name) => named({ name }))
    .join(", ");
  const from = after === null ? "" : `WHERE (${key}) > (${after.map(() => "?").join(", ")})`;
  return sqlite
    .query<unknown, SQLQueryBindings[]>(
      `SELECT ${columns.join(", ")} FROM ${table.name} ${from} ORDER BY ${key} LIMIT ?`,
    )
    .values(...(after ?? []), limit) as unknown as MovedRow[];
}

export const placeOf = (table: MovedTable, row: MovedRow): Place =>
  keyOf(table, sqliteKey(table), row) as Place;

/** Runs in an open transaction. */
export function writeRows(sqlite: Database, table: MovedTable, rows: readonly MovedRow[]): void {
  const columns = columnsOf(table);
  const isBinary = table.name === "contact_attributes";
  const insert = sqlite.query<null, SQLQueryBindings[]>(
    `INSERT INTO ${table.name} (${columns.map(named).join(", ")})
     VALUES (${columns.map(({ kind }) => (isBinary && kind === "json" ? "jsonb(?)" : "?")).join(", ")})`,
  );
  for (const row of rows) insert.run(...row);
}

export function sumsOf(sqlite: Database, table: MovedTable): Sums {
  const sums = comparedColumns(table).map((column) => `coalesce(sum(${summed(table, column)}), 0)`);
  const [found] = sqlite.query(`SELECT count(*), ${sums.join(", ")} FROM ${table.name}`).values();
  const [rows, ...added] = present(found, "sums of a table") as number[];
  return { rows: table.isSummed === true ? null : present(rows, "count of rows"), sums: added };
}

/** PostgreSQL accepts no text with NUL, so U+FFFD replaces it. The length of texts with either is not compared. */
const hasReplaced = (name: string): string =>
  `instr(CAST(${name} AS BLOB), x'00') + instr(CAST(${name} AS BLOB), x'EFBFBD')`;

function summed({ isSummed }: MovedTable, column: Column): string {
  const name = named(column);
  switch (column.kind) {
    case "int":
      return isSummed === true ? name : `${name} % ${SUM_MODULUS} + 1`;
    case "flag":
      return `${name} + 1`;
    case "texts":
      return `json_array_length(${name}) + 1`;
    case "json":
      return `${name} IS NOT NULL`;
    case "text":
      return `iif(${hasReplaced(name)}, 1, octet_length(${name}) + 1)`;
    case "bytes":
      return `octet_length(${name}) + 1`;
  }
}
