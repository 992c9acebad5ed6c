/**
 * Brings a database to this version's schema, like storage/sqlite/schema/migrate.ts: all pending migrations in one
 * transaction, or none. Several processes may start at once: a lock lets one migrate, and the others find it done.
 * The lock belongs to the transaction, because a session's lock does not work behind a pooler. Nothing is copied
 * before: backups of PostgreSQL are its operator's task.
 */
import type { SQL } from "bun";
import { migrationHash, pendingMigrations, type Migration } from "#storage/common/engine/migrations.ts";

/** Any number that nothing else locks. */
const LOCK = 7_467_321;

const MADE = "SELECT to_regclass('schema_migrations') IS NOT NULL AS made";
const MAKE =
  "CREATE TABLE schema_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at int8 NOT NULL)";

/**
 * @param mayMake called where the database has no schema yet. If it throws, nothing is made
 * @returns the names of the migrations applied by this call
 */
export async function migrate(
  client: SQL,
  migrations: readonly Migration[],
  now: number,
  mayMake: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  let names: string[] = [];
  await client.begin(async (tx) => {
    await tx.unsafe("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const [{ made }] = await tx.unsafe(MADE);
    if (!made) {
      await mayMake();
      await tx.unsafe(MAKE);
    }
    const applied = await tx.unsafe("SELECT name, hash FROM schema_migrations ORDER BY name");
    const pending = pendingMigrations(applied, migrations);
    for (const migration of pending) {
      await tx.unsafe(migration.sql).simple();
      await tx.unsafe("INSERT INTO schema_migrations VALUES ($1, $2, $3)", [
        migration.name,
        migrationHash(migration),
        now,
      ]);
    }
    names = pending.map(({ name }) => name);
  });
  return names;
}
