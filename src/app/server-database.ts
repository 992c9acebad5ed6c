/** Wiring: what a server has of its database beside the services: the right to send from it, and its upkeep. */
import { statfsSync } from "node:fs";
import type { Config } from "#config.ts";
import type { DatabaseAddress } from "#core/addresses/database-url.ts";
import { unwrap } from "#core/errors/errors.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { checkModes } from "#doctor/machine/data-directory.ts";
import { checkFileSystem } from "#doctor/machine/file-system.ts";
import type { Finding } from "#doctor/finding.ts";
import type { Takeover } from "#storage/common/engine/takeover.ts";
import {
  databasePath,
  lockServer,
  startCheckpoints,
  startIndexing,
  takeOverDatabase,
  type ServerLock,
  type Takeover as SqliteTakeover,
} from "./database.ts";
import {
  openPostgresServices,
  openServices,
  type Services,
  type SqliteServices,
  type World,
} from "./services.ts";

/** Why a process must end, and its cause. */
type Loss = { readonly says: string; readonly error: Error };

export type ServerDatabase = {
  readonly services: Services;
  readonly takeover: Takeover;
  /** Resolves when the process must end because it may no longer send. A restart continues. */
  readonly lost: Promise<Loss>;
  /** What is wrong with the place where the data is kept, and what to do about it. */
  trouble(): Finding[];
  /** Runs `work` while no other server of this database does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Upkeep, once the server serves. */
  begin(): void;
  /** When all else has ended. Closes the services too. */
  end(): Promise<void>;
};

const DISK_LOST = "The disk could not be made to keep what was written: check it, then start again.";

/** How often the run record is updated while the server runs: see `takeover.ts` of SQLite. */
const BEAT_EVERY_MS = 60_000;

/**
 * Opens the database for a server, and takes over what earlier runs left.
 * @throws with one line for a person: directory in use, damaged database, no PostgreSQL there
 */
export const openServerDatabase = (config: Config, world: World): Promise<ServerDatabase> =>
  config.database === null ? onSqlite(config, world) : onPostgres(config, config.database, world);

/**
 * Any number of servers may use it. Each is a node; when its lease ends, another node takes over its work. Files
 * belong to one server: when it starts, it deletes the half-finished uploads in its data directory.
 */
async function onPostgres(
  { dataDir }: Config,
  address: DatabaseAddress,
  world: World,
): Promise<ServerDatabase> {
  const lock = unwrap(lockServer(dataDir, world.clock.now()));
  try {
    const services = await openPostgresServices({ ...address, dataDir, mustBeDurable: true }, world);
    return await joined(services, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function joined(
  services: Awaited<ReturnType<typeof openPostgresServices>>,
  lock: ServerLock,
): Promise<ServerDatabase> {
  const { engine } = services;
  try {
    const { takeover, heart } = await engine.join();
    return {
      services,
      takeover,
      lost: heart.lost.then((error) => ({ says: error.message, error })),
      trouble: () => [],
      alone: engine.alone,
      begin: () => undefined,
      async end() {
        await heart.stop();
        await closed(services, lock);
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** The one server that may use the directory. */
async function onSqlite({ dataDir }: Config, world: World): Promise<ServerDatabase> {
  const lock = unwrap(lockServer(dataDir, world.clock.now()));
  // After a crash the next start must still check the file. So the lock is kept until this process ends.
  const failed = (error: unknown): never => {
    if (lock.lastEndWasClean) lock.release();
    throw error;
  };
  const services = await Promise.try(() => openServices(dataDir, world)).catch(failed);
  const takeover = await takeOverDatabase(services, world, lock).catch(async (error: unknown) => {
    await services.close();
    return failed(error);
  });
  let stopUpkeep = (): Promise<void> => Promise.resolve();
  return {
    services,
    takeover,
    lost: services.database.writes.lost.then((error) => ({ says: DISK_LOST, error })),
    trouble: () => troubleWith(dataDir),
    alone: (work) => work(),
    begin() {
      stopUpkeep = startUpkeep(services, world, takeover);
    },
    async end() {
      await stopUpkeep();
      await closed(services, lock);
    },
  };
}

function startUpkeep(services: SqliteServices, world: World, takeover: SqliteTakeover): () => Promise<void> {
  const checkpoints = startCheckpoints(services, world);
  const indexing = startIndexing(services, world);
  const stopBeating = beatEvery(BEAT_EVERY_MS, world, takeover);
  return async () => {
    stopBeating();
    await indexing.stop();
    await takeover
      .beat(world.clock.now())
      .catch((error: unknown) => world.log.error("the run record was not written", { error }));
    await checkpoints.stop();
  };
}

async function closed(services: Services, lock: ServerLock): Promise<void> {
  await services.close();
  lock.release();
}

/** Logged at every start, because nobody runs the doctor every day. */
function troubleWith(dataDir: string): Finding[] {
  const disk = checkFileSystem(statfsSync(dataDir), process.platform);
  const modes = checkModes(dataDir, databasePath(dataDir));
  return [...(disk.result === "fail" ? [disk] : []), ...(modes.result === "ok" ? [] : [modes])];
}

/**
 * If the record cannot be written now, the next beat writes it. The failure is logged once, until a write succeeds.
 */
function beatEvery(everyMs: number, { clock, log }: World, takeover: SqliteTakeover): () => void {
  let cancel = (): void => undefined;
  let hasFailed = false;
  const failed = (error: unknown): void => {
    // Faults of the database itself are logged elsewhere, once.
    if (!hasFailed && !(error instanceof StorageError))
      log.warn("the run record could not be moved on", { error });
    hasFailed = true;
  };
  const plan = (): void => {
    cancel = clock.setTimer(everyMs, () => {
      takeover
        .beat(clock.now())
        .then(() => void (hasFailed = false), failed)
        .finally(plan);
    });
  };
  plan();
  return () => cancel();
}
