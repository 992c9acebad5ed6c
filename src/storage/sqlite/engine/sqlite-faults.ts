/** What SQLite's errors say about the database as a whole. */
import { FULL_DISK } from "#core/errors/error-code.ts";
import { StorageError, type StorageTrouble } from "#core/errors/storage-error.ts";
import { storageFaults, type StorageFaults } from "#storage/common/engine/storage-faults.ts";

const TROUBLES: readonly (readonly [RegExp, StorageTrouble])[] = [
  [FULL_DISK, "full"],
  [/^SQLITE_(BUSY|LOCKED)/, "locked"],
  [/^(SQLITE_READONLY|EROFS)/, "read-only"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "damaged"],
  // Its disk may be well: the limit of open files is reached, or root has made the file.
  [/^(SQLITE_CANTOPEN|E[MN]FILE$)/, "unopened"],
  [/^(SQLITE_IOERR|EIO$)/, "failing"],
];

export const sqliteFaults = (): StorageFaults => storageFaults(storageErrorOf);

function storageErrorOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (cause !== undefined && code === undefined) return storageErrorOf(cause);
  if (typeof code !== "string") return null;
  const trouble = TROUBLES.find(([pattern]) => pattern.test(code))?.[1];
  return trouble === undefined ? null : new StorageError(trouble, error);
}
