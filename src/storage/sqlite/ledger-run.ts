import type { Database } from "bun:sqlite";
import type { LedgerMoves } from "./ledger-moves.ts";

/**
 * A server takes the database over. Rows an earlier run left at their dot become `uncertain`: whether the dot got out
 * before the end cannot be known, so they are never tried again. No time-outs, no guessing.
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
  return { run, uncertain: left.length, held: hold ? holdEverything(sqlite, now) : 0 };
}

function holdEverything(sqlite: Database, now: number): number {
  const underWay = sqlite.query("UPDATE mailings SET held = 1 WHERE phase IN ('planning', 'sending') AND held = 0").run();
  const due = sqlite
    .query("UPDATE campaigns SET held = 1 WHERE status = 'SCHEDULED' AND mailing IS NULL AND scheduled_at <= ? AND held = 0")
    .run(now);
  return underWay.changes + due.changes;
}
