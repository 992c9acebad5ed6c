/**
 * What is wrong with the database as a whole. A group of writes that could not be committed is a fault until a probe is written
 * (probe-write.ts); damage that was found stays until the database is opened anew.
 */
import { StorageError, type StorageTrouble } from "#core/storage-error.ts";

const TROUBLES: readonly (readonly [RegExp, StorageTrouble])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "full"],
  [/^SQLITE_(BUSY|LOCKED)/, "locked"],
  [/^(SQLITE_READONLY|EROFS)/, "read-only"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "damaged"],
  [/^(SQLITE_(IOERR|CANTOPEN)|EIO$)/, "failing"],
];

export type StorageFaults = {
  readonly current: Error | null;
  /** What a caller gets instead of SQLite's own error, where that speaks of the database and not of a statement. */
  of(error: unknown): unknown;
  /** A group could not be committed. Returns what its writers get. */
  writeFailed(error: unknown): Error;
  /** A probe was written. */
  writeWorks(): void;
  /** Told of every fault that begins. */
  onFault: (fault: Error) => void;
};

export function storageFaults(): StorageFaults {
  let damage: StorageError | null = null;
  let write: Error | null = null;

  const of = (error: unknown): unknown => {
    const known = storageErrorOf(error);
    if (known?.trouble === "damaged" && damage === null) {
      damage = known;
      faults.onFault(damage);
    }
    return known ?? error;
  };

  const faults: StorageFaults = {
    get current() {
      return damage ?? write;
    },
    of,
    writeFailed(error) {
      const wasWell = faults.current === null;
      const known = of(error);
      write = known instanceof Error ? known : new Error(String(known));
      if (wasWell && damage === null) faults.onFault(write);
      return write;
    },
    writeWorks() {
      write = null;
    },
    onFault: () => undefined,
  };
  return faults;
}

function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (cause !== undefined && code === undefined) return storageErrorOf(cause);
  if (typeof code !== "string") return null;
  const trouble = TROUBLES.find(([pattern]) => pattern.test(code))?.[1];
  return trouble === undefined ? null : new StorageError(trouble, error);
}
