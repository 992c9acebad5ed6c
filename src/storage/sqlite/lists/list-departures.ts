import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { ROWS } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { listMembers } from "#storage/sqlite/schema/schema.ts";

/** Leaving fewer lists than this takes only a few milliseconds. */
const FEW_LISTS = 1_000;

/** A contact who leaves all lists, and when. */
export type Leaving = { readonly contact: number; readonly at: number };

/**
 * Takes a contact off lists and records the time, on an open transaction. Only for a person who leaves: if a list
 * or a contact is deleted, its memberships are deleted with it.
 */
export const listDepartures = oncePerDatabase((sqlite) => {
  const keepAll = sqlite.query<null, [number, number]>(
    `INSERT INTO list_departures (contact, list, joined_at, left_at)
     SELECT contact, list, added_at, ? FROM list_members WHERE contact = ? ORDER BY list`,
  );
  const keepOne = sqlite.query<null, [number, number, number]>(
    `INSERT INTO list_departures (contact, list, joined_at, left_at)
     SELECT contact, list, added_at, ? FROM list_members WHERE contact = ? AND list = ?`,
  );
  const removeAll = sqlite.query<null, [number]>("DELETE FROM list_members WHERE contact = ?");
  const removeOne = sqlite.query<null, [number, number]>(
    "DELETE FROM list_members WHERE contact = ? AND list = ?",
  );

  const lastOfSome = sqlite.query<Row<typeof listMembers, "list">, [number]>(
    `SELECT list FROM list_members WHERE contact = ? ORDER BY list LIMIT 1 OFFSET ${ROWS - 1}`,
  );
  const keepSome = sqlite.query<null, [number, number, number]>(
    `INSERT INTO list_departures (contact, list, joined_at, left_at)
     SELECT contact, list, added_at, ? FROM list_members WHERE contact = ? AND list <= ? ORDER BY list`,
  );
  const removeSome = sqlite.query<null, [number, number]>(
    "DELETE FROM list_members WHERE contact = ? AND list <= ?",
  );

  const areOnFew = fewLists(sqlite);
  /** Returns how many lists it were. */
  const leaveAll = (contact: number, at: number): number => {
    const left = keepAll.run(at, contact).changes;
    if (left > 0) removeAll.run(contact);
    return left;
  };

  return {
    leaveAll,

    /**
     * `leaveAll` in slices, where contacts are on too many lists for one turn of the event loop. On few lists it does
     * nothing and does not yield: they are left to `leaveAll`. Whoever leaves lists calls it before. Contacts on few lists
     * share a slice, because all other writes wait while it yields.
     */
    *leaveMany(leaving: readonly Leaving[]): Generator<void, void, void> {
      if (areOnFew(leaving)) return;
      yield;
      let inSlice = 0;
      for (const { contact, at } of leaving) {
        for (let last = lastOfSome.get(contact); last !== null; last = lastOfSome.get(contact)) {
          keepSome.run(at, contact, last.list);
          removeSome.run(contact, last.list);
          yield;
          inSlice = 0;
        }
        inSlice += leaveAll(contact, at);
        if (inSlice < ROWS) continue;
        yield;
        inSlice = 0;
      }
    },

    /** Does nothing if the contact is not on the list. */
    leave(contact: number, list: number, at: number): void {
      if (keepOne.run(at, contact, list).changes > 0) removeOne.run(contact, list);
    },
  };
});

/** Whether those who leave are on few lists: together, because they leave in one write. */
function fewLists(sqlite: Database): (leaving: readonly Leaving[]) => boolean {
  const few = sqlite.query<{ n: number }, [number, number]>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM list_members WHERE contact = ? LIMIT ?)",
  );
  return (leaving) => {
    let lists = 0;
    for (const { contact } of leaving) {
      lists += few.get(contact, FEW_LISTS)?.n ?? 0;
      if (lists >= FEW_LISTS) return false;
    }
    return true;
  };
}
