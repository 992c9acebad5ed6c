import { Database } from "bun:sqlite";
import { present } from "#core/present.ts";

/**
 * The orders to the thread, and its answers. `frames`: pages in the write-ahead log. `failed`: SQLite's
 * error.
 */
export type CheckpointOrder = { readonly open: string } | "checkpoint" | "end";
export type CheckpointReport =
  | { readonly frames: number }
  | { readonly failed: { readonly message: string; readonly code: string } }
  | "ended";

/** After a pass with more frames than this, a second one has work to do. */
const BRIEF_FRAMES = 200;

/** The thread's side: it has its own connection, reads the log, writes the database file, and makes nobody wait. */
export function runCheckpointThread(thread: Worker): void {
  let sqlite: Database | null = null;
  const report = (what: CheckpointReport): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data }: MessageEvent<CheckpointOrder>) => {
    if (data === "end") {
      sqlite?.close(true);
      report("ended");
    } else if (data === "checkpoint") {
      report(sqlite === null ? { frames: 0 } : checkpointOrNot(sqlite));
    } else {
      sqlite = new Database(data.open, { readwrite: true, create: false });
      sqlite.exec("PRAGMA synchronous = FULL");
    }
  });
}

/** A full disk or a damaged file must not end the thread, because it will be asked again. */
function checkpointOrNot(sqlite: Database): CheckpointReport {
  try {
    return { frames: checkpoint(sqlite) };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { failed: { message, code: String(code) } };
  }
}

/**
 * A second pass merges what was written during a long first one. So little is left for the writer that restarts the
 * log.
 */
function checkpoint(sqlite: Database): number {
  const first = checkpointOnce(sqlite);
  return first.checkpointed < BRIEF_FRAMES ? first.log : checkpointOnce(sqlite).log;
}

/** PASSIVE: as far as possible without making anybody wait. */
function checkpointOnce(sqlite: Database): { log: number; checkpointed: number } {
  using passive = sqlite.prepare<{ busy: number; log: number; checkpointed: number }, []>(
    "PRAGMA wal_checkpoint(PASSIVE)",
  );
  return present(passive.get(), "answer of a checkpoint");
}
