import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/**
 * The row types of raw SQL, taken from the Drizzle schema: a column that is renamed or gets another type breaks
 * the build wherever a statement reads it. A statement names its columns as the database does (`settled_at`); they
 * come as the schema names them (`settledAt`). What it computes (`count(*) AS n`) is added, as `Row<…> & { n: number }`.
 */
export type Row<T extends PgTable, K extends keyof Columns<T>> = { [P in K]: Value<T, P> };

/** The same for a table on the right side of a LEFT JOIN: all columns are null if there is no row. */
export type OuterRow<T extends PgTable, K extends keyof Columns<T>> = { [P in K]: Value<T, P> | null };

/** One column's value as a raw row has it: JSON in a text column is text, a time is in milliseconds. */
export type Value<T extends PgTable, K extends keyof Columns<T>> = Raw<Columns<T>[K]["_"]>;

type Columns<T extends PgTable> = T["_"]["columns"];

type Raw<C extends PgColumn["_"]> =
  | (C["columnType"] extends "PgCustomColumn" ? C["driverParam"] : C["data"])
  | (C["notNull"] extends true ? never : null);
