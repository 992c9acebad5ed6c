/**
 * The checkpoint thread takes memory. While little is written it has nothing to do: a short log is read as fast as
 * none, and a server that ends merges the rest. So the thread is started only when the log has grown.
 */
import { statSync } from "node:fs";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";
import { leaveToThread, startCheckpoints, type Checkpoints } from "./checkpoints.ts";

/** About 250 pages: a server that only writes its run record needs hours for them. */
const SHORT_LOG_BYTES = 1024 * 1024;

/** Starts checkpoints at the first commit that leaves the log longer than 1 MB, or now if it already is. */
export function checkpointsOnceLong(
  database: SqliteDatabase,
  startThread: () => Worker,
  world: Parameters<typeof startCheckpoints>[2],
): Checkpoints {
  const { sqlite, writes } = database;
  let checkpoints: Checkpoints | null = null;
  let isOver = false;
  const walPath = walPathOf(sqlite.filename);
  const look = (): void => {
    if (checkpoints !== null || isOver || logBytes(walPath) <= SHORT_LOG_BYTES) return;
    checkpoints = startCheckpoints(database, startThread, world);
  };
  leaveToThread(sqlite);
  writes.onCommit(look);
  look();
  return {
    async stop() {
      isOver = true;
      await checkpoints?.stop();
    },
  };
}

/** The log's file grows until it is merged: by the thread, or by a command of another process at its end. */
const logBytes = (walPath: string): number => statSync(walPath, { throwIfNoEntry: false })?.size ?? 0;
