import type { Database } from "bun:sqlite";

/**
 * Starts that stay until their contact's run is over (`decideEnroll`), on an open transaction. They are not due, and
 * have no problem.
 */
export function stayingStarts(sqlite: Database) {
  const stay = sqlite.query<null, [number, number]>(
    "UPDATE automation_starts SET next_try_at = ?, problem = NULL WHERE seq = ?",
  );
  const some = sqlite.query<object, [number]>("SELECT 1 FROM automation_starts WHERE automation = ? LIMIT 1");
  // It gets back the place in the queue that it had when it came, before all that came later. That is also done for one
  // that is due again but was not looked at yet, because its present place is behind those that came while it stayed.
  // The index has only the starts that stay, so few of this contact.
  const callNext = sqlite.query<null, [number, number, number]>(
    `UPDATE automation_starts SET next_try_at = min(created_at, ?3) WHERE seq =
       (SELECT seq FROM automation_starts INDEXED BY automation_starts_staying
        WHERE contact = ?2 AND automation = ?1 AND next_try_at > created_at AND problem IS NULL ORDER BY seq LIMIT 1)`,
  );
  const earlierCaused = sqlite.query<object, [number, number, number]>(
    `SELECT 1 FROM automation_starts INDEXED BY automation_starts_caused
     WHERE contact = ?2 AND automation = ?1 AND depth > 0 AND seq < ?3 LIMIT 1`,
  );

  return {
    stay: (seq: number, until: number): void => void stay.run(until, seq),
    /** Whether starts of the automation may stay. */
    some: (automation: number): boolean => some.get(automation) !== null,
    /** The oldest start that stays for a contact has its turn now. */
    callNext: (automation: number, contact: number, now: number): void =>
      void callNext.run(automation, contact, now),
    /** Whether an automation caused an earlier start of the contact. */
    isCausedBefore: (automation: number, contact: number, seq: number): boolean =>
      earlierCaused.get(automation, contact, seq) !== null,
  };
}
