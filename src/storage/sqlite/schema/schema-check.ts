import { Database } from "bun:sqlite";
import type { Migration } from "#storage/common/engine/migrations.ts";
import { migrate } from "./migrate.ts";

type Part = { readonly type: string; readonly name: string; readonly sql: string };

/**
 * The part of a database's schema that differs from what its recorded migrations make, in words; null if nothing
 * differs. A foreign trigger or view would run with every write: it could undo an opt-out, or copy addresses to
 * another table.
 */
export function findForeignPart(
  sqlite: Database,
  migrations: readonly Migration[],
  pending: readonly string[],
): string | null {
  const own = new Database(":memory:", { strict: true });
  try {
    const applied = migrations.filter(({ name }) => !pending.includes(name));
    migrate(own, applied, 0);
    return difference(partsOf(sqlite), partsOf(own));
  } finally {
    own.close(true);
  }
}

function difference(found: ReadonlyMap<string, Part>, own: ReadonlyMap<string, Part>): string | null {
  for (const [key, { type, name, sql }] of found) {
    const expected = own.get(key);
    if (expected === undefined) return `it has the ${type} ${name}, which Postrider did not make`;
    if (bare(expected.sql) !== bare(sql)) return `its ${type} ${name} is not as Postrider made it`;
  }
  const missing = [...own].find(([key]) => !found.has(key))?.[1];
  return missing === undefined ? null : `it lacks the ${missing.type} ${missing.name}`;
}

/** SQLite creates and deletes its own tables (statistics, sequences) itself. */
function partsOf(sqlite: Database): Map<string, Part> {
  const parts = sqlite
    .query<Part, []>(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type DESC, name",
    )
    .all();
  return new Map(parts.map((part) => [`${part.type} ${part.name}`, part]));
}

const bare = (sql: string): string => sql.replaceAll(/\s+/g, " ").trim();
