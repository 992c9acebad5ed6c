/**
 * What a server has seen of its database, in its own data directory: where the database lay, and the newest number of a
 * run that it gave. Each beat of each node takes such a number, so numbers only grow. A database that gives an older one
 * has gone back: a snapshot of its disks was put back, and what it owes may have gone out since then
 * (docs/failure-catalogue.md "D-18").
 *
 * Where the guarantee ends: a server whose data directory is new has seen nothing. And PostgreSQL takes 32 numbers at
 * once, and leaves out what is left of them after a crash: it does not notice a snapshot that is less than 32 beats old.
 */
import { join } from "node:path";
import { open, readFile, rename, stat } from "node:fs/promises";
import { Advised } from "#core/errors/advised.ts";
import { checkRegularFile } from "#core/errors/regular-file.ts";

/** Where a database lies (`origin.ts`). */
export type Origin = {
  readonly system: string;
  readonly timeline: string;
  readonly database: number;
  readonly table: number;
  /** Commits wait for a standby. Absent where an earlier version wrote it. */
  readonly isSynchronous?: boolean;
  /**
   * One for each time that it began anew: when it was made, when another server took over, when it was held. A database
   * that lacks one which a server has seen is older than that, or has gone another way. Absent as above.
   */
  readonly eras?: readonly string[];
};

export type SeenDatabase = {
  readonly place: Origin;
  /** The newest number of a run that it gave. */
  readonly number: number;
};

export type DatabaseRecord = {
  readonly path: string;
  /** Null: there is none that can be read. */
  read(): Promise<SeenDatabase | null>;
  /** Durable when it resolves. It waits in a thread, so that a slow disk holds up nobody. */
  keep(seen: SeenDatabase): Promise<void>;
};

export function databaseRecord(path: string): DatabaseRecord {
  return {
    path,
    async read() {
      try {
        checkRegularFile(await stat(path));
        const seen = JSON.parse(await readFile(path, "utf8")) as SeenDatabase;
        return Number.isSafeInteger(seen.number) && typeof seen.place.system === "string" ? seen : null;
      } catch {
        return null;
      }
    },
    async keep(seen) {
      const aside = `${path}.new`;
      const file = await open(aside, "w", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(seen)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(aside, path);
    },
  };
}

/** Where a server keeps its own. */
export const recordIn = (dataDir: string): DatabaseRecord => databaseRecord(join(dataDir, "database.json"));

/**
 * For an empty database. As with SQLite (`run-record.ts`), none is begun where a server had one: nobody would be in it,
 * not even those who left.
 * @throws Advised
 */
export async function checkNotLost(record: DatabaseRecord): Promise<void> {
  if ((await record.read()) === null) return;
  throw new Advised(
    `this PostgreSQL database is empty, though a server has used one (${record.path}): restore your dump into it, or correct DATABASE_URL. To begin anew, with nobody in it, remove ${record.path} first`,
  );
}
