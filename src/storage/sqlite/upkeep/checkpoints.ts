/**
 * Checkpoints off the event loop. By default SQLite merges its write-ahead log into the database inside the commit
 * that makes the log 1,000 pages long, and everybody waits for those writes and syncs. Here a thread with its own
 * connection does it ten times a second while there are writes. The log is restarted as soon as little of it is left to
 * merge. The thread is started when the log has grown (late-checkpoints.ts).
 *
 * While the thread lives no commit makes a checkpoint, however long the log is. A long reader (a backup, a question
 * about a segment) keeps the log from being merged; after it the commit that came first would merge all of it, and
 * the event loop would stand still for as long.
 *
 * The log stays bounded all the same. If a pass ends with a long log, the writer pauses until the thread has merged
 * the rest, and the next write restarts the log: it grows beyond 64 MB only by what is written during one pass, or
 * while a reader or one large transaction lasts. No checkpoint could have restarted it then.
 *
 * Durability does not change: a commit is in the log, synced, before it is answered. If the thread ends,
 * SQLite does the checkpoints again until a new thread has done one.
 */
import type { Database } from "bun:sqlite";
import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { isBusy } from "#storage/sqlite/engine/writes/write-lock.ts";
import { lastingPasses } from "./checkpoint-passes.ts";

const EVERY_MS = 100;
/** The pause after a pass that failed. */
const AGAIN_MS = 1_000;
/** 64 MB: beyond this, the log should restart from its beginning. */
const FRAMES_MAX = 16_384;
/** When a commit makes a checkpoint: never (0) while the thread lives; at SQLite's default without it. */
const OWN_AT_FRAMES = { behind: 0, alone: 1_000 } as const;

const ownAt = (sqlite: Database, frames: number): void =>
  void sqlite.exec(`PRAGMA wal_autocheckpoint = ${frames}`);

/** From now on commits make no checkpoints, because a thread does or will do it. */
export const leaveToThread = (sqlite: Database): void => ownAt(sqlite, OWN_AT_FRAMES.behind);

export type Checkpoints = {
  /** Resolves when the thread has closed its connection. */
  stop(): Promise<void>;
};

export function startCheckpoints(
  { sqlite, writes, faults }: SqliteDatabase,
  startThread: () => Worker,
  { clock, log }: { clock: Clock; log: Log },
): Checkpoints {
  let isAtWork = false;
  let isLooking = false;
  let hasNews = writes.commits > 0;
  let pauseMs = EVERY_MS;
  let cancel = (): void => undefined;

  /**
   * When nothing in the log is left to merge, the next write restarts it. To merge the last part, the writer must
   * pause for a moment.
   */
  const carryOver = async (): Promise<void> => {
    isAtWork = true;
    if ((await passes.run()) >= FRAMES_MAX) await writes.pause(async () => void (await passes.run()));
    isAtWork = false;
    if (hasNews) lookLater();
  };

  const look = (): void => {
    isLooking = false;
    hasNews = false;
    pauseMs = EVERY_MS;
    void carryOver();
  };

  const lookLater = (): void => {
    hasNews = true;
    if (isLooking || isAtWork || passes.isOver) return;
    isLooking = true;
    cancel = clock.setTimer(pauseMs, look);
  };

  const passes = lastingPasses(startThread, sqlite.filename, {
    clock,
    /** Logged once for all its consequences; tried again even if nothing more is written. */
    onFailure(error) {
      if (!isBusy(error)) faults.writeFailed(error);
      [hasNews, pauseMs] = [true, AGAIN_MS];
    },
    onGone(reason) {
      log.warn("the checkpoint thread ended; commits do its work until a new one does", { reason });
      ownAt(sqlite, OWN_AT_FRAMES.alone);
    },
    onNewThread: () => lookLater(),
    onBack() {
      log.info("the checkpoint thread works again");
      leaveToThread(sqlite);
    },
  });

  leaveToThread(sqlite);
  writes.onCommit(lookLater);
  if (hasNews) lookLater();
  return {
    stop() {
      cancel();
      return passes.stop();
    },
  };
}
