import type { Database } from "bun:sqlite";
import type { JsonValue } from "#core/request/json-value.ts";
import type { ContactBits } from "./contact-bits.ts";

/** Rows of one table are read in ranges of this many numbers, so that only one range at a time is in memory. */
const RANGE = 262_144;

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

const CANDIDATES_MAX = 65_536;

type Column = readonly JsonValue[];

/**
 * Calls `take` with the columns of a select, range by range. The columns are JSON and never NULL. All values
 * of a column come from SQLite as one text, because reading row by row is slower.
 */
function sweep(
  sqlite: Database,
  of: Sweep,
  names: readonly string[],
  take: (columns: readonly Column[]) => void,
): void {
  const texts = names.map((name) => `group_concat(${name})`).join(", ");
  const select = sqlite.query<object, [Values]>(`SELECT ${texts} FROM (${of.sql})`);
  for (const step of stepsOf(of)) {
    const [found = []] = select.values({ ...of.values, ...step }) as (string | null)[][];
    if (found[0] !== null) take(found.map((text) => JSON.parse(`[${text ?? ""}]`) as Column));
  }
}

function* stepsOf(of: Sweep): Generator<Values> {
  if ("among" in of) {
    let last = 0;
    for (;;) {
      const some = of.among.ascending(last, CANDIDATES_MAX);
      last = some.at(-1) ?? 0;
      if (some.length > 0) yield { among: JSON.stringify(some) };
      if (some.length < CANDIDATES_MAX) return;
    }
  }
  for (let { after } = of; after < of.through; after += RANGE)
    yield { after, through: Math.min(after + RANGE, of.through) };
}

/** The same for `found`, a column of `contacts.seq`. */
export function sweepSeqs(sqlite: Database, of: Sweep, take: (seqs: readonly number[]) => void): void {
  sweep(sqlite, of, ["found"], ([found = []]) => take(found as readonly number[]));
}

/** The same for rows: `contact`, which is a `contacts.seq`, and columns with these names. */
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
