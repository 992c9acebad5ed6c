import type { Database } from "bun:sqlite";
import type { ContactStatus } from "#contacts/contact.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { atMostAtOnce } from "#storage/common/engine/at-most-at-once.ts";
import { searchIndex } from "./search-index.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { searchCounts as countTable } from "#storage/sqlite/schema/schema.ts";

/** The contacts that are counted: those of a workspace, with a tag ('' = any), or of a list (0 = any). */
export type SearchedSet = { readonly workspace: number; readonly list: number; readonly tag: string };

export type CountByStatus = Readonly<Record<ContactStatus, number>>;

/** Counts a term, one slice at a time. */
export type CountSource = {
  /** Where a slice that begins after `after` ends; null at the end of the set. */
  sliceEnd(after: number): number | null;
  /** How many contacts match, of those after `after` and up to `through`. */
  count(after: number, through: number): CountByStatus;
};

/**
 * For each stored term, every change of a contact costs a comparison, so only a few are kept; the oldest is
 * deleted.
 */
const TERMS_MAX = 24;
/** How many newer contacts are counted at each search: a few milliseconds. */
const SINCE_MAX = 4_000;
/** A range up to this number includes all contacts. */
export const ALL = Number.MAX_SAFE_INTEGER;

type CountRow = Row<typeof countTable, "through"> & {
  readonly PENDING: Value<typeof countTable, "pending">;
  readonly SUBSCRIBED: Value<typeof countTable, "subscribed">;
  readonly UNSUBSCRIBED: Value<typeof countTable, "unsubscribed">;
  readonly BOUNCED: Value<typeof countTable, "bounced">;
};
type Key = [workspace: number, list: number, tag: string, term: string];

/**
 * Totals of searches that are too expensive to count each time (table `search_counts`). Each total counts the
 * contacts up to its `through`, and triggers of the database keep it correct for those, even if another process
 * writes. So it is exact even while it is being counted. Newer contacts are counted at each search; once there are
 * many, the stored total is extended to them.
 *
 * Each slice is a separate write, and its end is stored together with its sum. So nobody waits longer than for one
 * slice, and the work of a killed server is not lost. One term is counted at a time, and the workspaces take turns.
 */
export function searchCounts({ sqlite, writes }: SqliteDatabase) {
  const rows = searchCountRows(sqlite);
  const index = searchIndex(sqlite);
  const running = new Map<string, Promise<CountByStatus>>();
  const oneByOne = atMostAtOnce(1);

  /** Counts the next slice, on an open transaction. Returns the count if it is complete now, otherwise null. */
  const countSlice = (key: Key, source: CountSource): CountByStatus | null => {
    const { through: after } = rows.find(key) ?? rows.add(key);
    const end = source.sliceEnd(after);
    const through = end ?? Math.max(index.newest, after);
    rows.advance(key, source.count(after, through), through);
    return end === null ? rows.find(key) : null;
  };

  const countAll = async (key: Key, source: CountSource): Promise<CountByStatus> => {
    for (;;) {
      const counted = await writes.write(() => countSlice(key, source));
      if (counted !== null) return counted;
    }
  };

  return {
    /** `countSince` counts the contacts after a given one. Null: too much is left to count. */
    find(set: SearchedSet, term: string, countSince: (after: number) => CountByStatus): CountByStatus | null {
      const row = rows.find(keyOf(set, term));
      if (row === null) return null;
      const since = index.newest - row.through;
      if (since > SINCE_MAX) return null;
      return since <= 0 ? row : sumOf(row, countSince(row.through));
    },

    /**
     * Counts a term, and stores the total. If nothing can be written (a full disk), it is counted all the same and not
     * stored.
     */
    async count(set: SearchedSet, term: string, source: CountSource): Promise<CountByStatus> {
      const key = keyOf(set, term);
      const name = JSON.stringify(key);
      const known = running.get(name);
      if (known !== undefined) return known;
      const counted = oneByOne(set.workspace, () =>
        countAll(key, source).catch(() => countUnstored(source)),
      ).finally(() => running.delete(name));
      running.set(name, counted);
      return counted;
    },
  };
}

const NOBODY: CountByStatus = { PENDING: 0, SUBSCRIBED: 0, UNSUBSCRIBED: 0, BOUNCED: 0 };

/** Others get their turn between the slices here too, because a set may have millions. */
async function countUnstored(source: CountSource): Promise<CountByStatus> {
  let counted = NOBODY;
  for (let after = 0; ;) {
    const end = source.sliceEnd(after);
    counted = sumOf(counted, source.count(after, end ?? ALL));
    if (end === null) return counted;
    after = end;
    await nextLoopTurn();
  }
}

export const sumOf = (a: CountByStatus, b: CountByStatus): CountByStatus => ({
  PENDING: a.PENDING + b.PENDING,
  SUBSCRIBED: a.SUBSCRIBED + b.SUBSCRIBED,
  UNSUBSCRIBED: a.UNSUBSCRIBED + b.UNSUBSCRIBED,
  BOUNCED: a.BOUNCED + b.BOUNCED,
});

const keyOf = ({ workspace, list, tag }: SearchedSet, term: string): Key => [workspace, list, tag, term];

function searchCountRows(sqlite: Database) {
  const find = sqlite.query<CountRow, Key>(
    `SELECT through, pending AS PENDING, subscribed AS SUBSCRIBED, unsubscribed AS UNSUBSCRIBED, bounced AS BOUNCED
     FROM search_counts WHERE workspace = ? AND list = ? AND tag = ? AND term = ?`,
  );
  const insert = sqlite.query<null, Key>(
    `INSERT INTO search_counts VALUES (?1, ?2, ?3, ?4,
       (SELECT coalesce(max(number), 0) + 1 FROM search_counts WHERE workspace = ?1), 0, 0, 0, 0, 0)`,
  );
  const removeOldest = sqlite.query<null, [number]>(
    `DELETE FROM search_counts WHERE workspace = ?1
       AND number <= (SELECT max(number) FROM search_counts WHERE workspace = ?1) - ${TERMS_MAX}`,
  );
  const advance = sqlite.query<null, [...number[], ...Key]>(
    `UPDATE search_counts SET pending = pending + ?, subscribed = subscribed + ?, unsubscribed = unsubscribed + ?,
       bounced = bounced + ?, through = ? WHERE workspace = ? AND list = ? AND tag = ? AND term = ?`,
  );

  return {
    find: (key: Key): CountRow | null => find.get(...key),
    add(key: Key): CountRow {
      insert.run(...key);
      removeOldest.run(key[0]);
      return present(find.get(...key), "count that was just kept");
    },
    advance(key: Key, more: CountByStatus, through: number): void {
      advance.run(more.PENDING, more.SUBSCRIBED, more.UNSUBSCRIBED, more.BOUNCED, through, ...key);
    },
  };
}
