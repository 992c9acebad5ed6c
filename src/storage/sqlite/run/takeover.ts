/**
 * What a server does with the database before it sends anything: it checks that the database is intact, and
 * that it is the one that was used last. Then it opens a run, and writes a record of the run and of the file
 * next to it.
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Instant } from "#core/clock.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { holdReason, inodeOf, readRunRecord, writeRunRecord } from "./run-record.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { runs } from "#storage/sqlite/schema/schema.ts";

export type Takeover = {
  readonly run: number;
  /** Messages that an earlier run left at their dot; nobody knows whether they arrived. */
  readonly uncertain: number;
  /** Campaigns that now wait for `campaign release`. */
  readonly held: number;
  /** Why they wait; null in the normal case. */
  readonly holdReason: string | null;
  /**
   * Increases the run number in the database and the record, so that every copy made earlier is older than
   * the record. Called when a server ends and every minute while it runs: a restored copy is noticed if this
   * was called after the copy was made. Writes nothing if nothing was written since the last call.
   */
  advance(now: Instant): Promise<void>;
};

/**
 * The check reads the whole file. For larger files a start after a crash would take too long.
 */
const CHECKED_BYTES_MAX = 1_000_000_000;

/**
 * @param lastEndWasClean false: the file is checked first, since the cause of the last end may have damaged
 * it @throws Error when the check finds damage, with what to do about it; nothing was changed then
 */
export async function takeOver(
  database: SqliteDatabase,
  ledger: Pick<LedgerStore, "openRun">,
  now: Instant,
  lastEndWasClean: boolean,
): Promise<Takeover> {
  const path = database.sqlite.filename;
  if (!lastEndWasClean) checkWhole(database, path);
  const recordPath = `${dirname(path)}/run.json`;
  const file = inodeOf(path);
  const reason = holdReason(readRunRecord(recordPath), { run: lastRun(database), file });
  const opened = await ledger.openRun(now, reason !== null);
  writeRunRecord(recordPath, { run: opened.run, file });
  let seenChanges = totalChanges(database);
  return {
    ...opened,
    holdReason: reason,
    async advance(at) {
      if (totalChanges(database) === seenChanges) return;
      const next = await database.writes.write(() => ({
        run: nextRun(database, at),
        changes: totalChanges(database),
      }));
      seenChanges = next.changes;
      writeRunRecord(recordPath, { run: next.run, file });
    },
  };
}

function checkWhole({ sqlite }: SqliteDatabase, path: string): void {
  if (statSync(path).size > CHECKED_BYTES_MAX) return;
  const found = sqlite.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found === "ok") return;
  throw new Error(
    `${path} is damaged (${found}). Nothing was changed or sent. Put a backup in its place and start again.`,
  );
}

/** 0 before the first run. The sequence keeps its value when rows are deleted. */
function lastRun({ sqlite }: SqliteDatabase): number {
  return (
    sqlite.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'runs'").get()?.seq ?? 0
  );
}

/** Changes written by this server. Commands that run meanwhile mail nobody, so theirs do not count. */
function totalChanges({ sqlite }: SqliteDatabase): number {
  return present(sqlite.query<{ n: number }, []>("SELECT total_changes() AS n").get(), "count of changes").n;
}

/** Only the number is needed, so the row is not kept: a row in `runs` means a server that started. */
function nextRun({ sqlite }: SqliteDatabase, now: Instant): number {
  const { seq } = present(
    sqlite
      .query<Row<typeof runs, "seq">, [number]>("INSERT INTO runs (started_at) VALUES (?) RETURNING seq")
      .get(now),
    "number of a run that begins",
  );
  sqlite.query<null, [number]>("DELETE FROM runs WHERE seq = ?").run(seq);
  return seq;
}
