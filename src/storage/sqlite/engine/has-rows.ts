import type { Database } from "bun:sqlite";

/** Whose rows, and how many of them. */
type Rows = {
  readonly column: "contact" | "list" | "mailing";
  readonly value: number;
  readonly count: number;
};

/** Whether one of these tables has at least so many rows. Reads no more than that many of each. */
export const hasRows = (
  sqlite: Database,
  tables: readonly string[],
  { column, value, count }: Rows,
): boolean =>
  tables.some(
    (table) =>
      sqlite.query<object, [number]>(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT ${count}`).all(value)
        .length >= count,
  );
