/**
 * The run record, `run.json` next to the database: how far the database had come, and which file it was. A
 * database that does not match its record is a restored backup or a copy on another machine. The mail it
 * still owes may have been sent already, so that mail waits for a person (docs/failure-catalogue.md "D-18";
 * docs/decisions.md "Campaigns and sending").
 *
 * Where the guarantee ends: nothing distinguishes the original from a copy of the whole machine, or from a snapshot of
 * the whole disk that is put back. They have the same record and file. Who makes one deletes the record.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Advised } from "#core/errors/advised.ts";
import { replaceFile } from "#storage/sqlite/files/durable-file.ts";

export type RunRecord = {
  /** The highest run number that a server has used in this database: see `takeOver`. */
  readonly run: number;
  /** The inode of the database file, as digits. */
  readonly file: string;
  /**
   * When that file was made, in nanoseconds, as digits: a copy on another disk may have the same inode, since each disk
   * counts its own. Null if the system does not tell, and in the record of an earlier version.
   */
  readonly born: string | null;
};

export type FileIdentity = Pick<RunRecord, "file" | "born">;

/**
 * Why the mail that the database owes must wait; null if the database matches its record. `record` is null if there
 * is no readable record.
 */
export function holdReason(record: RunRecord | null, database: RunRecord): string | null {
  if (record === null) return database.run === 0 ? null : "there is no run record beside the database";
  if (database.run < record.run)
    return `the database is older than its run record (run ${database.run}, not ${record.run})`;
  return isOther(record, database) ? "the database file is not the one its run record was written for" : null;
}

const isOther = (record: RunRecord, found: FileIdentity): boolean =>
  found.file !== record.file || (record.born !== null && found.born !== record.born);

/** Whether the database at this path is another file than the one its record was written for. */
export function isReplaced(path: string): boolean {
  const record = readRunRecord(runRecordOf(path));
  return record !== null && isOther(record, identityOf(path));
}

/** Null: there is none that can be read. @throws Advised for a pipe or a device, which would be read for ever */
export function readRunRecord(path: string): RunRecord | null {
  try {
    if (!statSync(path).isFile())
      throw new Advised(
        `${path} is no regular file: remove it. What is owed then waits until you release it`,
      );
    const record = JSON.parse(readFileSync(path, "utf8")) as Omit<RunRecord, "born"> & {
      born?: string | null;
    };
    const isWhole = Number.isSafeInteger(record.run) && typeof record.file === "string";
    return isWhole ? { ...record, born: record.born ?? null } : null;
  } catch (error) {
    if (error instanceof Advised) throw error;
    return null;
  }
}

/** Durable when this returns: if a power cut undid the record, an intact database would be held. */
export function writeRunRecord(path: string, record: RunRecord): void {
  replaceFile(path, `${JSON.stringify(record)}\n`);
}

/**
 * Which file it is. A time of birth cannot be given to a copy. Systems that do not know it may tell that of the last
 * change instead, which says nothing. Read without opening the file: see `server-lock.ts`.
 */
export function identityOf(path: string): FileIdentity {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const isKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { file: ino.toString(), born: isKnown ? birthtimeNs.toString() : null };
}

/** Where the record of a database is. */
export const runRecordOf = (path: string): string => `${dirname(path)}/run.json`;
