import { Database } from "bun:sqlite";
import { required } from "#storage/sqlite/engine/required.ts";

/** What the thread is told, and what it answers. `frames`: pages in the write-ahead log. `failed`: SQLite's error. */
export type CheckpointOrder = { readonly open: string } | "checkpoint" | "end";
export type CheckpointReport =
  | { readonly frames: number }
  | { readonly failed: { readonly message: string; readonly code: string } }
  | "ended";

/** Longer passes leave a second one something to do. */
const BRIEF_FRAMES = 200;

/** The thread's own side: a connection of its own, which reads the log and writes the database file, and asks nobody to wait. */
export function runCheckpointThread(thread: Worker): void {
  let sqlite: Database | null = null;
  const report = (what: CheckpointReport): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data }: MessageEvent<CheckpointOrder>) => {
    if (data === "end") {
      sqlite?.close();
      report("ended");
    } else if (data === "checkpoint") {
      report(sqlite === null ? { frames: 0 } : checkpointOrNot(sqlite));
    } else {
      sqlite = new Database(data.open, { readwrite: true, create: false });
      sqlite.exec("PRAGMA synchronous = FULL");
    }
  });
}

/** A full disk or a damaged file must not end the thread: it is asked again. */
function checkpointOrNot(sqlite: Database): CheckpointReport {
  try {
    return { frames: checkpoint(sqlite) };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { failed: { message, code: String(code) } };
  }
}

/** A second pass takes what was written during a long first one, so that little is left for whoever starts the log anew. */
function checkpoint(sqlite: Database): number {
  const first = checkpointOnce(sqlite);
  return first.checkpointed < BRIEF_FRAMES ? first.log : checkpointOnce(sqlite).log;
}

/** PASSIVE: as far as it gets without keeping anybody waiting. */
function checkpointOnce(sqlite: Database): { log: number; checkpointed: number } {
  using passive = sqlite.prepare<{ busy: number; log: number; checkpointed: number }, []>(
    "PRAGMA wal_checkpoint(PASSIVE)",
  );
  return required(passive.get());
}
