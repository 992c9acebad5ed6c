/**
 * The addresses that a send leaves out, kept while its plan is made. A body may name 100,000: too many to write or to
 * remove in one turn of the event loop. They are written in the transaction that begins the plan, and removed in the one
 * that ends it, also where it is stopped or given up: a plan that goes on after a crash, or in a copy that is released,
 * would mail to them.
 */
import type { Database } from "bun:sqlite";
import { slicesOf } from "#storage/common/engine/slices-of.ts";
import { hasRows } from "#storage/sqlite/engine/has-rows.ts";
import { untilNone } from "#storage/sqlite/engine/writes/in-slices.ts";

const EXCLUDE =
  "INSERT INTO mailing_exclusions SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING";
const FORGET = `DELETE FROM mailing_exclusions WHERE (mailing, address) IN
  (SELECT mailing, address FROM mailing_exclusions WHERE mailing = ? LIMIT ?)`;

/** So many are written or removed in a few milliseconds: all at once where there are fewer, else as a slice. */
export const FEW_EXCLUSIONS = 2_000;

/** Whether a plan leaves out too many to remove them in one turn of the event loop. */
export const hasManyExclusions = (sqlite: Database, mailing: number): boolean =>
  hasRows(sqlite, ["mailing_exclusions"], { column: "mailing", value: mailing, count: FEW_EXCLUSIONS });

/** @param addresses in the order of the table's key they are written in a quarter of the time */
export function* exclude(
  sqlite: Database,
  mailing: number,
  addresses: readonly string[],
): Generator<void, void, void> {
  const statement = sqlite.query<null, [number, string]>(EXCLUDE);
  for (const slice of slicesOf(addresses, FEW_EXCLUSIONS)) {
    statement.run(mailing, JSON.stringify(slice));
    yield;
  }
}

export const forgetExclusions = (sqlite: Database, mailing: number): Generator<void, void, void> =>
  untilNone(sqlite, [FORGET], mailing, FEW_EXCLUSIONS);
