import type { Database } from "bun:sqlite";
import type { Slices } from "./long-writes.ts";

/** Rows a slice takes out: some milliseconds' work, with their indexes and counts. */
const ROWS = 250;

/** Carries out a statement whose last parameter is how many rows it may take, until it finds none. */
export function* untilNone(
  sqlite: Database,
  sql: string,
  ...keys: readonly number[]
): Generator<void, void, void> {
  const statement = sqlite.query<null, number[]>(sql);
  while (statement.run(...keys, ROWS).changes > 0) yield;
}

/** All slices at once, within a transaction that is open: for what is known to be small. */
export function atOnce<T>(slices: Slices<T>, sqlite: Database): T {
  const work = slices(sqlite);
  for (let slice = work.next(); ; slice = work.next()) if (slice.done === true) return slice.value;
}
