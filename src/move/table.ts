/**
 * The tables that are moved from one engine to the other: one list for both. Not in it is what only one engine has:
 * SQLite's indexes that are updated in the background, and how PostgreSQL's nodes share the work. That is built
 * from the moved rows (storage/sqlite/move/finishing.ts, storage/postgres/move/finishing.ts).
 */

/**
 * How a column's values are transferred. `int`, `text` and `bytes` unchanged; a `flag` as 0 or 1; `texts` as a JSON
 * array in text; `json` as JSON in text.
 */
export type Kind = "int" | "text" | "bytes" | "flag" | "texts" | "json";

export type MovedTable = {
  readonly name: string;
  /** The order in which its rows are read. Both engines have an index for it. */
  readonly key: readonly string[];
  /** The same, if SQLite has another index. */
  readonly sqliteKey?: readonly string[];
  /** The names of its columns by kind, with spaces between them. */
  readonly columns: Readonly<Partial<Record<Kind, string>>>;
  /** PostgreSQL has several rows with the same key: each number is their sum. */
  readonly isSummed?: true;
  /** PostgreSQL's triggers fill it while other tables are written. */
  readonly isKeptByPostgres?: true;
  /** A row may have about a megabyte. */
  readonly isBig?: true;
};

export type Column = { readonly name: string; readonly kind: Kind };

/** SQLite's own names for columns whose names are reserved words in PostgreSQL. */
const SQLITE_NAMES: Readonly<Record<string, string>> = { person: "user", one: "only" };

export const sqliteName = (column: string): string => SQLITE_NAMES[column] ?? column;

const KINDS: readonly Kind[] = ["int", "text", "bytes", "flag", "texts", "json"];

/** The columns in the order in which a row has its values. */
export const columnsOf = ({ columns }: MovedTable): readonly Column[] =>
  KINDS.flatMap((kind) => (columns[kind]?.split(" ") ?? []).map((name) => ({ name, kind })));

/** The values of a row's key, in the order of `key`. */
export const keyOf = <T>(table: MovedTable, key: readonly string[], row: readonly T[]): readonly T[] => {
  const names = columnsOf(table).map(({ name }) => name);
  return key.map((name) => row[names.indexOf(name)] as T);
};

/** The columns that both engines add up, to compare a table. Tables of sums may have more or fewer rows with 0. */
export const comparedColumns = (table: MovedTable): readonly Column[] =>
  columnsOf(table).filter(({ name }) => table.isSummed !== true || !table.key.includes(name));

/** How many rows are read and written at once. */
export const rowsAtOnce = ({ isBig }: MovedTable): number => (isBig === true ? 50 : 2_000);

/** Whether the database numbers its rows. */
export const isNumbered = ({ key }: MovedTable): boolean => key.length === 1 && key[0] === "seq";

/** A mailing's counts: columns of `mailings` in SQLite, rows of `tallies` in PostgreSQL. */
export const TALLIED: readonly string[] = [
  "planned",
  "queued",
  "dot",
  "sent",
  "bounced",
  "failed",
  "uncertain",
  "skipped",
  "accepted",
  "opened",
  "clicked",
  "unsubscribed",
  "machine_opened",
  "machine_clicked",
  "suspected",
];

/** Each number is added modulo this, so that no sum of times exceeds 64 bits. */
export const SUM_MODULUS = 1_000_003;
