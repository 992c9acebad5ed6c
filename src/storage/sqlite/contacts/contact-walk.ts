import type { Database } from "bun:sqlite";
import type { PageRequest } from "#core/request/page.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import { floorSql, searchPageSql, walkSql, type ContactSet } from "./contact-page-sql.ts";
import type { ContactRow } from "./contact-row.ts";
import type { SearchedSet } from "#storage/sqlite/search/search-counts.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import { present } from "#core/present.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";

/** How much is read of each status before others get their turn: a few milliseconds at most. */
const REACH_FIRST = 1024;
const REACH_MAX = 8192;
/** If fewer contacts than one in this many match, the index finds the next ones faster. */
const FAR_BETWEEN = 80;

/** The parameters of a search. */
export type Search = {
  readonly set: ContactSet;
  readonly keys: SearchedSet;
  /** How many contacts of the set have one of these statuses. */
  readonly size: number;
  readonly statuses: readonly ContactStatus[];
  readonly term: string;
};

type Values = Readonly<Record<string, string | number>>;

/**
 * The newest contacts with a term, at most `limit + 1`, found in one of three ways:
 * - From the set itself, while matches are frequent, and for contacts that the trigram index does not have yet.
 * - From the trigram index, if matches are rare and it knows the term.
 * - Otherwise from the set in slices, with a turn of the event loop after each.
 */
export function contactWalk(sqlite: Database) {
  const index = searchIndex(sqlite);
  const rowsOf = (sql: string, values: Values): ContactRow[] =>
    sqlite.query<ContactRow, [Values]>(sql).all(values);

  return async (
    { set, keys, size, statuses, term }: Search,
    match: string | null,
    { limit, before: from }: PageRequest,
  ): Promise<ContactRow[]> => {
    const floors = sqlite.query<{ seq: number | null }, [Values]>(floorSql(set, statuses));
    const rows: ContactRow[] = [];
    let before = from ?? Number.MAX_SAFE_INTEGER;
    for (let reach = REACH_FIRST; ; reach = Math.min(reach * 8, REACH_MAX)) {
      const floor =
        size <= reach ? null : present(floors.get({ ...keys, before, rows: reach }), "start of a walk").seq;
      const wanted = { ...keys, term, before, rows: limit + 1 - rows.length };
      const hits = rowsOf(walkSql(set, statuses), { ...wanted, floor: floor ?? 0 });
      rows.push(...hits);
      if (rows.length > limit || floor === null) return rows;
      before = floor;
      if (match !== null && hits.length * FAR_BETWEEN < reach && before <= index.through + 1) {
        const left = { ...wanted, match, before, rows: limit + 1 - rows.length };
        return [...rows, ...rowsOf(searchPageSql(set, statuses), left)];
      }
      await nextLoopTurn();
    }
  };
}
