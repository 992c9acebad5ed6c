import type { Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { LEFT_AT_DOT, LEFT_UNANSWERED } from "#deliveries/moves/left-behind.ts";
import type { Move } from "#deliveries/moves/move.ts";
import type { RunRegistry } from "#deliveries/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { holdCopied } from "#storage/sqlite/run/hold.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, runs } from "#storage/sqlite/schema/schema.ts";
import { drawInRetries } from "#storage/sqlite/ledger/moves/far-retries.ts";
import type { LedgerMoves } from "#storage/sqlite/ledger/moves/ledger-moves.ts";

/**
 * The runs of servers on this file. Only one server at a time has it (`run/server-lock.ts`), and the kernel
 * releases the lock when its process ends. So a run needs no lease: if this one may sweep, no other run is alive.
 */
export function runRegistry({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): RunRegistry {
  const insert = sqlite.query<Row<typeof runs, "seq">, [number]>(
    "INSERT INTO runs (started_at) VALUES (?) RETURNING seq",
  );
  const remove = sqlite.query<null, [number]>("DELETE FROM runs WHERE seq = ?");
  const changes = sqlite.query<{ n: number }, []>("SELECT total_changes() AS n");
  const newRun = (now: Instant): number => present(insert.get(now), "number of a run that begins").seq;
  /** How many changes this server has written. Commands that run meanwhile send no mail, so theirs do not count. */
  const totalChanges = (): number => present(changes.get(), "count of changes").n;
  const sweep = sweeping(sqlite, moves);
  let seenChanges = -1;

  return {
    sweep: (now) => writes.write(() => sweep(now)),

    async join(now, hold) {
      const joined = await writes.write(() => ({
        run: newRun(now),
        held: hold ? holdCopied(sqlite, now) : 0,
      }));
      seenChanges = totalChanges();
      return joined;
    },

    async beat(now) {
      if (totalChanges() === seenChanges) return null;
      // Only the number is needed, so the row is not kept: a row in `runs` means a server that started.
      const beat = await writes.write(() => {
        const run = newRun(now);
        remove.run(run);
        return { run, changes: totalChanges() };
      });
      seenChanges = beat.changes;
      return beat.run;
    },
  };
}

/** Takes over what earlier runs left (deliveries/moves/left-behind.ts), on an open transaction. */
function sweeping(sqlite: SqliteDatabase["sqlite"], moves: LedgerMoves): (now: Instant) => number {
  // CROSS: begins with the mailings. SQLite would go through the whole ledger, at each start. Each phase is named, because
  // those that are finished have no index: there is one for each single mail that was ever sent.
  const atDot = sqlite.query<Row<typeof deliveries, "seq">, []>(
    `SELECT d.seq FROM mailings m CROSS JOIN deliveries d ON d.mailing = m.seq AND d.state = 'dot'
     WHERE (m.phase = 'planning' OR m.phase = 'sending' OR m.phase = 'stopped') AND m.dot > 0`,
  );
  const unanswered = sqlite.query<Row<typeof deliveries, "seq">, []>(
    `SELECT d.seq FROM mailings m CROSS JOIN deliveries d ON d.mailing = m.seq AND d.state = 'queued'
     WHERE m.kind = 'transactional' AND m.phase = 'sending'`,
  );
  const moveAll = (rows: readonly { seq: number }[], move: Move, now: Instant): void => {
    for (const { seq } of rows) moves.move(present(moves.find(seq), "message that a run left"), move, now);
  };

  return (now) => {
    drawInRetries(sqlite, now);
    const left = atDot.all();
    moveAll(left, LEFT_AT_DOT, now);
    moveAll(unanswered.all(), LEFT_UNANSWERED, now);
    return left.length;
  };
}
