/**
 * Checkpoints off the event loop. SQLite by itself carries its write-ahead log into the database inside whichever commit makes it
 * 1,000 pages long, and everybody waits for those writes and syncs. Here a thread with a connection of its own does that ten times a
 * second while there is writing, and the log is started anew as soon as little of it is left to carry over.
 *
 * Durability is untouched: a commit is in the log, synced, before it is answered. Where the thread fails, SQLite does it again.
 */
import type { Clock } from "#core/clock.ts";
import type { Log } from "#log.ts";
import type { CheckpointOrder, CheckpointReport } from "./checkpoint-thread.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { isBusy } from "#storage/sqlite/engine/write-queue.ts";

const EVERY_MS = 100;
/** After a pass that failed. */
const AGAIN_MS = 1_000;
/** 64 MB: beyond this the log is to begin at its start again. */
const FRAMES_MAX = 16_384;
/** SQLite's own checkpoints: far behind the thread's while it runs, its default without it. */
const OWN_AT_FRAMES = { behind: 4 * FRAMES_MAX, alone: 1_000 } as const;

export type Checkpoints = {
  /** Resolves once the thread has let go of the database. */
  stop(): Promise<void>;
};

export function startCheckpoints(
  { sqlite, writes, faults }: SqliteDatabase,
  thread: Worker,
  { clock, log }: { clock: Clock; log: Log },
): Checkpoints {
  let isAtWork = false;
  let isOver = false;
  let isLooking = false;
  let hasNews = writes.commits > 0;
  let pauseMs = EVERY_MS;
  let cancel = (): void => undefined;
  let ended = (): void => undefined;
  let reported = (_frames: number): void => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const order = (what: CheckpointOrder): void => thread.postMessage(what, []);

  /** One pass of the thread, and how many pages the log has. */
  const pass = (): Promise<number> =>
    new Promise((resolve) => {
      if (isOver) return resolve(0);
      reported = resolve;
      order("checkpoint");
    });

  /** With nothing left in the log the next write begins it anew. For the last of it the writer has to stand still a moment. */
  const carryOver = async (): Promise<void> => {
    isAtWork = true;
    if ((await pass()) >= FRAMES_MAX) await writes.pause(async () => void (await pass()));
    isAtWork = false;
    if (hasNews) lookLater();
  };

  const look = (): void => {
    isLooking = false;
    if (isAtWork || isOver) return;
    hasNews = false;
    pauseMs = EVERY_MS;
    void carryOver();
  };

  const lookLater = (): void => {
    hasNews = true;
    if (isLooking || isAtWork || isOver) return;
    isLooking = true;
    cancel = clock.setTimer(pauseMs, look);
  };

  /** Said once, for all that it keeps from working; tried again even if nothing more is written. */
  const failed = (error: Error): void => {
    if (!isBusy(error)) faults.writeFailed(error);
    [hasNews, pauseMs] = [true, AGAIN_MS];
    reported(0);
  };

  const finish = (): void => {
    isOver = true;
    cancel();
  };

  thread.addEventListener("message", ({ data }: MessageEvent<CheckpointReport>) => {
    if (data === "ended") ended();
    else if ("failed" in data)
      failed(Object.assign(new Error(data.failed.message), { code: data.failed.code }));
    else reported(data.frames);
  });
  const gone = (reason: string): void => {
    if (isOver) return ended();
    log.warn("the checkpoint thread ended; commits do its work", { reason });
    finish();
    ended();
    reported(0);
    sqlite.exec(`PRAGMA wal_autocheckpoint = ${OWN_AT_FRAMES.alone}`);
  };
  thread.addEventListener("error", (event) => gone(event.message));
  thread.addEventListener("close", () => gone("it was closed"));

  sqlite.exec(`PRAGMA wal_autocheckpoint = ${OWN_AT_FRAMES.behind}`);
  order({ open: sqlite.filename });
  thread.unref();
  writes.onCommit(lookLater);
  if (hasNews) lookLater();
  return {
    async stop() {
      finish();
      thread.ref();
      order("end");
      await end;
      thread.terminate();
    },
  };
}
