import type { Database } from "bun:sqlite";
import { hasRows } from "#storage/sqlite/engine/has-rows.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { ROWS } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { listMembers } from "#storage/sqlite/schema/schema.ts";

/** Leaving fewer lists than this takes only a few milliseconds. */
const FEW_LISTS = 1_000;

/** Whether a contact is on too many lists to leave them in one turn of the event loop. */
export const isOnManyLists = (sqlite: Database, contact: number): boolean =>
  hasRows(sqlite, ["list_members"], { column: "contact", value: contact, count: FEW_LISTS });

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

  return {
    /** Takes a contact off their lists in slices, until few are left for `leaveAll`. */
    *leaveMost(contact: number, at: number): Generator<void, void, void> {
      for (let last = lastOfSome.get(contact); last !== null; last = lastOfSome.get(contact)) {
        keepSome.run(at, contact, last.list);
        removeSome.run(contact, last.list);
        yield;
      }
    },

    leaveAll(contact: number, at: number): void {
      if (keepAll.run(at, contact).changes > 0) removeAll.run(contact);
    },

    /** Does nothing if the contact is not on the list. */
    leave(contact: number, list: number, at: number): void {
      if (keepOne.run(at, contact, list).changes > 0) removeOne.run(contact, list);
    },
  };
});
