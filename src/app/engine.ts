/** Wiring: what the services need from a database, and SQLite as the engine that provides it. */
import type { CopyDatabase } from "#backups/service.ts";
import type { PlanStore } from "#campaigns/send/plan.ts";
import { systemClock, type Instant } from "#core/time/clock.ts";
import { everything, type Share } from "#core/share.ts";
import { importFiles, type ImportFiles } from "#imports/import-files.ts";
import { watchFaults } from "#storage/common/engine/fault-watch.ts";
import type { DatabaseFigures } from "#storage/common/engine/database-figures.ts";
import { databaseFigures } from "#storage/sqlite/engine/figures.ts";
import { DATABASE_FILE, openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { probeWrite } from "#storage/sqlite/engine/writes/probe-write.ts";
import { backUpDatabase } from "#storage/sqlite/files/backup.ts";
import type { OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { startBackupThread } from "#threads.ts";
import { openSendingStores, openStores } from "./stores.ts";
import type { World } from "./world.ts";

/** An open database, of either engine. */
export type Engine = {
  readonly stores: Omit<ReturnType<typeof openStores>, "segmentQuestions">;
  /** For a server, which sends. */
  openSendingStores(): Omit<ReturnType<typeof openSendingStores>, "plans"> & { readonly plans: PlanStore };
  /** Signs links, tokens and cursors. */
  readonly signingSecret: Uint8Array;
  /** Why nothing can be written; null while it can. */
  fault(): Error | null;
  /** @throws the fault, if nothing can be written */
  probeWrite(): Promise<void>;
  /** For a server: logs when faults begin and end. */
  watchFaults(world: Pick<World, "clock" | "log">): { stop(): void };
  /** Uploaded files that wait to be imported. They are received in a directory of this machine. */
  importFiles(directory: string): ImportFiles;
  /** What a monitor wants to know. */
  figures(now: Instant): Promise<DatabaseFigures>;
  /** Null: the database is copied with its own tools. */
  readonly copy: CopyDatabase | null;
  /** How much of a limit this process may use. */
  readonly share: Share;
  /** How many processes send from the database, as this one saw them last. Null: there can be only one. */
  nodes(): number | null;
  close(): Promise<void>;
};

/** The engine SQLite, in a data directory. Only this engine has `database` and the store `segmentQuestions`. */
export function sqliteEngine(dataDir: string, { clock, random }: World, onUpgrade: OnUpgrade) {
  const database: SqliteDatabase = openSqlite(dataDir, clock, random, onUpgrade);
  const stores = openStores(database);
  const probe = (): Promise<void> => probeWrite(database);
  return {
    database,
    stores,
    openSendingStores: () => openSendingStores({ database, stores }),
    signingSecret: database.signingSecret,
    fault: () => database.faults.current,
    probeWrite: probe,
    watchFaults: (world) => watchFaults({ faults: database.faults, probeWrite: probe }, world),
    figures: databaseFigures(database),
    share: everything,
    nodes: () => null,
    importFiles,
    copy: (target, how) =>
      backUpDatabase(`${dataDir}/${DATABASE_FILE}`, target, {
        ...how,
        clock: systemClock,
        thread: startBackupThread(),
      }),
    async close() {
      stores.segmentQuestions.close();
      await database.close();
    },
  } satisfies Engine & Record<"database", SqliteDatabase>;
}
