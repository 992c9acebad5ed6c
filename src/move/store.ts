import type { MovedTable } from "./table.ts";

/** The values of a row, in the order of `columnsOf`. */
export type MovedRow = readonly (string | number | Uint8Array | null)[];

/** The key of a row: where the next reading goes on. */
export type Place = readonly (string | number)[];

/** The database that is left as it is, but for a mark at the end that the data went away. Nobody may write to it meanwhile. */
export type MoveSource = {
  /** It is another one once a server has started, or a person has changed something. */
  stamp(): Promise<string>;
  /** Where the data went; null: it is here. */
  movedTo(): Promise<string | null>;
  /**
   * Writes down that the data went to `place`: from then on no server starts here. False, and nothing is written, where
   * the database has another stamp now.
   */
  retire(stamp: string, place: string): Promise<boolean>;
  /** What must end before the database can be moved, in words for a person. */
  unfinished(): Promise<readonly string[]>;
  count(table: MovedTable): Promise<number>;
  /** The next rows after a place, in the order of the table's key. */
  read(table: MovedTable, after: Place | null, limit: number): Promise<readonly MovedRow[]>;
  placeOf(table: MovedTable, row: MovedRow): Place;
  sums(table: MovedTable): Promise<Sums>;
  /** The highest number that was ever given to a row: it is not given again. */
  highest(table: MovedTable): Promise<number>;
};

/** How many rows a table has, and the sum of each of `comparedColumns`. Null rows: they are no matter. */
export type Sums = { readonly rows: number | null; readonly sums: readonly number[] };

/** How far a table has come. */
export type Reached = { readonly place: Place | null; readonly isDone: boolean };

/** The database that is filled. It keeps how far it has come, and no server uses it before that is done. */
export type MoveTarget = {
  readonly engine: "SQLite" | "PostgreSQL";
  /** In words for a person, without a password. */
  readonly place: string;
  /**
   * How far an earlier call has come, by table; empty at the first one.
   * @throws Error where the database has something of its own, or was filled from another one
   */
  begin(stamp: string): Promise<ReadonlyMap<string, Reached>>;
  /** Writes rows, and how far the table has come with them: both or neither. */
  write(table: MovedTable, rows: readonly MovedRow[], reached: Reached): Promise<void>;
  sums(table: MovedTable): Promise<Sums>;
  /**
   * Makes what is not moved from what was, and holds all that is owed. Then the database is ready for a server.
   * Returns how many things are held.
   */
  finish(highest: ReadonlyMap<string, number>, now: number): Promise<number>;
};
