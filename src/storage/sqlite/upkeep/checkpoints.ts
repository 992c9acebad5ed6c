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

const EVERY_MS = 100;
/** 64 MB: beyond this the log is to begin at its start again. */
const FRAMES_MAX = 16_384;
/** SQLite's own checkpoints: far behind the thread's while it runs, its default without it. */
const OWN_AT_FRAMES = { behind: 4 * FRAMES_MAX, alone: 1_000 } as const;

export type Checkpoints = {
  /** Resolves once the thread has let go of the database. */
  stop(): Promise<void>;
};

export function startCheckpoints(
  { sqlite, writes }: SqliteDatabase,
  thread: Worker,
  { clock, log }: { clock: Clock; log: Log },
): Checkpoints {
  let isAtWork = false;
  let isOver = false;
  let seenCommits = writes.commits;
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
  };

  const look = (): void => {
    cancel = clock.setTimer(EVERY_MS, look);
    if (isAtWork || writes.commits === seenCommits) return;
    seenCommits = writes.commits;
    void carryOver();
  };

  const finish = (): void => {
    isOver = true;
    cancel();
  };

  thread.addEventListener("message", ({ data }: MessageEvent<CheckpointReport>) => {
    if (data === "ended") ended();
    else reported(data.frames);
  });
  thread.addEventListener("error", (event) => {
    log.warn("the checkpoint thread failed; commits do its work", { reason: event.message });
    finish();
    ended();
    reported(0);
    sqlite.exec(`PRAGMA wal_autocheckpoint = ${OWN_AT_FRAMES.alone}`);
  });

  sqlite.exec(`PRAGMA wal_autocheckpoint = ${OWN_AT_FRAMES.behind}`);
  order({ open: sqlite.filename });
  thread.unref();
  look();
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
