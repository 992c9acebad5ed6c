import { Database } from "bun:sqlite";
import { isPostgres, rowsFrom, writeTo, type Held } from "./services.ts";

/** An internal message of the database; nobody outside may read it. */
export const INSIDE_WORDS = "secret detail";

/** PostgreSQL's codes for a full disk, and for a lock that was waited for too long. */
const FULL = "53100";
const LOCKED = "55P03";

/**
 * From now on the server can write nothing, or nothing into one table, as on a full disk.
 * @returns a function that ends this
 */
export const refuseWrites = (api: Held, table: string | null = null): Promise<() => Promise<void>> =>
  isPostgres ? refusedByPostgres(api, table) : refusedBySqlite(api, table);

/**
 * From now on every write waits for a lock in vain.
 * @returns a function that ends this
 */
export const lockWrites = (api: Held): Promise<() => Promise<void>> =>
  isPostgres ? refusedByPostgres(api, null, LOCKED) : lockSqlite(api);

/** Another process holds SQLite's write lock. */
async function lockSqlite({ services: { database } }: Held): Promise<() => Promise<void>> {
  const { lockWaitMs } = database.writes;
  database.writes.lockWaitMs = 0;
  const other = new Database(database.sqlite.filename);
  other.run("BEGIN IMMEDIATE");
  return async () => {
    other.run("ROLLBACK");
    other.close();
    database.writes.lockWaitMs = lockWaitMs;
  };
}

async function refusedBySqlite(api: Held, table: string | null) {
  const [begin, end] =
    table === null
      ? ["PRAGMA query_only = ON", "PRAGMA query_only = OFF"]
      : [
          `CREATE TEMP TRIGGER refused BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, '${INSIDE_WORDS}'); END`,
          "DROP TRIGGER refused",
        ];
  await writeTo(api, begin);
  return () => writeTo(api, end);
}

/** One table in each transaction: each takes a lock, and two could block the server. */
async function refusedByPostgres(api: Held, table: string | null, code = FULL) {
  const raise = `RAISE EXCEPTION '${INSIDE_WORDS}' USING ERRCODE = '${code}'`;
  await writeTo(api, functionOf(raise));
  const tables = rowsFrom<{ name: string }>(
    api,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  for (const { name } of tables.filter((one) => table === null || one.name === table))
    await writeTo(
      api,
      `CREATE OR REPLACE TRIGGER refused BEFORE INSERT OR UPDATE OR DELETE ON ${name} EXECUTE FUNCTION refused()`,
    );
  return () => writeTo(api, functionOf("RETURN NULL"));
}

const functionOf = (statement: string): string =>
  `CREATE OR REPLACE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; END $$`;
