import type { MovedTable } from "./table.ts";

/** The values of a row, in the order of `columnsOf`. */
export type MovedRow = readonly (string | number | Uint8Array | null)[];

/** The key of a row: the next reading starts after it. */
export type Place = readonly (string | number)[];

/** The database that is copied. It gets only one change: a mark at the end. Nobody may write to it meanwhile. */
export type MoveSource = {
  /** Changes when a server has started or a person has changed something. */
  stamp(): Promise<string>;
  /** Where the data went; null: it is here. */
  movedTo(): Promise<string | null>;
  /**
   * Records that the data went to `place`: from then on no server starts here. If the stamp of the database has
   * changed, it returns false and writes nothing.
   * @param look reads once more what there is: no command writes between that and the mark
   * @throws Error if another move was first, and took it to another place
   */
  retire(stamp: string, place: string, look: () => Promise<void>): Promise<boolean>;
  /** What must end before the database can be moved, in words for a person. */
  unfinished(): Promise<readonly string[]>;
  count(table: MovedTable): Promise<number>;
  /** The next rows after a place, in the order of the table's key. */
  read(table: MovedTable, after: Place | null, limit: number): Promise<readonly MovedRow[]>;
  placeOf(table: MovedTable, row: MovedRow): Place;
  sums(table: MovedTable): Promise<Sums>;
  /** The highest number that a row ever had. It must not be used again. */
  highest(table: MovedTable): Promise<number>;
};

/** How many rows a table has, and the sum of each of `comparedColumns`. With null, the rows are not compared. */
export type Sums = { readonly rows: number | null; readonly sums: readonly number[] };

/** The progress of a table. */
export type Reached = { readonly place: Place | null; readonly isDone: boolean };

/** The database that is filled. It keeps the progress, and no server uses it before the move is complete. */
export type MoveTarget = {
  readonly engine: "SQLite" | "PostgreSQL";
  /** In words for a person, without a password. */
  readonly place: string;
  /**
   * The progress of an earlier call, by table; empty at the first one.
   * @param movedTo of the source
   * @throws Error if the database has data of its own, or was filled from another one; or if the data came here before,
   * and nothing is left of it
   */
  begin(stamp: string, movedTo: string | null): Promise<ReadonlyMap<string, Reached>>;
  /** Writes rows together with the table's progress: both or neither. */
  write(table: MovedTable, rows: readonly MovedRow[], reached: Reached): Promise<void>;
  sums(table: MovedTable): Promise<Sums>;
  /**
   * Call it before the source is retired. It changes nothing.
   * @throws Error if a moved row refers to one that is not there, except where `finish` mends that
   */
  checkReferences(): Promise<void>;
  /**
   * Builds from the moved rows what was not moved, and holds all that is owed. Then the database is ready for a
   * server. Returns how many things are held.
   */
  finish(highest: ReadonlyMap<string, number>, now: number): Promise<number>;
};
