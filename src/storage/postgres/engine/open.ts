import { SQL } from "bun";
import type { Clock } from "#core/time/clock.ts";
import { isFull } from "#core/errors/storage-error.ts";
import { present } from "#core/present.ts";
import type { Random } from "#core/random.ts";
import { storageFaults, type StorageFaults } from "#storage/common/engine/storage-faults.ts";
import { recordingActs } from "#storage/postgres/audit/audit-writes.ts";
import { migrate } from "#storage/postgres/schema/migrate.ts";
import { MIGRATIONS } from "#storage/postgres/schema/migrations.gen.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { instance } from "#storage/postgres/schema/schema.ts";
import { countAsked } from "./asked-now.ts";
import { nameOf } from "./connection-name.ts";
import { awaited, type Awaited } from "./awaited.ts";
import { storageErrorOf } from "./failures.ts";
import { poolOver, type Pool } from "./pool.ts";
import { DatabaseRefused } from "./refused.ts";
import { tryRoom } from "./room.ts";
import {
  checkDurable,
  checkServer,
  checkUnpooled,
  SETTINGS,
  SHARED_LOCK_TIMEOUT,
  WAIT_SHORTLY,
} from "./server-checks.ts";
import { sessionOf, transactions, type Transactions } from "./transaction.ts";
import { workspaceSeq, type WorkspaceSeq } from "./workspace-seq.ts";

/** An open database. `read`, `snapshot` and `write`: see transaction.ts. */
export type PostgresDatabase = Transactions & {
  /** Needs a connection of its own: never call it inside a write. */
  readonly seqOf: WorkspaceSeq;
  /** On a connection that nothing else uses: a node shows that it lives however many statements wait. */
  readonly apart: Pick<Transactions, "read" | "write">;
  /** On another such connection: it tells whether the database answers at all, also while a commit waits. */
  readonly watch: Pick<Transactions, "read">;
  /** What waits for an answer on the connections of the others. */
  readonly awaited: Pick<Awaited, "check" | "hasWaited">;
  readonly faults: StorageFaults;
  /** Writes a row. @throws the fault, if nothing can be written */
  probeWrite(): Promise<void>;
  /** As in SQLite: signs links, tokens and cursors, and is stored in the database. */
  readonly signingSecret: Uint8Array;
  /** The migrations that this call applied; empty if the schema was current. */
  readonly migrated: readonly string[];
  /**
   * Runs `work` while no other process runs such work. It has its own connection, and a few seconds.
   * @throws StorageError if the database cannot be reached; what `work` throws
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** A node's connections: for requests and jobs, and for rounds of the ledger. */
const CONNECTIONS = 7;
/** Work that takes long may hold four of them (`long-turns.ts`). */
const WRITES_MAX = CONNECTIONS - 1;
const CONNECTIONS_OFTEN = 2;
/** How long running statements may take when the database is closed. */
const CLOSE_SECONDS = 5;

const PLANNED_ONCE = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  // Rows that are changed by number are locked in the order of the numbers.
  enable_bitmapscan: "off",
  lock_timeout: SHARED_LOCK_TIMEOUT,
};

type Opening = {
  readonly clock: Clock;
  readonly random: Random;
  /** False: behind a pooler that gives each transaction another connection. */
  readonly prepare?: boolean;
  /** True while `postrider move` fills the database (storage/postgres/move/). */
  readonly isMoving?: boolean;
  /** For what sends: a database that a power cut could undo is refused, before its schema is changed. */
  readonly mustBeDurable?: boolean;
  /** Throws where an empty database is not to be filled. */
  readonly mayMake?: () => Promise<void>;
};

/**
 * Opens a database and brings it to the current schema.
 * @param url as PostgreSQL writes it: `postgres://user:password@host:5432/name`
 * @throws MigrationError if a newer version wrote the database; StorageError if it cannot be reached;
 * DatabaseRefused if it cannot be used as it is; what `mayMake` throws
 */
export async function openPostgres(
  url: string,
  { clock, random, prepare = true, isMoving = false, mustBeDurable = false, mayMake }: Opening,
): Promise<PostgresDatabase> {
  const connections = connectTo(url, prepare, random);
  const { client, often } = connections;
  try {
    if (prepare) await checkUnpooled(client, often);
    await checkServer(client);
    if (mustBeDurable) await checkDurable(client);
    const migrated = await migrate(client, MIGRATIONS, clock.now(), mayMake);
    if (!isMoving) await checkWhole(client);
    const signingSecret = await signingSecretOf(client, clock, random);
    return databaseOver(connections, { signingSecret, migrated }, prepare ? null : WAIT_SHORTLY);
  } catch (error) {
    await connections.close(0);
    throw storageErrorOf(error) ?? error;
  }
}

