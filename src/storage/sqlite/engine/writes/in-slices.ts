import type { Database } from "bun:sqlite";
import { atOnce } from "#core/time/event-loop.ts";
import type { LongWrites, Slices } from "./long-writes.ts";
import type { WriteQueue } from "./write-queue.ts";

/** How many rows a slice removes: some milliseconds of work, with their indexes and counts. */
export const ROWS = 250;

/**
 * Repeats statements that go together, until the last of them changes nothing.
 * @param statements their parameters are the key of the rows, and how many of them they may take. The others find the
 * rows by what the last one changes.
 * @param rows more where they have no indexes and counts: between slices the loop does other work, and all
 * other writes wait for the last slice
 */
export function* untilNone(
  sqlite: Database,
  statements: readonly string[],
  key: number,
  rows = ROWS,
): Generator<void, void, void> {
  const prepared = statements.map((sql) => sqlite.query<null, [number, number]>(sql));
  for (;;) {
    const changed = prepared.map((statement) => statement.run(key, rows).changes);
    if (changed.at(-1) === 0) return;
    yield;
  }
}

type Writers = { readonly sqlite: Database; readonly writes: WriteQueue; readonly longWrites: LongWrites };

/**
 * Does work in one turn of the event loop, unless it is long: then in slices. For work of which the rows tell beforehand
 * whether it is long; for other work there is `inATurnOrSlices`.
 * @param isLong asked when its turn to write has come: what waits before it in the queue may be what makes it long
 */
export async function inATurnUnless<T>(
  { sqlite, writes, longWrites }: Writers,
  isLong: () => boolean,
  slices: Slices<T>,
): Promise<T> {
  const done = await writes.write(() => (isLong() ? null : { value: atOnce(slices(sqlite)) }));
  return done === null ? await longWrites.write(slices) : done.value;
}

/**
 * Work yielded where it should have been done in one turn. Usually it is caught here and done again in slices; it reaches
 * a log only where nobody does that.
 */
export class TooLongForATurn extends Error {
  constructor() {
    super("This work is too long for one turn of the event loop: it is to be done in slices.");
  }
}

/**
 * Does work that yields only if it is too long for one turn of the event loop.
 * @throws TooLongForATurn if it yields: what it has done so far is to be undone
 */
export function inOneTurn<T>(work: Generator<void, T, void>): T {
  const step = work.next();
  if (step.done !== true) throw new TooLongForATurn();
  return step.value;
}

/**
 * Does work in one turn of the event loop, or in slices if it yields. For work that knows only on its way whether it is
 * long, because its rules decide that: it yields only then. It begins in one turn with others. If it yields, that attempt
 * is undone, and all of it is done again in slices. So its rules may be asked twice.
 * @param line of works that keep their order: those behind a long one wait for it
 */
export async function inATurnOrSlices<T>(writers: Writers, slices: Slices<T>, line = newLine()): Promise<T> {
  const { sqlite, writes } = writers;
  const attempt = writes.write(() => {
    if (line.isHeldUp) throw new TooLongForATurn();
    const work = slices(sqlite).next();
    line.isHeldUp = work.done !== true;
    if (work.done !== true) throw new TooLongForATurn();
    return { value: work.value };
  });
  const inSlices: Slices<{ value: T }> = function* (connection) {
    return { value: yield* slices(connection) };
  };
  return (await orInSlices(writers, attempt, inSlices)).value;
}

/** Works that are asked for together and keep their order. */
export const newLine = (): { isHeldUp: boolean } => ({ isHeldUp: false });

/** What an attempt in one turn returns; if it was too long for that, what the same work returns that is done in slices. */
export async function orInSlices<T>(
  { longWrites }: Pick<Writers, "longWrites">,
  attempt: Promise<T>,
  slices: Slices<T>,
): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof TooLongForATurn)) throw error;
  }
  return await longWrites.write(slices);
}
