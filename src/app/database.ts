/** Wiring: the database as a whole, for a server and for the commands that copy or look at it. */
import type { Instant } from "#core/time/clock.ts";
import type { DatabaseAddress } from "#core/addresses/database-url.ts";
import type { InspectedDatabase } from "#doctor/examine.ts";
import { checkPostgres } from "#doctor/machine/postgres-server.ts";
import {
  backUpDatabase,
  clearLeftParts,
  ownPartOf,
  partsOf,
  type BackupWork,
} from "#storage/sqlite/files/backup.ts";
import { inspectDatabase, pendingOf } from "#storage/sqlite/files/inspect.ts";
import { restoreDatabase } from "#storage/sqlite/files/restore.ts";
import { changesSince } from "#storage/sqlite/engine/changes-since.ts";
import { checkpointsOnceLong } from "#storage/sqlite/upkeep/late-checkpoints.ts";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { followIndexes } from "#storage/sqlite/upkeep/index-follower.ts";
import { contactIndex } from "#storage/sqlite/search/search-index.ts";
import { searchMerges } from "#storage/sqlite/search/search-merges.ts";
import { DATABASE_FILE } from "#storage/sqlite/engine/open.ts";
import { checkMayBeNew } from "#storage/sqlite/run/new-database.ts";
import { isReplaced } from "#storage/sqlite/run/run-record.ts";
import { lockServer, replacementOf, serverOf, type ServerLock } from "#storage/sqlite/run/server-lock.ts";
import { takeOver, type Takeover } from "#storage/sqlite/run/takeover.ts";
import { startBackupThread, startCheckpointThread } from "#threads.ts";
import type { SqliteServices } from "./services.ts";
import { faultsOnce, type World } from "./world.ts";

/** The file of a data directory's database. */
export const databasePath = (dataDir: string): string => `${dataDir}/${DATABASE_FILE}`;

/** Before a server sends anything: see `storage/sqlite/run/takeover.ts`. */
export const takeOverDatabase = (
  { database, ledger }: SqliteServices,
  { clock }: World,
  lock: ServerLock,
): Promise<Takeover> => takeOver(database, ledger, clock.now(), lock.lastEndWasClean);

/** For a file that no service of this process has open. */
export const backUp = (path: string, file: string, work: Omit<BackupWork, "thread" | "ownPart">) => {
  clearLeftParts(file, work.clock.now());
  return backUpDatabase(path, file, {
    ...work,
    ownPart: ownPartOf(file),
    thread: startBackupThread(),
  });
};

/** The files that `backUp` makes, and takes away. */
export const unfinishedOf = (file: string): string[] => partsOf(ownPartOf(file));

/** For a file that no service of this process has open. */
export const restore = restoreDatabase;

/** For a file that no service of this process has open. */
export const inspect = async (path: string, now: Instant) => inspectDatabase(path, "quick", now);

/** The same for PostgreSQL, without webhooks and rates: only the API reports those (`GET /deliverability`). */
export async function inspectPostgresAt(
  { url, prepare, trustsFailover = false }: DatabaseAddress,
  dataDir: string,
): Promise<InspectedDatabase> {
  const { checkNotLost: checkServer, recordIn } = await import("#storage/postgres/run/database-record.ts");
  const { inspectPostgres } = await import("#storage/postgres/run/inspect.ts");
  const { server, serverNow, pending, movedTo, lastRunAt, workspaces } = await inspectPostgres(url);
  if (pending === null) await checkServer(recordIn(dataDir));
  return {
    damage: null,
    foreignPart: null,
    pending: pending ?? [],
    movedTo,
    lastRunAt,
    serverNow,
    findings: checkPostgres({
      server,
      pending,
      host: new URL(url).hostname,
      prepare,
      trustsFailover,
    }),
    workspaces: workspaces.map((one) => ({
      ...one,
      webhooks: [],
      rates: null,
    })),
  };
}

/** The migrations that the next start would apply; nothing is changed. `path` is the file of SQLite. */
export async function pendingMigrations(
  path: string,
  address: DatabaseAddress | null,
): Promise<readonly string[]> {
  if (address === null) return pendingOf(path);
  const { pendingOfServer } = await import("#storage/postgres/run/inspect.ts");
  return await pendingOfServer(address.url);
}

/** For a server: see `storage/sqlite/upkeep/checkpoints.ts`. */
export const startCheckpoints = ({ database }: SqliteServices, world: World) =>
  checkpointsOnceLong(database, startCheckpointThread, world);

/** For a server: see `storage/sqlite/upkeep/index-follower.ts`. */
export const startIndexing = ({ database }: SqliteServices, world: World) =>
  followIndexes([eventIndex(database), contactIndex(database), searchMerges(database)], {
    ...world,
    log: faultsOnce(world.log),
    hasChanged: changesSince(database.sqlite),
  });

/** What commands use of the storage unchanged: only this room may import it. */
export {
  checkMayBeNew,
  clearLeftParts,
  isReplaced,
  lockServer,
  ownPartOf,
  replacementOf,
  serverOf,
  type ServerLock,
  type Takeover,
};
export {
  giveFreeName,
  giveToOwnerOf,
  makePrivateDirectory,
  syncDirectoryOf,
  takenName,
} from "#storage/sqlite/files/durable-file.ts";
