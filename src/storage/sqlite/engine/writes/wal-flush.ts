import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { errorCode } from "#core/errors/error-code.ts";

let underWay = 0;

/** A file system that says it each time does not keep anything. */
const INTERRUPTIONS_MAX = 20;

/**
 * How many flushes of this process are running. A test that controls the clock lets the disk finish first.
 */
export const flushesUnderWay = (): number => underWay;

/** SQLite keeps the log beside the file itself, also where the database's name is a symbolic link to it. */
export const walPathOf = (databasePath: string): string => `${realpathSync(databasePath)}-wal`;

/** The log's index lies beside it. */
export const indexPathOf = (databasePath: string): string => `${realpathSync(databasePath)}-shm`;

/**
 * Flushes the log of a database in WAL mode from outside SQLite, in the thread pool. A commit is durable once
 * the log is: SQLite reads the log up to the last complete commit, and when the log restarts, SQLite flushes
 * it before using it. The log keeps its file as long as a connection of this process is open.
 */
export function walFlush(databasePath: string) {
  /** Opened when there is something to flush, because then the log exists. */
  let log: number | null = null;
  return {
    /** Resolves when everything committed before the call is on the disk. */
    flush(): Promise<void> {
      log ??= openSync(walPathOf(databasePath), "r+");
      return uninterrupted(log);
    },

    close(): void {
      if (log !== null) closeSync(log);
      log = null;
    },
  };
}

/**
 * A file system in another process or on another machine may end a flush because of a signal (EINTR). The disk has
 * refused nothing then, so the flush is done again, as PostgreSQL does it. After any other error a second flush that
 * succeeds proves nothing: the system may have dropped what it could not write.
 */
async function uninterrupted(file: number, interruptions = 0): Promise<void> {
  try {
    await flushOf(file);
  } catch (error) {
    if (errorCode(error) !== "EINTR" || interruptions === INTERRUPTIONS_MAX) throw error;
    await uninterrupted(file, interruptions + 1);
  }
}

function flushOf(file: number): Promise<void> {
  underWay++;
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => {
      underWay--;
      if (error) reject(error);
      else resolve();
    });
  });
}
