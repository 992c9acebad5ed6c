/**
 * Moves a database from one engine to the other. Each slice of rows is written together with the progress so far.
 * So a move that was interrupted continues, and repeats nothing. At the end both databases are compared, and only
 * then is the copy made ready.
 */
import type { Instant } from "#core/time/clock.ts";
import { checkNotMoved } from "./moved-away.ts";
import type { MoveSource, MoveTarget, Reached } from "./store.ts";
import { isNumbered, rowsAtOnce, type MovedTable } from "./table.ts";
import { MOVED } from "./tables.ts";

export type Moved = {
  readonly tables: number;
  readonly rows: number;
  /** What waits for a person in the new database. */
  readonly held: number;
};

export type OnMoved = (share: number, table: string) => void;

/**
 * The source is marked as moved away before the copy is made ready. So at no moment can servers start on both,
 * whatever happens in between.
 * @throws Error with one line for a person; the source is unchanged but for that mark; the next call continues
 */
export async function moveDatabase(
  source: MoveSource,
  target: MoveTarget,
  now: Instant,
  onMoved: OnMoved,
): Promise<Moved> {
  const movedTo = await source.movedTo();
  checkNotMoved(movedTo, target.place);
  const unfinished = await source.unfinished();
  if (unfinished.length > 0) throw new Error(`it cannot be moved yet: ${unfinished.join("; ")}`);
  const stamp = await source.stamp();
  const reached = await target.begin(stamp, movedTo);
  const tables = MOVED.filter((table) => target.engine === "SQLite" || table.isKeptByPostgres !== true);
  const sizes = new Map<string, number>();
  for (const table of tables) sizes.set(table.name, await source.count(table));
  const total = sum([...sizes.values()]);
  let before = 0;
  for (const table of tables) {
    const size = sizes.get(table.name) ?? 0;
    const from = before;
    await moveTable(source, target, table, reached.get(table.name) ?? NOTHING_YET, (rows) =>
      onMoved((from + Math.min(rows, size)) / Math.max(1, total), table.name),
    );
    before += size;
  }
  onMoved(1, "both are compared");
  await target.checkReferences();
  const highest = new Map<string, number>();
  const lookOnceMore = async (): Promise<void> => {
    for (const table of tables) await compare(source, target, table);
    for (const table of tables) if (isNumbered(table)) highest.set(table.name, await source.highest(table));
  };
  if (!(await source.retire(stamp, target.place, lookOnceMore))) throw new Error(CHANGED);
  return { tables: tables.length, rows: total, held: await target.finish(highest, now) };
}

const CHANGED =
  "the database that is moved was changed meanwhile: keep servers and commands away, and move it into an empty one";

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const NOTHING_YET: Reached = { place: null, isDone: false };

async function moveTable(
  source: MoveSource,
  target: MoveTarget,
  table: MovedTable,
  reached: Reached,
  onRows: (rows: number) => void,
): Promise<void> {
  const limit = rowsAtOnce(table);
  let { place, isDone } = reached;
  for (let moved = 0; !isDone;) {
    const rows = await source.read(table, place, limit);
    const last = rows.at(-1);
    place = last === undefined ? place : source.placeOf(table, last);
    isDone = rows.length < limit;
    await target.write(table, rows, { place, isDone });
    moved += rows.length;
    onRows(moved);
  }
}

async function compare(source: MoveSource, target: MoveTarget, table: MovedTable): Promise<void> {
  const [here, there] = [await source.sums(table), await target.sums(table)];
  if (here.rows !== there.rows)
    throw new Error(`${table.name} has ${here.rows} rows, and its copy ${there.rows}: ${NOT_SAME}`);
  const differing = here.sums.findIndex((one, at) => one !== there.sums[at]);
  if (differing !== -1) throw new Error(`${table.name} and its copy differ: ${NOT_SAME}`);
}

const NOT_SAME =
  "the copy is not used. Keep servers and commands away from the old database, and move it into an empty one";
