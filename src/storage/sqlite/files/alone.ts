/**
 * Who copies or replaces a whole database must be alone with it: what a command writes meanwhile would be gone, although
 * it says that it is done.
 */
import type { Database } from "bun:sqlite";
import { isBusy } from "#storage/sqlite/engine/writes/write-lock.ts";

/** A command has the database open. */
export class StillUsed extends Error {}

/**
 * As long as this connection is open, no other is: a command that begins waits.
 * @param waitMs how long a command that has the database open may take to end
 * @throws StillUsed if it has not ended by then
 */
export function keepOthersOut(sqlite: Database, path: string, waitMs: number): void {
  try {
    sqlite.run(`PRAGMA busy_timeout = ${waitMs}`);
    // In WAL mode only this is refused while others merely have the file open.
    sqlite.run("PRAGMA locking_mode = EXCLUSIVE");
    sqlite.run("BEGIN EXCLUSIVE");
    sqlite.run("ROLLBACK");
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StillUsed(`a command still uses ${path}: wait until it has ended`, { cause: error });
  }
}
