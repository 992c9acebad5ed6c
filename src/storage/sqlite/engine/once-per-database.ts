import type { Database } from "bun:sqlite";

/**
 * Makes something once per connection, for all callers: many stores share the same writes, and making them for each
 * store would make them ten times at every start. What is made must keep nothing between two transactions.
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
