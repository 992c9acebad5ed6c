/** Wiring: moves the data from one engine to the other. */
import { systemClock } from "#core/time/clock.ts";
import type { DatabaseAddress } from "#core/addresses/database-url.ts";
import { unwrap } from "#core/errors/errors.ts";
import { moveDatabase, type Moved, type OnMoved } from "#move/service.ts";
import type { MoveSource, MoveTarget } from "#move/store.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { refusedAs } from "#storage/postgres/engine/refused.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { removeHiddenLists } from "#storage/postgres/lists/list-removal.ts";
import { postgresSource } from "#storage/postgres/move/move-source.ts";
import { postgresTarget } from "#storage/postgres/move/move-target.ts";
import { takeBack as takeBackServer } from "#storage/postgres/run/moved-to.ts";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { ledgerStore } from "#storage/sqlite/ledger/ledger-store.ts";
import { keepOthersOut } from "#storage/sqlite/files/alone.ts";
import { inspectDatabase, seemsDamaged } from "#storage/sqlite/files/inspect.ts";
import { sqliteSource } from "#storage/sqlite/move/move-source.ts";
import { sqliteTarget } from "#storage/sqlite/move/move-target.ts";
import { takeBack as takeBackFile } from "#storage/sqlite/run/moved-to.ts";
import { lockServer } from "#storage/sqlite/run/server-lock.ts";
import { VERSION } from "#version.ts";
import { databasePath } from "./database.ts";
import { emptyPostgres } from "./postgres-engine.ts";
import { upgradeLog } from "./upgrade-log.ts";
import type { World } from "./world.ts";

/** How long a command that has the database open may take to end. */
const COMMAND_WAIT_MS = 1_000;

/** From SQLite in a directory into an empty PostgreSQL. @throws Error with one line for a person */
export const moveToPostgres = (
  dataDir: string,
  address: DatabaseAddress,
  world: World,
  onMoved: OnMoved,
): Promise<Moved> =>
  fromSqlite(dataDir, world, (source) =>
    withPostgres(address, "target", world, (database) =>
      moveDatabase(source, postgresTarget(database, placeOf(address)), world.clock.now(), onMoved),
    ),
  );

/** Without user and password. */
function placeOf({ url }: DatabaseAddress): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname}:${port || 5432}${decodeURIComponent(pathname)}`;
}

/**
 * Lets servers start again on a database that was moved away, and holds everything that would send. Returns how many
 * things are held. @throws Error with one line for a person
 */
export const takeBack = (dataDir: string, address: DatabaseAddress | null, world: World): Promise<number> =>
  address === null
    ? onSqlite(dataDir, world, (database) => takeBackFile(database, world.clock.now()))
    : withPostgres(address, "existing", world, (database) => takeBackServer(database, world.clock.now()));

/** From PostgreSQL into SQLite in a directory that has no database. @throws Error as `moveToPostgres` */
export const moveToSqlite = (
  address: DatabaseAddress,
  dataDir: string,
  world: World,
  onMoved: OnMoved,
): Promise<Moved> =>
  withPostgres(address, "existing", world, async (database) => {
    await registry(database, ownNode(systemClock, { name: "move", version: VERSION }), systemClock).sweep(
      world.clock.now(),
    );
    // SQLite knows no list that is half removed, and would show it.
    await removeHiddenLists(database, () => false);
    const source = postgresSource(database);
    return await toSqlite({ dataDir, movedTo: await source.movedTo() }, world, (target) =>
      moveDatabase(source, target, world.clock.now(), onMoved),
    );
  });

/** Takes over what an earlier server left, as the next server would: a message that was at its dot is uncertain. */
const fromSqlite = <T>(dataDir: string, world: World, work: (source: MoveSource) => Promise<T>): Promise<T> =>
  onSqlite(dataDir, world, async (database) => {
    keepOthersOut(database.sqlite, databasePath(dataDir), COMMAND_WAIT_MS);
    await ledgerStore(database).sweep(world.clock.now());
    return await work(sqliteSource(database));
  });

async function onSqlite<T>(
  dataDir: string,
  world: World,
  work: (database: SqliteDatabase) => Promise<T>,
): Promise<T> {
  const { clock, random } = world;
  const lock = unwrap(lockServer(dataDir, clock.now(), "move"));
  try {
    if (!lock.lastEndWasClean) checkFile(databasePath(dataDir));
    const database = openSqlite(dataDir, clock, random, upgradeLog(world));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    // After a crash the next server must still check the file. So the lock is kept until this process ends.
    if (lock.lastEndWasClean) lock.release();
  }
}

function checkFile(path: string): void {
  const { damage } = inspectDatabase(path, "quick");
  if (damage !== null) throw seemsDamaged(path, damage);
}

async function toSqlite<T>(
  { dataDir, movedTo }: { readonly dataDir: string; readonly movedTo: string | null },
  { clock }: World,
  work: (target: MoveTarget) => Promise<T>,
): Promise<T> {
  const lock = unwrap(lockServer(dataDir, clock.now(), "move"));
  try {
    const target = sqliteTarget(dataDir, clock.now(), movedTo);
    try {
      return await work(target);
    } finally {
      target.close();
    }
  } finally {
    lock.release();
  }
}

/** @param as `target`: the data comes into it, so it may be empty. `existing`: it has data. */
async function withPostgres<T>(
  { url, prepare }: DatabaseAddress,
  as: "target" | "existing",
  { clock, random }: World,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const isMoving = as === "target";
  const mayMake = async (): Promise<void> => {
    if (!isMoving) throw emptyPostgres();
  };
  const how = { clock, random, prepare, isMoving, mayMake };
  const database = await openPostgres(url, how).catch((error: unknown) => {
    throw refusedAs(error, url);
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
