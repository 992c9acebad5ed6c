/**
 * What is moved from one engine to the other, table by table: one list for both. What only one of them has is not in
 * it: SQLite's indexes that follow by themselves, and how PostgreSQL's nodes share the work. That is made anew from
 * what was moved (storage/sqlite/move/finishing.ts, storage/postgres/move/finishing.ts).
 */

/**
 * How a column's values travel. `int`, `text` and `bytes` as they are; a `flag` as 0 or 1; `texts` as a JSON array in
 * text; `json` as JSON in text.
 */
export type Kind = "int" | "text" | "bytes" | "flag" | "texts" | "json";

export type MovedTable = {
  readonly name: string;
  /** The order in which its rows are read: an index of both engines has it. */
  readonly key: readonly string[];
  /** The same, where SQLite has another index. */
  readonly sqliteKey?: readonly string[];
  /** The names of its columns by kind, with spaces between them. */
  readonly columns: Readonly<Partial<Record<Kind, string>>>;
  /** Each number is the sum of PostgreSQL's rows with the same key. */
  readonly isSummed?: true;
  /** Triggers of PostgreSQL write it while other tables are filled. */
  readonly isKeptByPostgres?: true;
  /** A row may have a megabyte. */
  readonly isBig?: true;
};

export type Column = { readonly name: string; readonly kind: Kind };

/** SQLite has these names for what PostgreSQL would read as something else. */
const SQLITE_NAMES: Readonly<Record<string, string>> = { person: "user", one: "only" };

export const sqliteName = (column: string): string => SQLITE_NAMES[column] ?? column;

const KINDS: readonly Kind[] = ["int", "text", "bytes", "flag", "texts", "json"];

/** The columns in the order in which a row has its values. */
export const columnsOf = ({ columns }: MovedTable): readonly Column[] =>
  KINDS.flatMap((kind) => (columns[kind]?.split(" ") ?? []).map((name) => ({ name, kind })));

/** The values of a row's key, as it is read by. */
export const keyOf = <T>(table: MovedTable, key: readonly string[], row: readonly T[]): readonly T[] => {
  const names = columnsOf(table).map(({ name }) => name);
  return key.map((name) => row[names.indexOf(name)] as T);
};

/** What both engines add up of a table, to compare it. Rows of sums may be more or fewer where they are 0. */
export const comparedColumns = (table: MovedTable): readonly Column[] =>
  columnsOf(table).filter(({ name }) => table.isSummed !== true || !table.key.includes(name));

/** So many rows are read and written at once. */
export const rowsAtOnce = ({ isBig }: MovedTable): number => (isBig === true ? 50 : 2_000);

/** Numbers are given to its rows by the database. */
export const isNumbered = ({ key }: MovedTable): boolean => key.length === 1 && key[0] === "seq";

/** A mailing's numbers: columns of it in SQLite, rows of their own in PostgreSQL (`tallies`). */
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

/** Sums of numbers are of what remains of each, so that no sum of times grows too large for 64 bits. */
export const SUM_MODULUS = 1_000_003;
