/**
 * A write that is one transaction but takes too long for one turn of the event loop. It is done in slices, on its
 * own connection. Between slices everybody else gets a turn, and reads what was committed before. Nothing else is
 * written until it ends: the write queue waits for it.
 */
import { Database } from "bun:sqlite";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { beginWhenFree } from "./write-lock.ts";
import type { Surrounded, WriteQueue } from "./write-queue.ts";

/**
 * The work in slices of some milliseconds: it yields after each slice, and returns the result. All slices are one
 * transaction. If one throws, all are undone.
 */
export type Slices<T> = (sqlite: Database) => Generator<void, T, void>;

export type LongWrites = {
  /** Resolves when all of it is durable. */
  write<T>(slices: Slices<T>): Promise<T>;
};

/** Adds to a long write what belongs in the same transaction. Called when it is asked for. */
export type AroundSlices = <T>(slices: Slices<T>) => Surrounded<Slices<T>>;

export function longWrites(
  path: string,
  writes: Pick<WriteQueue, "aside" | "lockWaitMs">,
  around: AroundSlices,
): LongWrites {
  const transaction = async <T>(slices: Slices<T>): Promise<T> => {
    const sqlite = new Database(path, { readwrite: true, create: false, strict: true });
    try {
      for (const pragma of PRAGMAS) sqlite.run(`PRAGMA ${pragma}`);
      await beginWhenFree(() => void sqlite.run("BEGIN IMMEDIATE"), writes.lockWaitMs);
      const work = slices(sqlite);
      for (let slice = work.next(); ; slice = work.next()) {
        if (slice.done === true) {
          sqlite.run("COMMIT");
          return slice.value;
        }
        await nextLoopTurn();
      }
    } finally {
      // Undoes what was not committed. Without `true` an open statement would keep the connection and its lock.
      sqlite.close(true);
    }
  };

  return {
    write(slices) {
      // Here, because it depends on the caller: the work itself runs later, outside the caller's context.
      const { work, undone } = around(slices);
      return writes.aside(() =>
        transaction(work).catch((error: unknown) => {
          undone();
          throw error;
        }),
      );
    },
  };
}

/**
 * As for the main connection (`engine/open.ts`), with three differences. It never checkpoints: that would happen inside
 * the commit. It has less cache, because it lives only for one write, and it waits for no lock.
 */
const PRAGMAS = [
  "busy_timeout = 0",
  "synchronous = NORMAL",
  "foreign_keys = ON",
  "cache_size = -4096",
  "temp_store = MEMORY",
  "journal_size_limit = 67108864",
  "wal_autocheckpoint = 0",
] as const;
