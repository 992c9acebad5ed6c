import type { Session } from "#storage/postgres/engine/session.ts";

// One statement: when they left is kept of exactly those rows that it takes away.
const LEAVE = `WITH gone AS (
    DELETE FROM list_members WHERE contact = $1 AND ($2::int8 IS NULL OR list = $2) RETURNING contact, list, added_at)
  INSERT INTO list_departures (contact, list, joined_at, left_at)
  SELECT contact, list, added_at, $3 FROM gone ORDER BY list`;

/**
 * Takes a contact off a list, or off all, and keeps when they left. Only for a person who leaves: if a list or a
 * contact is deleted, its memberships are deleted with it. Nothing happens where they are not on it.
 * @param list null: all their lists
 */
export async function leave(tx: Session, contact: number, list: number | null, at: number): Promise<void> {
  await tx.run(LEAVE, [contact, list, at]);
}
