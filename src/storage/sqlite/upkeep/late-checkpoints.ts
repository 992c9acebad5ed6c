/**
 * The checkpoint thread takes memory. While little is written there is nothing for it to do: a short
 * log is read as fast as none, and a server that ends merges what is left. So the thread is started when the
 * log has grown.
 */
import { statSync } from "node:fs";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { leaveToThread, startCheckpoints, type Checkpoints } from "./checkpoints.ts";

/** About 250 pages: a server that only keeps its run record needs hours for them. */
const SHORT_LOG_BYTES = 1024 * 1024;

/** Checkpoints from the first commit on that leaves the log longer than 1 MB, or from now if it is. */
export function checkpointsOnceLong(
  database: SqliteDatabase,
  startThread: () => Worker,
  world: Parameters<typeof startCheckpoints>[2],
): Checkpoints {
  const { sqlite, writes } = database;
  let checkpoints: Checkpoints | null = null;
  let isOver = false;
  const look = (): void => {
    if (checkpoints !== null || isOver || logBytes(sqlite.filename) <= SHORT_LOG_BYTES) return;
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

/** The log's file grows until somebody merges it: here the thread, or a command of another process that ends. */
const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
