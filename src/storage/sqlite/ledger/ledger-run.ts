import type { Database } from "bun:sqlite";
import { drawInRetries } from "./far-retries.ts";
import { holdEverything } from "#storage/sqlite/run/hold.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, runs } from "#storage/sqlite/schema/schema.ts";

/**
 * A server takes over the database. Rows that an earlier run left at their dot become `uncertain`: nobody can
 * know whether the dot was sent before the end, so they are never tried again. No time-outs, no guessing.
 *
 * Messages that a transactional request still owed have failed. The caller got no answer and no promise, and
 * the letter was in memory only. A receipt or a sign-in code that comes late, in addition to the one the
 * caller has requested again, does harm.
 */
export function openRun(sqlite: Database, moves: LedgerMoves, now: number, hold: boolean) {
  const { seq: run } = present(
    sqlite
      .query<Row<typeof runs, "seq">, [number]>("INSERT INTO runs (started_at) VALUES (?) RETURNING seq")
      .get(now),
    "number of a run that begins",
  );
  drawInRetries(sqlite, now);
  const left = sqlite
    .query<Row<typeof deliveries, "seq">, []>(
      `SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'dot' WHERE m.dot > 0`,
    )
    .all();
  for (const { seq } of left) {
    moves.move(present(moves.find(seq), "message that a run left"), "uncertain", {
      now,
      reason: "SERVER_STOPPED",
      countsAsAttempt: true,
    });
  }
  const unanswered = sqlite
    .query<Row<typeof deliveries, "seq">, []>(
      `SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'queued'
       WHERE m.kind = 'transactional' AND m.phase = 'sending'`,
    )
    .all();
  for (const { seq } of unanswered) {
    moves.move(present(moves.find(seq), "message that a run left"), "failed", {
      now,
      reason: "SERVER_STOPPED",
      countsAsAttempt: false,
    });
  }
  return { run, uncertain: left.length, held: hold ? holdEverything(sqlite, now) : 0 };
}
