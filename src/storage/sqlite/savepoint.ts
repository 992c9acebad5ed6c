import type { Database } from "bun:sqlite";

export type Attempted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/**
 * A part of an open transaction that happens whole or not at all: what throws undoes itself and nothing else. An error that ended
 * the whole transaction (disk full) is thrown on.
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
