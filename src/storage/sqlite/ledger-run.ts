import type { Database } from "bun:sqlite";
import type { LedgerMoves } from "./ledger-moves.ts";

/**
 * A server takes the database over. Rows an earlier run left at their dot become `uncertain`: whether the dot got out
 * before the end cannot be known, so they are never tried again. No time-outs, no guessing.
 *
 * What a transactional request still owed has failed: its caller got no answer and was promised nothing, the letter was in
 * memory only, and a receipt or a sign-in code that comes late, beside the one the caller asked for anew, does harm.
 */
export function openRun(sqlite: Database, moves: LedgerMoves, now: number, hold: boolean) {
  const { seq: run } = sqlite
    .query<{ seq: number }, [number]>("INSERT INTO runs (started_at) VALUES (?) RETURNING seq")
    .get(now)!;
  const left = sqlite
    .query<{ seq: number }, []>(
      `SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'dot' WHERE m.dot > 0`,
    )
    .all();
  for (const { seq } of left) {
    moves.move(moves.find(seq)!, "uncertain", { now, reason: "SERVER_STOPPED", countsAsAttempt: true });
  }
  const unanswered = sqlite
    .query<{ seq: number }, []>(
      `SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'queued'
       WHERE m.kind = 'transactional' AND m.phase = 'sending'`,
    )
    .all();
  for (const { seq } of unanswered) {
    moves.move(moves.find(seq)!, "failed", { now, reason: "SERVER_STOPPED", countsAsAttempt: false });
  }
  return { run, uncertain: left.length, held: hold ? holdEverything(sqlite, now) : 0 };
}

/**
 * Everything that would go on where a copy was made stops until a person lets it go. Automations are paused: LIVE again, they go on
 * from where the copy stood, so that their steps since then may come a second time.
 */
function holdEverything(sqlite: Database, now: number): number {
  sqlite.query("DELETE FROM automation_listeners").run();
  const live = sqlite
    .query("UPDATE automations SET status = 'PAUSED', updated_at = ? WHERE status = 'LIVE'")
    .run(now);
  const underWay = sqlite
    .query("UPDATE mailings SET held = 1 WHERE phase IN ('planning', 'sending') AND held <> 1")
    .run();
  const due = sqlite
    .query(
      "UPDATE campaigns SET held = 1 WHERE status = 'SCHEDULED' AND mailing IS NULL AND scheduled_at <= ? AND held = 0",
    )
    .run(now);
  return underWay.changes + due.changes + live.changes;
}
