import type { Database } from "bun:sqlite";

/**
 * Makes something once for each connection, for all who ask: many stores share the same writes, and a start
 * that made them for each store would make them ten times. What is made must keep nothing between two
 * transactions.
 */
export function oncePerDatabase<T extends object>(make: (sqlite: Database) => T): (sqlite: Database) => T {
  const made = new WeakMap<Database, T>();
  return (sqlite) => {
    const known = made.get(sqlite);
    if (known !== undefined) return known;
    const thing = make(sqlite);
    made.set(sqlite, thing);
    return thing;
  };
}
