/** The stores of each database engine, for tests that hold for both. */
import { SQL } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteSendingStores, sqliteStores } from "#app/sqlite-stores.ts";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { holdCopied as holdCopiedFile } from "#storage/sqlite/run/hold.ts";
import { holdCopied as holdCopiedTables } from "#storage/postgres/run/hold.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { postgresStores } from "#app/postgres-stores.ts";
import { seededRandom } from "../common/dice.ts";
import { lacksPostgres, migratedDatabase } from "./postgres.ts";

/** The stores that both have. */
type EngineStores = ReturnType<typeof postgresStores>;

export type OpenedEngine = {
  readonly stores: EngineStores;
  /** Runs a statement that both engines understand, for what no store of a test does. */
  run(statement: string): Promise<void>;
  /** The first column of the rows of a statement that both understand. */
  values(statement: string): Promise<unknown[]>;
  /** Holds everything, as in a copy that is started. */
  hold(now: number): Promise<number>;
  close(): Promise<void>;
};

export type Engine = {
  readonly name: string;
  readonly isMissing: boolean;
  /** A new database, with nothing in it. */
  open(clock?: Clock): Promise<OpenedEngine>;
};

export const ENGINES: readonly Engine[] = [
  { name: "SQLite", isMissing: false, open: onSqlite },
  { name: "PostgreSQL", isMissing: await lacksPostgres(), open: onPostgres },
];

async function onSqlite(clock: Clock = systemClock): Promise<OpenedEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-test-"));
  const database = openSqlite(dataDir, clock, seededRandom(1));
  const stores = sqliteStores(database);
  return {
    stores: { ...stores, ...sqliteSendingStores({ database, stores }) },
    run: async (statement) => void database.sqlite.run(statement),
    values: async (statement) =>
      database.sqlite
        .query(statement)
        .values()
        .map(([first]) => first),
    hold: (now) => database.writes.write(() => holdCopiedFile(database.sqlite, now)),
    async close() {
      await database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function onPostgres(clock: Clock = systemClock): Promise<OpenedEngine> {
  const { url, drop } = await migratedDatabase();
  const database = await openPostgres(url, { clock, random: seededRandom(1) });
  const beside = new SQL({ url, max: 1 });
  return {
    stores: postgresStores(database, ownNode(clock, { name: "test", version: "0" }), clock),
    run: async (statement) => void (await beside.unsafe(statement)),
    values: async (statement) => (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first),
    hold: (now) => database.write((tx) => holdCopiedTables(tx, now)),
    async close() {
      await Promise.all([database.close(), beside.close()]);
      await drop();
    },
  };
}
