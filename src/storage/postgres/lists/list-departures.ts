import type { Session } from "#storage/postgres/engine/session.ts";

// One statement, so that departures are recorded for exactly the rows that it removes.
const LEAVE = `WITH gone AS (
    DELETE FROM list_members WHERE contact = ANY($1::int8[]) AND list = $2 RETURNING contact, list, added_at)
  INSERT INTO list_departures (contact, list, joined_at, left_at)
  SELECT contact, list, added_at, $3 FROM gone ORDER BY contact`;
const LEAVE_ALL = `WITH leaving AS (SELECT * FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS l (contact, at, n)),
  gone AS (
    DELETE FROM list_members WHERE contact = ANY($1::int8[]) RETURNING contact, list, added_at)
  INSERT INTO list_departures (contact, list, joined_at, left_at)
  SELECT contact, list, added_at, at FROM gone JOIN leaving USING (contact) ORDER BY n, list`;

/**
 * Takes a contact off a list and records the time. Only for a person who leaves: if a list or a contact is deleted,
 * its memberships are deleted with it. Does nothing if the contact is not on the list.
 */
export async function leave(tx: Session, contact: number, list: number, at: number): Promise<void> {
  await leaveList(tx, list, [contact], at);
}

/** Takes several contacts off a list in the same way. */
export async function leaveList(
  tx: Session,
  list: number,
  contacts: readonly number[],
  at: number,
): Promise<void> {
  await tx.run(LEAVE, [contacts, list, at]);
}

/** Takes contacts off all their lists in the same way. Each contact at most once. */
export async function leaveLists(
  tx: Session,
  leaving: readonly { readonly contact: number; readonly at: number }[],
): Promise<void> {
  if (leaving.length === 0) return;
  await tx.run(LEAVE_ALL, [leaving.map(({ contact }) => contact), leaving.map(({ at }) => at)]);
}
