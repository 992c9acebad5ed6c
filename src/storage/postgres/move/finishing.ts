/** What a moved database needs in addition to the moved rows, made from these: how nodes share what is owed. */
import { SLICE_ROWS } from "#storage/postgres/campaigns/plan/plan-walk.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdEverything } from "#storage/postgres/run/hold.ts";

const OWED = "FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing WHERE d.state = 'queued'";
const DERIVED = [
  // Messages that no plan wrote, and messages that wait for their next attempt.
  `INSERT INTO retries (message, mailing, at) SELECT d.seq, d.mailing, coalesce(d.next_attempt_at, m.created_at) ${OWED}
   AND (d.next_attempt_at IS NOT NULL OR m.kind <> 'campaign')`,
  `INSERT INTO slices (mailing, n, lo, hi) SELECT mailing, part, min(seq), max(seq) FROM (
     SELECT d.mailing, d.seq, (row_number() OVER (PARTITION BY d.mailing ORDER BY d.seq) - 1) / ${SLICE_ROWS} AS part
     ${OWED} AND d.next_attempt_at IS NULL AND m.kind = 'campaign') AS fresh GROUP BY mailing, part`,
  `INSERT INTO delivery_ends (mailing, state, message, reason) SELECT mailing, state, seq, reason FROM deliveries
   WHERE state IN ('bounced', 'failed', 'uncertain', 'skipped') OR (state = 'sent' AND reason IS NOT NULL)`,
];
const COUNT_ON = "SELECT setval(pg_get_serial_sequence($1, 'seq'), $2)";

/** Runs in one transaction. Returns how many things are held. */
export async function finishTables(
  tx: Session,
  highest: ReadonlyMap<string, number>,
  now: number,
): Promise<number> {
  for (const statement of DERIVED) await tx.run(statement);
  for (const [table, number] of highest) if (number > 0) await tx.row(COUNT_ON, [table, number]);
  const held = await holdEverything(tx, now);
  await tx.run("DROP TABLE moving");
  return held;
}
