import type { Database } from "bun:sqlite";
import { StorageError } from "#core/errors/storage-error.ts";

export type Attempted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/**
 * A part of an open transaction that happens completely or not at all: if it throws, only this part is undone.
 * @throws the error if it ended the whole transaction, as a full disk does
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
      return { ok: false, error };
    }
  };
}

/**
 * Savepoints for parts that are put off or ended when they fail. A fault of the database itself is not caused by
 * the part: it is rethrown, once the part is undone.
 */
export function attempts(sqlite: Database, name: string) {
  const within = savepoints(sqlite, name);
  return <T>(work: () => T): Attempted<T> => {
    const attempted = within(work);
    if (!attempted.ok && attempted.error instanceof StorageError) throw attempted.error;
    return attempted;
  };
}
