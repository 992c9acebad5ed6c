import { Database } from "bun:sqlite";

/** What the thread is told, and what it answers. `frames`: pages in the write-ahead log. */
export type CheckpointOrder = { readonly open: string } | "checkpoint" | "end";
export type CheckpointReport = { readonly frames: number } | "ended";

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
      report({ frames: sqlite === null ? 0 : checkpoint(sqlite) });
    } else {
      sqlite = new Database(data.open, { readwrite: true, create: false });
      sqlite.exec("PRAGMA synchronous = FULL");
    }
  });
}

/** A second pass takes what was written during a long first one, so that little is left for whoever starts the log anew. */
function checkpoint(sqlite: Database): number {
  const first = checkpointOnce(sqlite);
  return first.checkpointed < BRIEF_FRAMES ? first.log : checkpointOnce(sqlite).log;
}

/** PASSIVE: as far as it gets without keeping anybody waiting. */
function checkpointOnce(sqlite: Database): { log: number; checkpointed: number } {
  using passive = sqlite.prepare<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(PASSIVE)");
  return passive.get()!;
}
