import type { Database } from "bun:sqlite";
import type { JsonValue } from "#core/request/json-value.ts";
import type { ContactBits } from "./contact-bits.ts";

/**
 * Rows of one table are read in ranges of this many numbers, or of so many contacts, so that only one range at a time
 * is in memory.
 */
const OF_NUMBERS = { range: 262_144, candidates: 65_536 };
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
  const texts = names.map((name) => `group_concat(${name})`).join(", ");
  const { range: rowsMax } = steps;
  // A number has one row, but a contact may have any number of them.
  const isPaged = "among" in of;
  const rows = isPaged ? `${of.sql} LIMIT $rowsMax OFFSET $rowsBefore` : of.sql;
  const select = sqlite.query<object, [Values]>(`SELECT ${texts} FROM (${rows})`);
  for (const step of stepsOf(of, steps))
    for (let rowsBefore = 0; ; rowsBefore += rowsMax) {
      const values = { ...of.values, ...step, ...(isPaged && { rowsMax, rowsBefore }) };
      const [found = []] = select.values(values) as (string | null)[][];
      const columns = found.map((text) => JSON.parse(`[${text ?? ""}]`) as Column);
      const { length } = columns[0] ?? [];
      if (length > 0) take(columns);
      if (!isPaged || length < rowsMax) break;
    }
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

/** The same for rows: `contact`, which is a `contacts.seq`, and columns with these names. */
export function sweepRows(
  sqlite: Database,
  of: Sweep,
  names: readonly string[],
  each: (contact: number, columns: readonly Column[], row: number) => void,
): void {
  sweep(sqlite, of, ["contact", ...names], OF_VALUES, ([contacts = [], ...columns]) => {
    for (let row = 0; row < contacts.length; row++) each(contacts[row] as number, columns, row);
  });
}
