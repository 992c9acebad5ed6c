import type { Database } from "bun:sqlite";
import type { JsonValue } from "#core/request/json-value.ts";
import type { ContactBits } from "./contact-bits.ts";

/**
 * Rows of one table are read in ranges of this many numbers, or of so many contacts, so that only one range at a time
 * is in memory.
 */
export const OF_NUMBERS = { range: 262_144, candidates: 65_536 };
/** The same where values are read: one may have 8 KB, and SQLite makes no text above 1 GB. */
const OF_VALUES = { range: 2_048, candidates: 2_048 };
type Steps = typeof OF_NUMBERS;

export type Values = Readonly<Record<string, string | number>>;

/**
 * A select that returns `found`, or several columns, for a range of the table's row numbers: from `$after`
 * (excluded) to `$through`.
 */
export type Sweep = { readonly sql: string; readonly values: Values } & (
  | { readonly after: number; readonly through: number }
  | { readonly among: ContactBits }
);

/** Some contacts as a table: its column `value` is a `contacts.seq`. */
export const CANDIDATES = "json_each($among) AS w";

type Column = readonly JsonValue[];

type Texts = readonly (string | null)[];

/**
 * Calls `take` with the columns of a select, range by range. The columns are JSON and never NULL. All values
 * of a column come from SQLite as one text, because reading row by row is slower.
 */
function sweep(
  sqlite: Database,
  of: Sweep,
  names: readonly string[],
  steps: Steps,
  take: (columns: readonly Column[]) => void,
): void {
  // A number has one row, but a contact may have any number of them.
  const isLong = "among" in of && steps === OF_VALUES;
  const texts = names.map((name) => `group_concat(${name})`).join(", ");
  const select = sqlite.query<object, [Values]>(isLong ? of.sql : `SELECT ${texts} FROM (${of.sql})`);
  const read = isLong
    ? (values: Values): Iterable<Texts> =>
        rowByRow(select.iterate(values) as Iterable<Row>, names, steps.range)
    : (values: Values): Iterable<Texts> => select.values(values) as Texts[];
  for (const step of stepsOf(of, steps))
    for (const found of read({ ...of.values, ...step })) {
      const columns = found.map((text) => JSON.parse(`[${text ?? ""}]`) as Column);
      if ((columns[0] ?? []).length > 0) take(columns);
    }
}

type Row = Readonly<Record<string, string | number>>;

/** The texts of so many rows at a time. Pages by OFFSET would read all rows before them again. */
function* rowByRow(
  rows: Iterable<Row>,
  names: readonly string[],
  rowsMax: number,
): Generator<Texts, void, void> {
  let columns = names.map((): (string | number)[] => []);
  for (const row of rows) {
    names.forEach((name, at) => columns[at]?.push(row[name] ?? "null"));
    if (columns[0]?.length !== rowsMax) continue;
    yield columns.map((column) => column.join());
    columns = names.map(() => []);
  }
  yield columns.map((column) => column.join());
}

function* stepsOf(of: Sweep, { range, candidates }: Steps): Generator<Values> {
  if ("among" in of) {
    let last = 0;
    for (;;) {
      const some = of.among.ascending(last, candidates);
      last = some.at(-1) ?? 0;
      if (some.length > 0) yield { among: JSON.stringify(some) };
      if (some.length < candidates) return;
    }
  }
  for (let { after } = of; after < of.through; after += range)
    yield { after, through: Math.min(after + range, of.through) };
}

/** The same for `found`, a column of `contacts.seq`. */
export function sweepSeqs(sqlite: Database, of: Sweep, take: (seqs: readonly number[]) => void): void {
  sweep(sqlite, of, ["found"], OF_NUMBERS, ([found = []]) => take(found as readonly number[]));
}

/** The same for rows: `contact`, which is a `contacts.seq`, and columns with these names. `steps`: for short values more at once. */
export function sweepRows(
  sqlite: Database,
  of: Sweep,
  names: readonly string[],
  each: (contact: number, columns: readonly Column[], row: number) => void,
  steps: Steps = OF_VALUES,
): void {
  sweep(sqlite, of, ["contact", ...names], steps, ([contacts = [], ...columns]) => {
    for (let row = 0; row < contacts.length; row++) each(contacts[row] as number, columns, row);
  });
}
