/** Reads a database without changing it: no migration, no write. For `postrider doctor`. */
import { SQL } from "bun";
import { pendingMigrations, type AppliedMigration } from "#storage/common/engine/migrations.ts";
import { refusedAs } from "#storage/postgres/engine/refused.ts";
import { HAS_SETTINGS, IS_READ_ONLY } from "#storage/postgres/engine/server-checks.ts";
import { sessionOver, type Session } from "#storage/postgres/engine/session.ts";
import { DATABASE_NOW } from "#storage/postgres/ledger/nodes/registry.ts";
import { movedTo } from "#storage/postgres/run/moved-to.ts";
import { MIGRATIONS } from "#storage/postgres/schema/migrations.gen.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { settings } from "#storage/postgres/schema/schema.ts";
import type { PostgresServer } from "#core/postgres-server.ts";
import { present } from "#core/present.ts";
import type { SettingPair } from "#workspaces/settings/settings.ts";

export type PostgresInspection = {
  readonly server: PostgresServer;
  /** The time of its clock. */
  readonly serverNow: number;
  /** Null: no Postrider has used it yet. */
  readonly pending: readonly string[] | null;
  /** Where its data was moved, in words; null: it is here. */
  readonly movedTo: string | null;
  readonly lastRunAt: number | null;
  readonly workspaces: readonly {
    readonly id: string;
    readonly settings: readonly SettingPair[];
  }[];
};

const SERVER = `SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::int4 AS version_number, current_setting('server_encoding') AS encoding,
  EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS has_trigrams,
  EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AND to_regtype('gtrgm') IS NULL AS hides_trigrams,
  ${DATABASE_NOW} AS now, pg_is_in_recovery() AS is_standby, ${IS_READ_ONLY} AS is_read_only,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AND (
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
    OR has_database_privilege(current_database(), 'CREATE')) AS may_make_tables,
  ${HAS_SETTINGS} AS has_settings, current_setting('fsync') = 'on' AS fsync, current_setting('full_page_writes') = 'on' AS full_page_writes,
  current_setting('synchronous_standby_names') AS standbys, (SELECT count(*) FROM pg_stat_replication) AS replicas,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_encrypted`;
const BACKEND = "SELECT pg_backend_pid() AS pid";
const MADE = "SELECT to_regclass('schema_migrations') IS NOT NULL AS made";
const APPLIED = "SELECT name, hash FROM schema_migrations ORDER BY name";
const SETTINGS = `SELECT w.id, s.key, s.value FROM workspaces AS w LEFT JOIN settings AS s ON s.workspace = w.seq
  ORDER BY w.seq, s.key`;

/**
 * @throws DatabaseRefused if it cannot be reached; MigrationError if a newer version wrote it
 */
export const inspectPostgres = (url: string): Promise<PostgresInspection> =>
  asking(url, async (session) => {
    // One by one: a pooler gives the second what the first has just given back.
    const asked = await session.row<Omit<PostgresServer, "isPooled"> & { now: number }>(SERVER);
    const { now: serverNow, ...server } = present(asked, "server");
    const own = await backendOf(session);
    const its = await asking(url, backendOf);
    const made = await isMade(session);
    return {
      server: { ...server, isPooled: own === its },
      serverNow,
      ...(made ? await inspect(session) : { pending: null, movedTo: null, lastRunAt: null, workspaces: [] }),
    };
  });

/** The migrations not applied yet: all if no Postrider has used it. @throws as `inspectPostgres` does */
export const pendingOfServer = (url: string): Promise<readonly string[]> => asking(url, pendingIn);

/** Opens a connection, uses it for `ask`, and closes it. @throws as `inspectPostgres` does */
async function asking<T>(url: string, ask: (session: Session) => Promise<T>): Promise<T> {
  const client = new SQL({ url, max: 1, prepare: false, transform: SQL.toCamel });
  try {
    return await ask(sessionOver(client));
  } catch (error) {
    throw refusedAs(error, url);
  } finally {
    await client.close({ timeout: 0 });
  }
}

const backendOf = async ({ row }: Session): Promise<number> =>
  present(await row<{ pid: number }>(BACKEND), "number of a backend").pid;

async function pendingIn(session: Session): Promise<readonly string[]> {
  const applied = (await isMade(session)) ? await session.rows<AppliedMigration>(APPLIED) : [];
  return pendingMigrations(applied, MIGRATIONS).map(({ name }) => name);
}

const isMade = async ({ row }: Session): Promise<boolean> =>
  (await row<{ made: boolean }>(MADE))?.made === true;

async function inspect(session: Session): Promise<Omit<PostgresInspection, "server" | "serverNow">> {
  const { rows, row } = session;
  const pending = await pendingIn(session);
  // The last, not the latest: the clock may have been ahead at an earlier start.
  const last = await row<{ at: number }>("SELECT started_at AS at FROM nodes ORDER BY id DESC LIMIT 1");
  const found = await rows<{ id: string } & Partial<Row<typeof settings, "key" | "value">>>(SETTINGS);
  const workspaces = new Map<string, SettingPair[]>();
  for (const { id, key, value } of found) {
    const pairs = workspaces.get(id) ?? [];
    if (key && typeof value === "string") pairs.push({ key, value });
    workspaces.set(id, pairs);
  }
  return {
    pending,
    movedTo: await movedTo(session),
    lastRunAt: last?.at ?? null,
    workspaces: [...workspaces].map(([id, pairs]) => ({ id, settings: pairs })),
  };
}
