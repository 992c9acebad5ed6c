import type { Database } from "bun:sqlite";
import { LEFT_AT_DOT, LEFT_UNANSWERED } from "#deliveries/moves/left-behind.ts";
import { drawInRetries } from "./far-retries.ts";
import { holdEverything } from "#storage/sqlite/run/hold.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, runs } from "#storage/sqlite/schema/schema.ts";

/** A server takes over the database, and what earlier runs left in it (deliveries/moves/left-behind.ts). */
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
    moves.move(present(moves.find(seq), "message that a run left"), LEFT_AT_DOT, now);
  }
  const unanswered = sqlite
    .query<Row<typeof deliveries, "seq">, []>(
      `SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'queued'
       WHERE m.kind = 'transactional' AND m.phase = 'sending'`,
    )
    .all();
  for (const { seq } of unanswered) {
    moves.move(present(moves.find(seq), "message that a run left"), LEFT_UNANSWERED, now);
  }
  return { run, uncertain: left.length, held: hold ? holdEverything(sqlite, now) : 0 };
}
