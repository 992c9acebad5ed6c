import type { Database } from "bun:sqlite";
import type { JsonValue } from "#core/json-value.ts";

/**
 * Rows of one table are read in ranges of so many numbers, so that what was read lies in memory for one range
 * at a time.
 */
const RANGE = 262_144;

export type Values = Readonly<Record<string, string | number>>;

/**
 * A select that gives `found`, or several columns, and the range of a table's own numbers, `$after` (not included) to `$through`,
 * that it is asked for.
 */
export type Sweep = {
  readonly sql: string;
  readonly values: Values;
  readonly after: number;
  readonly through: number;
};

type Column = readonly JsonValue[];

/**
 * Calls `take` with what a select gives for its columns, which are JSON and never NULL, range by range. The
 * values of a column cross over as one text, because a row at a time is slower.
 */
function sweep(
  sqlite: Database,
  { sql, values, after, through }: Sweep,
  names: readonly string[],
  take: (columns: readonly Column[]) => void,
): void {
  const texts = names.map((name) => `group_concat(${name})`).join(", ");
  const select = sqlite.query<object, [Values]>(`SELECT ${texts} FROM (${sql})`);
  for (let from = after; from < through; from += RANGE) {
    const range = { ...values, after: from, through: Math.min(from + RANGE, through) };
    const [found = []] = select.values(range) as (string | null)[][];
    if (found[0] !== null) take(found.map((text) => JSON.parse(`[${text ?? ""}]`) as Column));
  }
}

/** The same of `found`, a column of `contacts.seq`. */
export function sweepSeqs(sqlite: Database, of: Sweep, take: (seqs: readonly number[]) => void): void {
  sweep(sqlite, of, ["found"], ([found = []]) => take(found as readonly number[]));
}

/** The same of rows: `contact`, which is a `contacts.seq`, and columns of these names. */
export function sweepRows(
  sqlite: Database,
  of: Sweep,
  names: readonly string[],
  each: (contact: number, columns: readonly Column[], row: number) => void,
): void {
  sweep(sqlite, of, ["contact", ...names], ([contacts = [], ...columns]) => {
    for (let row = 0; row < contacts.length; row++) each(contacts[row] as number, columns, row);
  });
}
