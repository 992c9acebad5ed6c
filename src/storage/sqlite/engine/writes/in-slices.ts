import type { Database } from "bun:sqlite";
import { atOnce } from "#core/time/event-loop.ts";
import type { LongWrites, Slices } from "./long-writes.ts";
import type { WriteQueue } from "./write-queue.ts";

/** How many rows a slice removes: some milliseconds of work, with their indexes and counts. */
export const ROWS = 250;

/**
 * Repeats a statement until it changes nothing.
 * @param sql its parameters are the key of the rows, and how many of them it may take
 * @param rows more where they have no indexes and counts: between slices the loop does other work, and all
 * other writes wait for the last slice
 */
export function* untilNone(
  sqlite: Database,
  sql: string,
  key: number,
  rows = ROWS,
): Generator<void, void, void> {
  const statement = sqlite.query<null, [number, number]>(sql);
  while (statement.run(key, rows).changes > 0) yield;
}

type Writers = { readonly sqlite: Database; readonly writes: WriteQueue; readonly longWrites: LongWrites };

/**
 * Work that is short for most, and long for a few. `isLong` is asked when its turn to write has come: what
 * waits before it in the queue may be what makes it long.
 */
export async function shortOrLong<T>(
  { sqlite, writes, longWrites }: Writers,
  isLong: () => boolean,
  slices: Slices<T>,
): Promise<T> {
  const done = await writes.write(() => (isLong() ? null : { value: atOnce(slices(sqlite)) }));
  return done === null ? await longWrites.write(slices) : done.value;
}
