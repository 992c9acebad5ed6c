/**
 * The changes that make a schema, in order, and which of them a database still needs. Every database keeps the name
 * and the SHA-256 of each file that was applied to it, in `schema_migrations`.
 */
import { createHash } from "node:crypto";
import { Advised } from "#core/errors/advised.ts";

export type Migration = { readonly name: string; readonly sql: string };
export type AppliedMigration = { readonly name: string; readonly hash: string };

/** A database that this program must not change. */
export class MigrationError extends Advised {}

/**
 * The migrations that were not applied yet.
 * @throws MigrationError for an applied one that is unknown here, or whose text has changed
 */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migrationHash(migration)]));
  for (const row of applied) {
    const hash = known.get(row.name);
    if (hash === undefined) {
      throw new MigrationError(
        `The database was written by a newer Postrider (migration ${row.name} is unknown here). Run that version, or restore the backup made before the upgrade.`,
      );
    }
    if (hash !== row.hash) {
      throw new MigrationError(
        `Migration ${row.name} differs from the one this database was made with. Run an official build of Postrider.`,
      );
    }
  }
  const done = new Set(applied.map((row) => row.name));
  return migrations.filter((migration) => !done.has(migration.name));
}

export const migrationHash = (migration: Migration): string =>
  createHash("sha256").update(migration.sql).digest("hex");
