/** The content of a data directory's database, for a test whose servers and commands are separate processes. */
import { SQL } from "bun";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { join } from "node:path";
import { ledgerFaults } from "../storage/ledger-check.ts";
import { databaseOf } from "../storage/postgres.ts";
import { numbered, postgresLook } from "../storage/postgres-look.ts";
import { isPostgres, tallyFaults } from "./services.ts";

export type Data = {
  /** The rows of a statement that both engines understand, at once; `values` stand for its `?`. */
  rows<T = any>(statement: string, ...values: unknown[]): T[];
  /** How many there are of `FROM …`. */
  count(from: string): number;
  /** Runs statements, beside the server. */
  run(statement: string, ...values: unknown[]): Promise<void>;
  /** Where the counters of the ledger differ from its rows. */
  ledgerFaults(): Promise<string[]>;
  close(): Promise<void>;
};

/** In SQLite the directory must have its database already. */
export const dataOf = (dataDir: string): Promise<Data> =>
  isPostgres ? inPostgres(dataDir) : inFile(join(dataDir, "postrider.db"));

async function inPostgres(dataDir: string): Promise<Data> {
  const { url } = await databaseOf(dataDir);
  const look = postgresLook(url);
  const beside = new SQL({ url, max: 1 });
  return {
    rows: (statement, ...values) => look.rows(statement, values),
    count: (from) => look.rows<{ n: number }>(COUNT + from, [])[0]!.n,
    run: async (statement, ...values) => void (await beside.unsafe(numbered(statement), values)),
    ledgerFaults: () => tallyFaults(url),
    async close() {
      look.end();
      await beside.close();
    },
  };
}

async function inFile(path: string): Promise<Data> {
  const sqlite = new Database(path, { readwrite: true });
  const rows = <T>(statement: string, ...values: unknown[]): T[] =>
    sqlite.query<T, SQLQueryBindings[]>(statement).all(...(values as SQLQueryBindings[]));
  return {
    rows,
    count: (from) => rows<{ n: number }>(COUNT + from)[0]!.n,
    run: async (statement, ...values) => void sqlite.run(statement, values as SQLQueryBindings[]),
    ledgerFaults: async () => ledgerFaults(sqlite),
    close: async () => sqlite.close(),
  };
}

const COUNT = "SELECT count(*) AS n FROM ";
