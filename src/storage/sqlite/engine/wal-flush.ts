import { closeSync, fdatasync, openSync } from "node:fs";

let underWay = 0;

/** How many flushes of this process are under way: a test that holds the clock lets the disk finish first. */
export const flushesUnderWay = (): number => underWay;

/**
 * Flushes the log of a database in WAL mode from outside SQLite, in the thread pool. A commit is durable once the log is:
 * SQLite reads it up to the last whole commit, and a log that starts anew is flushed by SQLite itself before it is used.
 * The log keeps its file for as long as a connection of this process is open.
 */
export function walFlush(databasePath: string) {
  /** Opened when there is something to flush: then the log is there. */
  let log: number | null = null;
  return {
    /** Resolves when the disk has what was committed before the call. */
    flush(): Promise<void> {
      log ??= openSync(`${databasePath}-wal`, "r+");
      const file = log;
      underWay++;
      return new Promise((resolve, reject) => {
        fdatasync(file, (error) => {
          underWay--;
          if (error) reject(error);
          else resolve();
        });
      });
    },

    close(): void {
      if (log !== null) closeSync(log);
      log = null;
    },
  };
}
