import type { ActiveRun, EnrollHistory } from "#automations/run/enroll.ts";
import { causedStaysFor } from "#storage/postgres/automations/staying-starts.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { automationStarts } from "#storage/postgres/schema/schema.ts";

type Start = Row<typeof automationStarts, "contact" | "depth">;
type OfContact = Pick<Start, "contact">;

/**
 * Each question reads one row, because a contact who stands for many may have been in a million times. Its order binds
 * it to the one index that has this order: a plan made while the table is small may else choose another that begins
 * with the automation, and then reads all runs of a large one.
 */
export const HISTORY = `SELECT c.contact,
    coalesce((SELECT true FROM enrollments AS e
      WHERE (e.automation, e.contact) >= ($1::int8, c.contact) AND (e.automation, e.contact) <= ($1, c.contact)
        AND e.status = 'ACTIVE' ORDER BY e.automation, e.contact LIMIT 1), false) AS active,
    coalesce((SELECT true FROM enrollments AS e
      WHERE (e.contact, e.automation) >= (c.contact, $1) AND (e.contact, e.automation) <= (c.contact, $1)
      ORDER BY e.contact, e.automation LIMIT 1), false) AS ever_enrolled
  FROM unnest($2::int8[]) AS c (contact)`;
/**
 * The runs are locked: the end of a webhook's call has no lock on the contact, and would otherwise look for starts that
 * stay before this transaction has written them. A run that ends meanwhile is not found.
 */
const ACTIVE_RUNS = `SELECT c.contact, r.waiting, r.next_run_at FROM unnest($2::int8[]) AS c (contact)
  CROSS JOIN LATERAL (SELECT e.waiting, e.next_run_at FROM enrollments AS e
    WHERE (e.automation, e.contact) >= ($1::int8, c.contact) AND (e.automation, e.contact) <= ($1, c.contact)
      AND e.status = 'ACTIVE' ORDER BY e.automation, e.contact LIMIT 1 FOR SHARE) AS r`;

/** What has been of the contacts of these starts in the automation. The transaction has locked the contacts. */
export async function historiesOf(
  tx: Session,
  { automation, now }: { readonly automation: number; readonly now: number },
  starts: readonly Start[],
): Promise<Map<number, EnrollHistory>> {
  const contacts = [...new Set(starts.map(({ contact }) => contact))];
  const found = await tx.rows<OfContact & { readonly active: boolean; readonly everEnrolled: boolean }>(
    HISTORY,
    [automation, contacts],
  );
  const inside = found.flatMap(({ contact, active }) => (active ? [contact] : []));
  const runs = await activeRuns(tx, automation, inside);
  const caused = starts.flatMap(({ contact, depth }) => (depth > 0 && runs.has(contact) ? [contact] : []));
  const causedStays = await causedStaysFor(tx, automation, caused, now);
  return new Map(
    found.map(({ contact, everEnrolled }) => {
      const active = runs.get(contact) ?? null;
      return [contact, { active, everEnrolled, causedStays: causedStays.has(contact) }];
    }),
  );
}

async function activeRuns(
  tx: Session,
  automation: number,
  contacts: readonly number[],
): Promise<ReadonlyMap<number, ActiveRun>> {
  if (contacts.length === 0) return new Map();
  const found = await tx.rows<OfContact & ActiveRun>(ACTIVE_RUNS, [automation, contacts]);
  return new Map(found.map(({ contact, ...run }) => [contact, run]));
}
