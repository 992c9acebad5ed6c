import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";

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

  return {
    leaveAll(contact: number, at: number): void {
      if (keepAll.run(at, contact).changes > 0) removeAll.run(contact);
    },

    /** Does nothing if the contact is not on the list. */
    leave(contact: number, list: number, at: number): void {
      if (keepOne.run(at, contact, list).changes > 0) removeOne.run(contact, list);
    },
  };
});
