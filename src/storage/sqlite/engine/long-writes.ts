/**
 * A write that takes too long for one turn of the event loop, and is one transaction all the same: it has a connection of its own and
 * is done in slices. Between them everybody else has a turn, and reads what was committed before. Nothing else is written
 * meanwhile: the write queue waits for its end.
 */
import { Database } from "bun:sqlite";
import type { Clock } from "#core/clock.ts";
import { nextTurn } from "./next-turn.ts";
import { beginWhenFree } from "./write-lock.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * Yields after each slice of some milliseconds, and returns what the whole comes to. It runs in one transaction, which a throw undoes.
 */
export type Slices<T> = (sqlite: Database) => Generator<void, T, void>;

export type LongWrites = {
  /** Resolves once all of it is durable. */
  write<T>(slices: Slices<T>): Promise<T>;
};

export function longWrites(
  path: string,
  writes: Pick<WriteQueue, "aside" | "lockWaitMs">,
  clock: Clock,
): LongWrites {
  const transaction = async <T>(slices: Slices<T>): Promise<T> => {
    const sqlite = new Database(path, { readwrite: true, create: false, strict: true });
    try {
      for (const pragma of PRAGMAS) sqlite.run(`PRAGMA ${pragma}`);
      await beginWhenFree(() => void sqlite.run("BEGIN IMMEDIATE"), { clock, waitMs: writes.lockWaitMs });
      const work = slices(sqlite);
      for (let slice = work.next(); ; slice = work.next()) {
        if (slice.done === true) {
          sqlite.run("COMMIT");
          return slice.value;
        }
        await nextTurn();
      }
    } finally {
      // Undoes what was not committed.
      sqlite.close();
    }
  };

  return { write: (slices) => writes.aside(() => transaction(slices)) };
}

/** As the connection of everybody else has them. It never carries the log over: that would be done in the commit. */
const PRAGMAS = [
  "busy_timeout = 0",
  "synchronous = NORMAL",
  "foreign_keys = ON",
  "cache_size = -4096",
  "temp_store = MEMORY",
  "journal_size_limit = 67108864",
  "wal_autocheckpoint = 0",
] as const;
