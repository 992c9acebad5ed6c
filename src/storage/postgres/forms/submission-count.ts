import { MINUTE_MS } from "#core/time/time.ts";
import type { SignupStore } from "#forms/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { formSubmissions } from "#storage/postgres/schema/schema.ts";

/** A client has no row of its own, so its name is locked: its submissions run one after the other. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('form submissions of ' || $1::text, 0))";
const EARLIER = "SELECT at FROM form_submissions WHERE client = $1 AND at > $2 ORDER BY at";
const ADD = "INSERT INTO form_submissions (client, at) VALUES ($1, $2)";
/**
 * Some at a time, so that the first submission after a rush does not remove all of the rush. Skips what another
 * transaction is removing.
 */
const FORGET = `DELETE FROM form_submissions WHERE seq IN
  (SELECT seq FROM form_submissions WHERE at <= $1 ORDER BY at LIMIT 100 FOR UPDATE SKIP LOCKED)`;

/** How far the clocks of nodes may differ, plus how long a submission may have waited for another one. */
const AT_ONCE_MS = MINUTE_MS;

/** The limit of submissions. A refusal only reads: a flood costs no commits. */
export function submissionCount({ read, write }: PostgresDatabase): SignupStore["admit"] {
  return async (client, { since, now }, decide) => {
    // Submissions that came at once may be written in another order: then they count as before this one.
    const look = async ({ rows }: Session) => {
      const earlier = await rows<Row<typeof formSubmissions, "at">>(EARLIER, [client, since]);
      return decide(earlier.map(({ at }) => (at > now + AT_ONCE_MS ? at : Math.min(at, now))));
    };
    const first = await read(look);
    if (!first.admitted) return first;
    return await write(async (tx) => {
      await tx.rows(LOCK, [client]);
      const admission = await look(tx);
      if (admission.admitted) await tx.run(ADD, [client, now]);
      await tx.run(FORGET, [since]);
      return admission;
    });
  };
}
