import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * The row types of raw SQL, taken from the Drizzle schema: a column that is renamed or gets another type
 * breaks the build wherever a statement reads it. A statement names its columns as the schema does
 * (`settled_at AS settledAt`). What it computes (`count(*) AS n`) is added, as `Row<…> & { n: number }`.
 * `test/storage/row-types.test.ts` compares every statement with its type.
 */
export type Row<T extends SQLiteTable, K extends keyof Columns<T>> = { [P in K]: Value<T, P> };

/** The same for a table on the right side of a LEFT JOIN: all columns are null if there is no row. */
export type OuterRow<T extends SQLiteTable, K extends keyof Columns<T>> = { [P in K]: Value<T, P> | null };

/**
 * One column's value as the driver gives it: JSON is text, a blob is bytes, a boolean is 0 or 1, a time is in
 * milliseconds.
 */
export type Value<T extends SQLiteTable, K extends keyof Columns<T>> = Raw<Columns<T>[K]["_"]>;

type Columns<T extends SQLiteTable> = T["_"]["columns"];

type Raw<C extends SQLiteColumn["_"]> =
  | (C["dataType"] extends "json" ? string : C["dataType"] extends "buffer" ? Uint8Array : C["data"])
  | (C["notNull"] extends true ? never : null);
