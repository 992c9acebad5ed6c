/**
 * What a server does with the database before it sends anything: it checks that the database is intact, and that it
 * is the one that was used last. Then it takes over what earlier runs left, registers its own run, and writes a
 * record of the run and the file next to the database.
 */
import { statSync } from "node:fs";
import type { Instant } from "#core/time/clock.ts";
import type { RunRegistry } from "#deliveries/store.ts";
import type { Takeover as Taken } from "#storage/common/engine/takeover.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";
import { seemsDamaged } from "#storage/sqlite/files/inspect.ts";
import { removeLeftRestore } from "#storage/sqlite/files/restore.ts";
import { checkStillHere } from "./moved-to.ts";
import {
  holdReason,
  identityOf,
  isReplaced,
  readRunRecord,
  runRecordOf,
  writeRunRecord,
  type FileIdentity,
} from "./run-record.ts";

export type Takeover = Taken & {
  /**
   * Increases the run number in the database and the record, so that every copy made earlier is older than
   * the record. Called when a server ends and every minute while it runs: a restored copy is noticed if this
   * was called after the copy was made. Writes nothing if nothing was written since the last call.
   */
  beat(now: Instant): Promise<void>;
};

/**
 * The check reads the whole file. For larger files a start after a crash would take too long, so they are checked only
 * where it seems that the log beside the file was written for another one, such as one that somebody copied over it.
 */
const CHECKED_BYTES_MAX = 1_000_000_000;
/** A server merges its log into the file while it writes, or in the seconds after. */
const MERGED_WITHIN_MS = 60_000;

/**
 * @param lastEndWasClean false: the file is checked first, since the cause of the last end may have damaged it
 * @throws Error if the check finds damage, or if the data was moved away, with what to do about it; then nothing
 * was changed
 */
export async function takeOver(
  database: SqliteDatabase,
  registry: RunRegistry,
  now: Instant,
  lastEndWasClean: boolean,
): Promise<Takeover> {
  const path = database.sqlite.filename;
  checkStillHere(database.sqlite);
  if (!lastEndWasClean) checkWhole(database, path);
  removeLeftRestore(path);
  const recordPath = runRecordOf(path);
  const found = identityOf(path);
  const reason = holdReason(readRunRecord(recordPath), { run: lastRun(database), ...found });
  // What earlier runs left is taken over first, so nothing of it can be held. The hold is durable together with the
  // run: a run without it would make the copy as new as its record.
  const uncertain = await registry.sweep(now);
  const { run, held } = await registry.join(now, reason !== null);
  writeRunRecord(recordPath, { run, ...found });
  return {
    run,
    uncertain,
    held,
    holdReason: reason,
    async beat(at) {
      const newest = await registry.beat(at);
      if (newest !== null) writeRunRecord(recordPath, { run: newest, ...knownNow(path, found) });
    },
  };
}

/** The birth of a file that was just made is told apart from its last change only once it was changed again. */
function knownNow(path: string, found: FileIdentity): FileIdentity {
  if (found.born !== null) return found;
  const now = identityOf(path);
  return now.file === found.file ? now : found;
}

function checkWhole({ sqlite }: SqliteDatabase, path: string): void {
  if (statSync(path).size > CHECKED_BYTES_MAX && !isReplaced(path) && !isNewerThanLog(path)) return;
  const found = sqlite.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw seemsDamaged(path, found ?? "no answer");
}

/** Whether the file was changed when no server could have merged the log into it. */
function isNewerThanLog(path: string): boolean {
  const log = statSync(walPathOf(path), { throwIfNoEntry: false });
  return log !== undefined && log.size > 0 && statSync(path).mtimeMs > log.mtimeMs + MERGED_WITHIN_MS;
}

/** 0 before the first run. The sequence keeps its value when rows are deleted. */
function lastRun({ sqlite }: SqliteDatabase): number {
  return (
    sqlite.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'runs'").get()?.seq ?? 0
  );
}
