/**
 * Brings a database to this version's schema, like storage/sqlite/schema/migrate.ts: all pending migrations in one
 * transaction, or none. Several processes may start at once: a lock lets one migrate, and the others find it done.
 * The lock belongs to the transaction, because a session's lock does not work behind a pooler. Nothing is copied
 * before: backups of PostgreSQL are its operator's task.
 *
 * Old nodes go on meanwhile. A change of a table waits until everybody has ended who reads it, such as `pg_dump`, and
 * all who come later wait behind it, although they could go on. So it waits for a moment only, and tries again.
 */
import type { SQL } from "bun";
import { sleep, systemClock } from "#core/time/clock.ts";
import { isConflict, sqlStateOf } from "#storage/postgres/engine/failures.ts";
import { holdersOfTables, inWords } from "#storage/postgres/engine/lock-holders.ts";
import { DatabaseRefused } from "#storage/postgres/engine/refused.ts";
import { migrationHash, pendingMigrations, type Migration } from "#storage/common/engine/migrations.ts";

/** Any number that nothing else locks. */
const LOCK = 7_467_321;

const MADE = "SELECT to_regclass('schema_migrations') IS NOT NULL AS made";
const MAKE =
  "CREATE TABLE schema_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at int8 NOT NULL)";

/** How long a table is waited for, and how often. More than a second: PostgreSQL then ends an autovacuum for us. */
const PATIENCE = { waitMs: 2_000, pauseMs: 3_000, tries: 5 };
const NO_LIMIT_MS = 0;

/**
 * @param mayMake called where the database has no schema yet. If it throws, nothing is made
 * @returns the names of the migrations applied by this call
 * @throws DatabaseRefused if somebody holds a table all the time: nothing is changed
 */
export async function migrate(
  client: SQL,
  migrations: readonly Migration[],
  now: number,
  mayMake: () => Promise<void> = () => Promise.resolve(),
  { waitMs, pauseMs, tries } = PATIENCE,
): Promise<readonly string[]> {
  for (let tried = 1; ; tried++) {
    try {
      return await migrateOnce(client, migrations, now, mayMake, waitMs);
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      if (tried === tries) throw await heldUp(client, waitMs);
    }
    await sleep(systemClock, pauseMs);
  }
}

const isHeldUp = (error: unknown): boolean => sqlStateOf(error) === "55P03" || isConflict(error);

async function heldUp(client: SQL, waitMs: number): Promise<DatabaseRefused> {
  const holders = await holdersOfTables(client, waitMs);
  const who = holders.length === 0 ? "" : `: ${inWords(holders)}`;
  return new DatabaseRefused(
    `The upgrade of the database waits for somebody who uses its tables${who}. Nothing was changed. Start again when they have ended, or end them with SELECT pg_terminate_backend(NUMBER).`,
  );
}

async function migrateOnce(
  client: SQL,
  migrations: readonly Migration[],
  now: number,
  mayMake: () => Promise<void>,
  waitMs: number,
): Promise<readonly string[]> {
  let names: string[] = [];
  await client.begin(async (tx) => {
    // Another process may migrate for a long time.
    await limitWaits(tx, NO_LIMIT_MS);
    await tx.unsafe("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await limitWaits(tx, waitMs);
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

/** In this transaction, whatever the role's own limit is. */
async function limitWaits(tx: SQL, ms: number): Promise<void> {
  await tx.unsafe("SELECT set_config('lock_timeout', $1, true)", [`${ms}ms`]);
}
