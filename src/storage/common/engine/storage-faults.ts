/**
 * What is wrong with the database as a whole. A write that could not be committed is a fault until a probe
 * succeeds. Damage stays a fault until the database is opened again.
 */
import type { StorageError } from "#core/errors/storage-error.ts";
import { asError } from "#core/errors/thrown.ts";

export type StorageFaults = {
  readonly current: Error | null;
  /**
   * The error for the caller: the driver's own, or ours if it concerns the whole database and not just one
   * statement.
   */
  of(error: unknown): unknown;
  /** Call it when something could not be committed. Returns the error for its writers. */
  writeFailed(error: unknown): Error;
  /** Call it when a probe succeeded. */
  writeWorks(): void;
  /** Called when a fault begins. */
  onFault: (fault: Error) => void;
};

/** @param storageErrorOf our error for one that concerns the whole database; null for any other */
export function storageFaults(storageErrorOf: (error: unknown) => StorageError | null): StorageFaults {
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
      write = asError(known);
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
