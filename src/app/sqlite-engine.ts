/** Wiring: SQLite as the engine, in a data directory. One process has it open. */
import { systemClock } from "#core/time/clock.ts";
import { everything } from "#core/share.ts";
import { importFiles } from "#imports/import-files.ts";
import { watchFaults } from "#storage/common/engine/fault-watch.ts";
import { databaseFigures } from "#storage/sqlite/engine/figures.ts";
import { DATABASE_FILE, openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { probeWrite } from "#storage/sqlite/engine/writes/probe-write.ts";
import { backUpDatabase } from "#storage/sqlite/files/backup.ts";
import type { OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { startBackupThread } from "#threads.ts";
import type { Engine } from "./engine.ts";
import { sqliteSendingStores, sqliteStores } from "./sqlite-stores.ts";
import type { World } from "./world.ts";

/** The engine SQLite, in a data directory. Only this engine has `database` and the store `segmentQuestions`. */
export function sqliteEngine(dataDir: string, { clock, random }: World, onUpgrade: OnUpgrade) {
  const database: SqliteDatabase = openSqlite(dataDir, clock, random, onUpgrade);
  const stores = sqliteStores(database);
  const probe = (): Promise<void> => probeWrite(database);
  return {
    database,
    stores,
    openSendingStores: () => sqliteSendingStores({ database, stores }),
    signingSecret: database.signingSecret,
    fault: () => database.faults.current,
    probeWrite: probe,
    watchFaults: (world) => watchFaults({ faults: database.faults, probeWrite: probe }, world),
    figures: databaseFigures(database),
    share: everything,
    nodes: () => null,
    importFiles,
    async copy(target, how) {
      // The thread opens the file by its name, and at its end SQLite would merge the log into whatever lies there.
      database.checkFiles();
      return await backUpDatabase(`${dataDir}/${DATABASE_FILE}`, target, {
        ...how,
        clock: systemClock,
        thread: startBackupThread(),
      });
    },
    async close() {
      stores.segmentQuestions.close();
      await database.close();
    },
  } satisfies Engine & Record<"database", SqliteDatabase>;
}
