import { mkdirSync } from "node:fs";
import { Database } from "bun:sqlite";
import { drizzle, type BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Clock } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import { makeUnlessThere } from "#storage/sqlite/files/durable-file.ts";
import { checkOwnLog, overwriting } from "#storage/sqlite/files/own-log.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { longWrites, type LongWrites } from "#storage/sqlite/engine/writes/long-writes.ts";
import { compileAtFirstRun, forDrizzle } from "./lazy-statements.ts";
import { migrate, type OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { recordingActs, recordingActsInSlices } from "#storage/sqlite/audit/audit-writes.ts";
import { EventSums } from "#storage/sqlite/events/event-sums.ts";
import { RecentEvents } from "#storage/sqlite/events/recent-events.ts";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";
import { sqliteFaults } from "./sqlite-faults.ts";
import { filesInPlace } from "#storage/sqlite/engine/writes/files-in-place.ts";
import { walFlush } from "#storage/sqlite/engine/writes/wal-flush.ts";
import { checkMayBeNew } from "#storage/sqlite/run/new-database.ts";
import { isBusy } from "#storage/sqlite/engine/writes/write-lock.ts";
import { writeQueue, type WriteQueue } from "#storage/sqlite/engine/writes/write-queue.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { instance } from "#storage/sqlite/schema/schema.ts";

/** An open database: Drizzle for ordinary queries, the raw handle for queries that its builder cannot express. */
export type SqliteDatabase = {
  readonly sqlite: Database;
  readonly orm: BunSQLiteDatabase;
  readonly writes: WriteQueue;
  /** For work that takes longer than a turn of the event loop. */
  readonly longWrites: LongWrites;
  readonly faults: StorageFaults;
  readonly recentEvents: RecentEvents;
  readonly eventSums: EventSums;
  /**
   * Signs links, tokens and cursors. It is stored in the file, so that a backup is complete and old links keep
   * working.
   */
  readonly signingSecret: Uint8Array;
  /** The migrations that this call applied; empty if the schema was current. */
  readonly migrated: readonly string[];
  /** @throws StorageError if what lies at the names of its files is not what is open */
  checkFiles(): void;
  close(): Promise<void>;
};

export const DATABASE_FILE = "postrider.db";

/**
 * Opens (or creates) `DATA_DIR/postrider.db`, mode 0600, and brings it to the current schema.
 * @throws MigrationError if a newer version wrote the file; Advised if it was there, and is gone, if it is still being
 * moved there, or if it has another's log beside it
 */
export function openSqlite(
  dataDir: string,
  clock: Clock,
  random: Random,
  onUpgrade?: OnUpgrade,
): SqliteDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = `${dataDir}/${DATABASE_FILE}`;
  checkMayBeNew(path);
  checkOwnLog(path);
  // SQLite would make the file readable by everybody. It gives the WAL the same mode as the file.
  makeUnlessThere(path);
  const sqlite = new Database(path, { create: true, strict: true });
  const { migrated, signingSecret } = whenUnlocked(sqlite, () => {
    setPragmas(sqlite);
    return {
      migrated: migrate(sqlite, MIGRATIONS, clock.now(), onUpgrade),
      signingSecret: signingSecretOf(sqlite, clock, random),
    };
  });
  const faults = sqliteFaults();
  compileAtFirstRun(sqlite, faults);
  const log = walFlush(path);
  const around = recordingActs(sqlite);
  const recentEvents = new RecentEvents(sqlite);
  const copied = overwriting(path);
  const checkFiles = filesInPlace(path, clock, copied);
  const writes = writeQueue(sqlite, { clock, flush: log.flush, checkFiles, faults, around });
  return {
    sqlite,
    orm: drizzle(forDrizzle(sqlite)),
    writes,
    longWrites: longWrites(path, writes, recordingActsInSlices),
    faults,
    recentEvents,
    eventSums: new EventSums(sqlite, recentEvents),
    signingSecret,
    migrated,
    checkFiles,
    async close() {
      await writes.end();
      // SQLite would merge the log into a backup that was copied over the file. It stays open until the process ends.
      if (copied.isOverwritten()) return;
      mergeLog(sqlite);
      log.close();
      sqlite.close(true);
      copied.close();
    },
  };
}

/**
 * When many commands, an import or an upgrade run at the same time, opening the database waits for them, at
 * least a minute.
 */
const LOCK_WAITS_MAX = 12;
const LOCK_WAIT_MS = 5_000;

/** Runs `work`, and runs it again if another process's lock stopped it. So `work` may run several times. */
function whenUnlocked<T>(sqlite: Database, work: () => T): T {
  sqlite.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
  for (let waits = 0; ; waits++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || waits >= LOCK_WAITS_MAX) throw sqliteFaults().of(error);
      awaitLock(sqlite);
    }
  }
}

/**
 * If two processes would wait for each other, SQLite refuses one at once. Taking the lock and releasing it waits
 * until it is free.
 */
function awaitLock(sqlite: Database): void {
  try {
    sqlite.exec("BEGIN IMMEDIATE");
    sqlite.exec("ROLLBACK");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/**
 * Merges the log into the database as far as nobody has to wait. TRUNCATE alone would hold the write lock until it
 * is done, and the log of a busy server is long. That server, or the next start, merges the rest.
 */
function mergeLog(sqlite: Database): void {
  try {
    const passive = sqlite.query<{ busy: number; log: number; checkpointed: number }, []>(
      "PRAGMA wal_checkpoint(PASSIVE)",
    );
    const { log, checkpointed } = present(passive.get(), "answer of a checkpoint");
    if (log === checkpointed) sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Another process is reading or writing: the log stays next to the file.
  }
}

function setPragmas(sqlite: Database): void {
  sqlite.exec("PRAGMA journal_mode = WAL");
  // The write queue flushes every commit before it answers, off the event loop; FULL would flush on it. The promise
  // "at most once" needs each commit on the disk before its dot is sent.
  sqlite.exec("PRAGMA synchronous = NORMAL");
  sqlite.exec("PRAGMA foreign_keys = ON");
  // With half of this cache, a million automation runs take a third longer, and meanwhile other requests wait three
  // times as long.
  sqlite.exec("PRAGMA cache_size = -16384");
  sqlite.exec("PRAGMA temp_store = MEMORY");
  sqlite.exec("PRAGMA journal_size_limit = 67108864");
}

function signingSecretOf(sqlite: Database, clock: Clock, random: Random): Uint8Array {
  const stored = sqlite.query<Row<typeof instance, "signingSecret">, []>(
    "SELECT signing_secret AS signingSecret FROM instance",
  );
  const known = stored.get();
  if (known) return known.signingSecret;
  sqlite
    .prepare(
      "INSERT INTO instance (only, signing_secret, created_at) VALUES (1, ?, ?) ON CONFLICT DO NOTHING",
    )
    .run(random.bytes(32), clock.now());
  return present(stored.get(), "signing secret").signingSecret;
}