/** The connections of this process, by what they are for. */
type Connections = Readonly<Record<"client" | "often" | "heart" | "watch", SQL>> & {
  close(timeoutSeconds: number): Promise<void>;
};

function connectTo(url: string, prepare: boolean, random: Random): Connections {
  const name = { application_name: nameOf(random) };
  const connect = (max: number, settings: object): SQL =>
    new SQL({
      url,
      max,
      prepare,
      connection: prepare ? { ...name, ...SETTINGS, ...settings } : name,
      transform: SQL.toCamel,
    });
  const clients = {
    client: connect(CONNECTIONS, {}),
    often: connect(CONNECTIONS_OFTEN, PLANNED_ONCE),
    heart: connect(1, {}),
    watch: connect(1, {}),
  };
  return {
    ...clients,
    close: async (timeout) =>
      void (await Promise.all(Object.values(clients).map((one) => one.close({ timeout })))),
  };
}

/** @param limitOfOften sets the limit for locks of a transaction of `often`, if its connections do not have it */
function databaseOver(
  { client, often, heart, watch, close }: Connections,
  known: Pick<PostgresDatabase, "signingSecret" | "migrated">,
  limitOfOften: string | null,
): PostgresDatabase {
  const waits = awaited();
  const pool = poolOver(client, waits);
  const ofHeart = poolOver(heart, waits);
  // It asks about the other connections, so what it waits for is not counted with what they wait for.
  const ofWatch = poolOver(watch, awaited());
  const seqOf = workspaceSeq(sessionOf(pool));
  const around = recordingActs(seqOf);
  const faults = storageFaults(storageErrorOf);
  const clients = { client: pool, often: poolOver(often, waits, limitOfOften), writesMax: WRITES_MAX };
  const statements = transactions(clients, around, faults);
  const { read, snapshot, write, writeOften, callOften, onWritten } = statements;
  return {
    snapshot: (work) => countAsked(() => snapshot(work)),
    read: (work) => countAsked(() => read(work)),
    write: (work) => countAsked(() => write(work)),
    writeOften: (work) => countAsked(() => writeOften(work)),
    callOften: (text, values) => countAsked(() => callOften(text, values)),
    onWritten,
    apart: transactions({ client: ofHeart, often: ofHeart, writesMax: 1 }, around, faults),
    watch: transactions({ client: ofWatch, often: ofWatch, writesMax: 1 }, around, faults),
    awaited: waits,
    faults,
    async probeWrite() {
      if (isFull(faults.current)) await tryRoom(statements);
      await write((tx) => tx.run("UPDATE instance SET created_at = created_at"));
      faults.writeWorks();
    },
    seqOf: (workspaceId) => countAsked(() => seqOf(workspaceId)),
    alone: (work) => alone(pool, work),
    ...known,
    close: () => close(CLOSE_SECONDS),
  };
}

/** Any number that nothing else locks. */
const ALONE = 7_467_322;

async function alone<T>({ begin }: Pool, work: () => Promise<T>): Promise<T> {
  let doing: Promise<T> | undefined;
  const locked = begin("", async (_, ask) => {
    // Several may come before this one, and each takes its time.
    await ask((tx) => tx.unsafe("SET LOCAL lock_timeout = 0"));
    await ask((tx) => tx.unsafe("SELECT pg_advisory_xact_lock($1)", [ALONE]));
    doing = work();
    await doing;
  });
  await locked.catch((error: unknown) => {
    // The work has connections of its own: if only the one with the lock is lost, it goes on and is done.
    if (doing === undefined) throw storageErrorOf(error) ?? error;
  });
  return await present(doing, "work that was begun");
}

/** A database that `postrider move` has not filled completely cannot be used. */
async function checkWhole(client: SQL): Promise<void> {
  const [found]: { moving: boolean }[] = await client.unsafe(
    "SELECT to_regclass('moving') IS NOT NULL AS moving",
  );
  if (present(found, "answer").moving)
    throw new DatabaseRefused(
      "Data is being moved into this database: call `postrider move` again, which goes on.",
    );
}

async function signingSecretOf(client: SQL, clock: Clock, random: Random): Promise<Uint8Array> {
  await client.unsafe(
    "INSERT INTO instance (one, signing_secret, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING",
    [random.bytes(32), clock.now()],
  );
  const [stored]: Row<typeof instance, "signingSecret">[] = await client.unsafe(
    "SELECT signing_secret FROM instance",
  );
  return present(stored, "signing secret").signingSecret;
}
