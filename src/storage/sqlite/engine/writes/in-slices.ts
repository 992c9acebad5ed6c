import type { Database } from "bun:sqlite";
import type { Slices } from "./long-writes.ts";

/** How many rows a slice removes: some milliseconds of work, with their indexes and counts. */
const ROWS = 250;

/** Repeats a statement until it changes nothing. Its last parameter is how many rows it may take. */
export function* untilNone(
  sqlite: Database,
  sql: string,
  ...keys: readonly number[]
): Generator<void, void, void> {
  const statement = sqlite.query<null, number[]>(sql);
  while (statement.run(...keys, ROWS).changes > 0) yield;
}

/** All slices at once, in a transaction that is already open: for work that is known to be small. */
export function atOnce<T>(slices: Slices<T>, sqlite: Database): T {
  const work = slices(sqlite);
  for (let slice = work.next(); ; slice = work.next()) if (slice.done === true) return slice.value;
}
