import type { Database } from "bun:sqlite";
import type { JsonValue } from "#core/json-value.ts";
import { present } from "#core/present.ts";

/**
 * Rows of one table are read in ranges of so many numbers, so that what was read lies in memory for one range
 * at a time.
 */
const RANGE = 262_144;

export type Values = Readonly<Record<string, string | number>>;

/**
 * A select that gives `found`, and the range of a table's own numbers, `$after` (not included) to `$through`,
 * that it is asked for.
 */
export type Sweep = {
  readonly sql: string;
  readonly values: Values;
  readonly after: number;
  readonly through: number;
};

/**
 * Calls `take` with what a select gives for its column `found`, a JSON value or several with commas between
 * them, range by range. The rows of a range cross over as one text, because a row at a time is slower.
 */
function sweep(
  sqlite: Database,
  { sql, values, after, through }: Sweep,
  take: (found: readonly JsonValue[]) => void,
): void {
  const select = sqlite.query<{ found: string | null }, [Values]>(
    `SELECT group_concat(found) AS found FROM (${sql})`,
  );
  for (let from = after; from < through; from += RANGE) {
    const range = { ...values, after: from, through: Math.min(from + RANGE, through) };
    const { found } = present(select.get(range), "row of an aggregate");
    if (found !== null) take(JSON.parse(`[${found}]`) as JsonValue[]);
  }
}

/** The same of a column of `contacts.seq`. */
export function sweepSeqs(sqlite: Database, of: Sweep, take: (seqs: readonly number[]) => void): void {
  sweep(sqlite, of, (found) => take(found as readonly number[]));
}

/**
 * The same of rows: `found` is so many values, with commas between them. A row begins at `at`, and the first
 * of it is the seq of a contact.
 */
export function sweepRows(
  sqlite: Database,
  of: Sweep,
  width: number,
  each: (values: readonly JsonValue[], at: number) => void,
): void {
  sweep(sqlite, of, (found) => {
    for (let at = 0; at < found.length; at += width) each(found, at);
  });
}
