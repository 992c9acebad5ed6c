import { statSync } from "node:fs";
import type { Clock } from "#core/time/clock.ts";
import { isNoPath } from "#core/errors/error-code.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Overwriting } from "#storage/sqlite/files/own-log.ts";
import { indexPathOf, walPathOf } from "./wal-flush.ts";

/** A look costs more than a small write. What was answered in the last moment before a loss is lost anyway. */
const LOOK_EVERY_MS = 100;

/**
 * Whether the files of an open database are those at their names: the database, its log, and the log's index. A file
 * that was moved, removed or replaced can still be written by whoever has it open. All of that would be gone at the next
 * start, so it may not be answered (docs/failure-catalogue.md "D-24").
 *
 * @returns a function that throws while one of them is not in its place, or was overwritten; to be called before each
 * write
 */
export function filesInPlace(
  databasePath: string,
  clock: Pick<Clock, "monotonicMs">,
  { isOverwritten }: Pick<Overwriting, "isOverwritten">,
): () => void {
  const files = [databasePath, walPathOf(databasePath), indexPathOf(databasePath)];
  /** Each since it was first seen: SQLite makes the others when it needs them, and keeps them while it is open. */
  const known = new Map<string, string>();

  let wellAtMs = -Infinity;

  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - wellAtMs < LOOK_EVERY_MS) return;
    for (const file of files) {
      const now = identityOf(file);
      if (now === "unknown") continue;
      const before = known.get(file);
      if (before === undefined) {
        if (now !== null) known.set(file, now);
      } else if (now !== before) {
        const cause = new Error(`${file} was moved, removed or replaced while it is open`);
        throw new StorageError("displaced", cause);
      }
    }
    if (isOverwritten()) {
      const cause = new Error(`${databasePath} was overwritten while it is open`);
      throw new StorageError("displaced", cause);
    }
    wellAtMs = nowMs;
  };
}

/**
 * Null if nothing is there. "unknown" if it cannot be looked at, as in a directory that was closed to this user: what is
 * open can still be written, and lies where the next start looks for it.
 */
function identityOf(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev} ${found.ino}`;
  } catch (error) {
    return isNoPath(error) ? null : "unknown";
  }
}
