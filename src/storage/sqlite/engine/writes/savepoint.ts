import type { Database } from "bun:sqlite";
import { StorageError } from "#core/errors/storage-error.ts";

export type Attempted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/**
 * A part of an open transaction that happens completely or not at all: if it throws, only this part is undone. A
 * fault of the database itself (disk full) is not caused by this part, and is rethrown.
 */
export function savepoints(sqlite: Database, name: string) {
  const begin = sqlite.prepare(`SAVEPOINT ${name}`);
  const release = sqlite.prepare(`RELEASE ${name}`);
  const undo = sqlite.prepare(`ROLLBACK TO ${name}`);

  return <T>(work: () => T): Attempted<T> => {
    begin.run();
    try {
      const value = work();
      release.run();
      return { ok: true, value };
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      undo.run();
      release.run();
      if (error instanceof StorageError) throw error;
      return { ok: false, error };
    }
  };
}
