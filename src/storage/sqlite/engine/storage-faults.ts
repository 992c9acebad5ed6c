/**
 * What is wrong with the database as a whole. A group of writes that could not be committed is a fault until
 * a probe is written (probe-write.ts). Damage stays a fault until the database is opened again.
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
  /**
   * The error for the caller: SQLite's own, or ours where it concerns the whole database and not one
   * statement.
   */
  of(error: unknown): unknown;
  /** Call it when a group could not be committed. Returns the error for its writers. */
  writeFailed(error: unknown): Error;
  /** Call it when a probe was written. */
  writeWorks(): void;
  /** Called for every fault that begins. */
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
