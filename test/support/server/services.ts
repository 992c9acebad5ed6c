/**
 * The services of a test, over SQLite, or over PostgreSQL with TEST_ENGINE=postgres. A test reads and writes in the
 * database through its place; tests that look into SQLite's file are for SQLite only.
 */
import { SQL } from "bun";
import type { SQLQueryBindings } from "bun:sqlite";
import type { PostgresEngine } from "#app/postgres-engine.ts";
import { openPostgresServices, openServices, type SqliteServices, type World } from "#app/services.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { askedNow } from "#storage/postgres/engine/asked-now.ts";
import { flushesUnderWay } from "#storage/sqlite/engine/writes/wal-flush.ts";
import { ledgerFaults } from "../storage/ledger-check.ts";
import { lacks } from "../common/needs.ts";
import { numbered, postgresLook } from "../storage/postgres-look.ts";
import { databaseOf } from "../storage/postgres.ts";

/** A test's service, and where its data is. */
export type Held = { readonly place: Place; readonly services: SqliteServices };

/** The rows of a statement that both engines understand, as they are at this moment; `values` stand for its `?`. */
export const rowsFrom = <T = any>({ place, services }: Held, statement: string, ...values: unknown[]): T[] =>
  place.rows<T>(services, statement, values);

/** Writes into the database, beside the server. */
export const writeTo = ({ place, services }: Held, statement: string, ...values: unknown[]): Promise<void> =>
  place.run(services, statement, values);

/** Where a test's data is. */
export type Place = {
  /** Null: in its data directory. */
  readonly url: string | null;
  /** With PostgreSQL: the node that opens it, if not an ordinary one. */
  readonly node?: OwnNode;
  /** Where the counters of the ledger differ from its rows. */
  ledgerFaults(services: SqliteServices): Promise<string[]>;
  /** The first column of the rows of a statement that both engines understand. */
  values(services: SqliteServices, statement: string): Promise<unknown[]>;
  /** Its rows, at once; `values` stand for its `?`. */
  rows<T>(services: SqliteServices, statement: string, values: readonly unknown[]): T[];
  /** Writes beside the server, for what a test cannot cause in another way. */
  run(services: SqliteServices, statement: string, values: readonly unknown[]): Promise<void>;
  drop(): Promise<void>;
};

const ENGINE = process.env["TEST_ENGINE"] ?? "sqlite";

export const isPostgres = ENGINE === "postgres";

/** For `skipIf`: the test is only about SQLite, for this reason. */
export const needsSqlite = (why: string): boolean => isPostgres && lacks("SQLite", false, why);

const IN_DIRECTORY: Place = {
  url: null,
  ledgerFaults: async ({ database }) => ledgerFaults(database.sqlite),
  values: async ({ database }, statement) =>
    database.sqlite
      .query(statement)
      .values()
      .map(([first]) => first),
  rows: <T>({ database }: SqliteServices, statement: string, values: readonly unknown[]) =>
    database.sqlite.query<T, SQLQueryBindings[]>(statement).all(...(values as SQLQueryBindings[])),
  run: async ({ database }, statement, values) =>
    void database.sqlite.query(statement).run(...(values as SQLQueryBindings[])),
  drop: async () => undefined,
};

/** The database of a data directory, of the engine that is tested; a new directory has a new, empty one. */
export const newPlace = async (dataDir: string): Promise<Place> =>
  isPostgres ? await postgresPlace(dataDir) : IN_DIRECTORY;

/** The same in PostgreSQL, whatever engine is tested: for what several nodes share. */
export async function postgresPlace(dataDir: string): Promise<Place> {
  const { url, drop } = await databaseOf(dataDir);
  const beside = new SQL({ url, max: 1 });
  const look = postgresLook(url);
  return {
    url,
    ledgerFaults: () => tallyFaults(url),
    values: async (_, statement) =>
      (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first),
    rows: (_, statement, values) => look.rows(statement, values),
    run: async (_, statement, values) => void (await beside.unsafe(numbered(statement), [...values])),
    async drop() {
      look.end();
      await beside.close();
      await drop();
    },
  };
}

export async function openTestServices(
  { url, node }: Pick<Place, "url" | "node">,
  dataDir: string,
  world: World,
): Promise<SqliteServices> {
  if (url === null) return openServices(dataDir, world);
  const services = await held(
    openPostgresServices({ url, prepare: true, dataDir, ...(node && { node }) }, world),
  );
  return { ...services, database: noSqlite(services.engine.signingSecret) } as unknown as SqliteServices;
}

export type Joined = {
  readonly run: number;
  leave(): Promise<void>;
  /** Resolves when it may no longer send: never with SQLite. */
  readonly lost: Promise<unknown>;
};

/** Makes it a sending process. */
export async function joinAsSender({ engine, ledger }: SqliteServices, now: number): Promise<Joined> {
  if ("join" in engine) {
    const { takeover, heart } = await held((engine as unknown as PostgresEngine).join());
    return { run: takeover.run, leave: heart.stop, lost: heart.lost };
  }
  await ledger.sweep(now);
  const { run } = await ledger.join(now, false);
  return { run, leave: async () => undefined, lost: new Promise(() => undefined) };
}

/** Whether the engine is opening, writing or answering: a manual clock waits for it. */
export const isDatabaseBusy = (): boolean => opening + flushesUnderWay() + askedNow() > 0;

let opening = 0;

/** Opening PostgreSQL's connections takes many turns of the event loop; opening SQLite's file takes one. */
async function held<T>(opened: Promise<T>): Promise<T> {
  opening++;
  try {
    return await opened;
  } finally {
    opening--;
  }
}

/** The part of SQLite's database that PostgreSQL has too: the secret. */
const noSqlite = (signingSecret: Uint8Array): object =>
  new Proxy(
    { signingSecret },
    {
      get(known, name) {
        if (name in known) return Reflect.get(known, name) as unknown;
        throw new Error(`This test looks into SQLite's file (${String(name)}), and runs over PostgreSQL.`);
      },
    },
  );

const STATES = ["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped"] as const;

/** The ledger's counters of PostgreSQL are sums (migrations/postgres/0001_schema.sql). */
export async function tallyFaults(url: string): Promise<string[]> {
  const sql = new SQL({ url, max: 1 });
  try {
    const sums = STATES.map((state) => `coalesce(sum(${state}), 0)::int8`).join(", ");
    const counts = STATES.map((state) => `count(*) FILTER (WHERE state = '${state}')`).join(", ");
    let faults: string[] = [];
    // All at one moment: a server that writes between two statements is no fault.
    await sql.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", async (tx) => {
      const said = await tx
        .unsafe(`SELECT mailing, ${sums} FROM tallies GROUP BY mailing ORDER BY mailing`)
        .values();
      const found = await tx
        .unsafe(
          `SELECT m.mailing, ${counts} FROM (SELECT DISTINCT mailing FROM tallies) AS m
           LEFT JOIN deliveries AS d ON d.mailing = m.mailing GROUP BY m.mailing ORDER BY m.mailing`,
        )
        .values();
      const [tallies, rows] = [JSON.stringify(said), JSON.stringify(found)];
      if (tallies !== rows) faults = [`mailings count ${STATES.join()} as ${tallies}, the rows say ${rows}`];
    });
    return faults;
  } finally {
    await sql.close();
  }
}
