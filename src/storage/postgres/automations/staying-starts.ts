import type { Session } from "#storage/postgres/engine/session.ts";

// Starts that stay until their contact's run is over (`decideEnroll`): they are not due, and have no problem.

const STAY = `UPDATE automation_starts AS s SET next_try_at = u.until, problem = NULL
  FROM unnest($1::int8[], $2::int8[]) AS u (seq, until) WHERE s.seq = ANY($1::int8[]) AND s.seq = u.seq`;
/**
 * The start gets back the place in the queue that it had when it came, before all that came later. That is also done
 * for one that is due again but was not looked at yet, because its present place is behind those that came while it
 * stayed. One that a transaction looks at right now needs no call. A contact may have very many starts: the order binds
 * the search to the index that has only those that stay.
 */
export const CALL_NEXT = `UPDATE automation_starts SET next_try_at = least(created_at, $3::int8)
  WHERE seq = ANY(ARRAY(SELECT oldest.seq FROM unnest($1::int8[], $2::int8[]) AS r (automation, contact)
    CROSS JOIN LATERAL (SELECT n.seq FROM automation_starts AS n
      WHERE (n.contact, n.automation) >= (r.contact, r.automation) AND (n.contact, n.automation) <= (r.contact, r.automation)
        AND n.next_try_at > n.created_at AND n.problem IS NULL
      ORDER BY n.contact, n.automation, n.seq LIMIT 1 FOR UPDATE SKIP LOCKED) AS oldest))`;
const CAUSED = `SELECT DISTINCT contact FROM automation_starts
  WHERE contact = ANY($2::int8[]) AND automation + 0 = $1 AND depth > 0 AND next_try_at > $3 AND problem IS NULL`;

export async function stay(
  tx: Session,
  starts: readonly { readonly seq: number; readonly until: number }[],
): Promise<void> {
  if (starts.length === 0) return;
  await tx.run(STAY, [starts.map(({ seq }) => seq), starts.map(({ until }) => until)]);
}

type Place = { readonly automation: number; readonly contact: number };

/** The oldest start that stays for each of these contacts in an automation has its turn now. */
export async function callNext(tx: Session, of: readonly Place[], now: number): Promise<void> {
  if (of.length === 0) return;
  await tx.run(CALL_NEXT, [of.map(({ automation }) => automation), of.map(({ contact }) => contact), now]);
}

/** Those of these contacts for whom a start stays that an automation caused. */
export async function causedStaysFor(
  tx: Session,
  automation: number,
  contacts: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (contacts.length === 0) return new Set();
  const found = await tx.rows<Pick<Place, "contact">>(CAUSED, [automation, contacts, now]);
  return new Set(found.map(({ contact }) => contact));
}
