import { newAccount } from "#deliveries/moves/account.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { present } from "#core/present.ts";
import { countIn } from "./tally.ts";

/** How many rows are skipped in one transaction. */
const ROWS_AT_ONCE = 5_000;

/**
 * The owed messages of a stopped mailing are in its open slices, or wait for a retry. They are locked as in a
 * round: messages in the order of their numbers, and their mailing against changes.
 */
const SKIP = `WITH owed AS MATERIALIZED (
    SELECT d.seq, d.reason FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing
    WHERE d.mailing = $1 AND d.state = 'queued' AND m.phase = 'stopped' AND d.seq = ANY(ARRAY(
      SELECT x.seq FROM (SELECT lo, hi FROM slices WHERE mailing = $1 AND NOT done ORDER BY n) AS s CROSS JOIN LATERAL (
          SELECT seq FROM deliveries WHERE mailing = $1 AND seq BETWEEN s.lo AND s.hi AND state = 'queued') AS x
        UNION ALL
        SELECT x.seq FROM retries AS r JOIN deliveries AS x ON x.seq = r.message WHERE r.mailing = $1 AND x.state = 'queued'
      LIMIT ${ROWS_AT_ONCE}))
    ORDER BY d.seq FOR NO KEY UPDATE OF d FOR SHARE OF m),
  skipped AS (UPDATE deliveries AS d SET state = 'skipped', reason = 'STOPPED', next_attempt_at = NULL, settled_at = $2
    FROM owed WHERE d.seq = owed.seq),
  ended AS (INSERT INTO delivery_ends (mailing, state, message, reason)
    SELECT $1, 'skipped', seq, 'STOPPED' FROM owed ON CONFLICT DO NOTHING),
  settled AS (DELETE FROM retries USING owed WHERE message = owed.seq),
  counted AS (INSERT INTO mailing_reasons (mailing, state, reason, n)
    SELECT $1, 'queued', reason, -count(*) FROM owed WHERE reason IS NOT NULL GROUP BY reason)
  SELECT count(*) AS n, max(seq) AS last FROM owed`;
/** So that these rows are not read again to find the next ones. */
const CLOSE_SLICES = `UPDATE slices AS s SET done = true WHERE mailing = $1 AND NOT done AND hi <= $2 AND NOT EXISTS (
    SELECT FROM deliveries AS d WHERE d.mailing = s.mailing AND d.seq BETWEEN s.lo AND s.hi AND d.state IN ('dot', 'queued'))`;
const COUNT_SKIPS = "INSERT INTO mailing_skips (mailing, reason, n) VALUES ($1, 'STOPPED', $2)";

/**
 * Skips some of what a stopped mailing owes. `end`: nothing is owed except messages at their dot. After the commit,
 * a mailing that is empty then is finished (`finishEmptied`).
 */
export async function skipStopped(tx: Session, mailing: number, now: number): Promise<"more" | "end"> {
  const skipped = await tx.row<{ n: number; last: number | null }>(SKIP, [mailing, now]);
  const { n, last } = present(skipped, "count of what was skipped");
  if (n === 0) return "end";
  await tx.run(CLOSE_SLICES, [mailing, last]);
  await tx.run(COUNT_SKIPS, [mailing, n]);
  await countIn(tx, mailing, { ...newAccount(), queued: -n, skipped: n });
  return n < ROWS_AT_ONCE ? "end" : "more";
}
