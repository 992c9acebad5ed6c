/**
 * Replaces the database with a backup. The caller holds the server's lock, so nothing is sent meanwhile.
 *
 * The order matters. If the process is interrupted, either the old database or the restored one is left, and the
 * restored one always holds its sends:
 *
 *   1. copy the backup into the same directory, check the copy, and end its sessions
 *   2. see that nobody has the old file open
 *   3. take over what must outlive the backup (`kept-decisions.ts`), and flush the copy to the disk
 *   4. give the old file its second name
 *   5. delete the run record: a database without one is held (`storage/sqlite/run/run-record.ts`)
 *   6. put the copy in the old file's place
 *
 * Were the old file moved away first, a server that starts in between would make a new database, with nobody in it.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { Database } from "bun:sqlite";
import { NoRoomError } from "#backups/room.ts";
import { Advised } from "#core/errors/advised.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { asError, errorText } from "#core/errors/thrown.ts";
import { keepOthersOut, StillUsed } from "./alone.ts";
import { lackFor } from "./free-room.ts";
import { makeServersFile, nameAlso, removeDatabase, syncDirectoryOf, syncFile } from "./durable-file.ts";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";
import type { Held } from "#storage/sqlite/run/hold.ts";
import { restoredPartOf } from "#storage/sqlite/run/new-database.ts";
import { runRecordOf } from "#storage/sqlite/run/run-record.ts";
import { inspectDatabase, type Inspection } from "./inspect.ts";
import { checkOwnLog } from "./own-log.ts";
import { keepDecisions, type KeptDecisions } from "./kept-decisions.ts";

/** How long a command that has the database open may take to end. */
const COMMAND_WAIT_MS = 5_000;

export type Restored = {
  /** The new name of the old file; null if there was none. */
  readonly kept: string | null;
  readonly contacts: number;
  readonly workspaces: number;
  readonly lastRunAt: number | null;
  readonly pending: readonly string[];
  /** How many API keys were revoked since the backup, and stay so; null: no database to learn it from. */
  readonly revokedKeys: number | null;
  /** How many people left since the backup, and stay out; null: no database to learn it from. */
  readonly optOuts: number | null;
  /** What the next server will hold until a person releases it. */
  readonly held: readonly Held[];
  /** What kept the rest of the copy from being removed; null: it is gone. The database is restored all the same. */
  readonly notRemoved: Error | null;
};

/**
 * @throws Error if the file is not usable or does not fit (NoRoomError), or a database exists and `replace` is false;
 * then nothing was changed
 */
export function restoreDatabase(file: string, path: string, replace: boolean): Restored {
  checkSource(file, path, replace);
  const part = restoredPartOf(path);
  let restored: Omit<Restored, "notRemoved">;
  try {
    const found = copyAndCheck(file, part);
    endSessions(part);
    const decisions = existsSync(path) ? takeOver(part, path) : null;
    syncFile(part);
    const kept = keepOld(path);
    rmSync(runRecordOf(path), { force: true });
    renameSync(part, path);
    syncDirectoryOf(path);
    const { contacts, workspaces, lastRunAt, pending, toBeHeld: held } = found;
    const { revokedKeys, optOuts } = decisions ?? { revokedKeys: null, optOuts: null };
    restored = {
      kept,
      contacts,
      workspaces: workspaces.length,
      lastRunAt,
      pending,
      revokedKeys,
      optOuts,
      held,
    };
  } catch (error) {
    // What stopped the restore is what a person has to know; the next attempt takes the copy away.
    removeRest(part);
    throw error;
  }
  return { ...restored, notRemoved: removeRest(part) };
}

function removeRest(part: string): Error | null {
  try {
    removeDatabase(part);
    return null;
  } catch (error) {
    return asError(error);
  }
}

const replacedOf = (path: string): string => `${path}.replaced`;

/** Removes what a restore that was killed has left. The caller holds the server's lock, as a restore does. */
export function removeLeftRestore(path: string): void {
  removeDatabase(restoredPartOf(path));
  removeSecondNames(path);
}

/**
 * A restore that was killed before its copy took the old file's place leaves that file two names. A person
 * could take the second for an old database, and write into the one in use. Its log, if it had one, gets its name back.
 */
function removeSecondNames(path: string): void {
  const start = basename(replacedOf(path));
  for (const name of readdirSync(dirname(path))) {
    const other = `${dirname(path)}/${name}`;
    if (!name.startsWith(start) || !isSecondName(other, path)) continue;
    if (existsSync(`${other}-wal`) && !existsSync(`${path}-wal`)) renameSync(`${other}-wal`, `${path}-wal`);
    rmSync(other);
  }
}

/** Never of a link that leads from one to the other: the file has one name then. */
function isSecondName(other: string, path: string): boolean {
  const [a, b] = [lstatSync(other, { bigint: true }), lstatSync(path, { bigint: true })];
  return a.ino === b.ino && a.dev === b.dev && b.nlink > 1n;
}

function checkSource(file: string, path: string, replace: boolean): void {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  if (!statSync(file).isFile())
    throw new Error(`${file} is not an ordinary file: name a backup that lies on a disk`);
  const isReplaced = isThere(path);
  if (isReplaced && isSameFile(file, path)) throw new Error(`${file} is the database itself`);
  const log = walPathOf(file);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error(
      `${file} has a write-ahead log beside it (${log}), so it is a database in use and not a backup: make one with \`postrider backup\``,
    );
  if (isReplaced && !replace)
    throw new Error(
      `${dirname(path)} has a database already: --force replaces it and keeps the old file beside it`,
    );
}

/** @throws Advised if it is a link to a disk that is not there for now, as before it is mounted */
function isThere(path: string): boolean {
  if (existsSync(path)) return true;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  throw unreadNow(path, new Error("it is a symbolic link that leads to no file"));
}

/** The number of a file is its own on one disk only. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return a.ino === b.ino && a.dev === b.dev;
}

/** The copy is checked and then used: the given file itself may change, or be in a directory where we cannot write. */
function copyAndCheck(file: string, part: string): Inspection {
  // What an attempt that was killed has left.
  removeDatabase(part);
  const lack = lackFor(part, statSync(file).size, part);
  if (lack !== null) throw new NoRoomError(lack, dirname(part), "restored");
  makeServersFile(part);
  copyFileSync(file, part);
  // Copying also gives it the mode of the backup, which may be read-only, or readable by everybody.
  chmodSync(part, 0o600);
  const found = inspectTwice(part, file);
  if (found.foreignPart !== null)
    throw new Error(
      `${file} was changed by other means: ${found.foreignPart}. Take a file that \`postrider backup\` made`,
    );
  return found;
}

/**
 * Restoring must not sign anybody in: a session that was ended since the backup would become valid again, and so
 * would a used link. An older backup has no people.
 */
function endSessions(part: string): void {
  const sqlite = new Database(part, { strict: true });
  try {
    const known = sqlite
      .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sessions'")
      .get();
    if (known !== null) sqlite.run("BEGIN; DELETE FROM sessions; DELETE FROM welcome_links; COMMIT");
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
}

/** @returns null if the old database cannot be opened */
function takeOver(part: string, path: string): KeptDecisions | null {
  using old = openAlone(path);
  if (old === null) return null;
  using copy = new Database(part, { strict: true });
  const decisions = keepDecisions(copy, old);
  copy.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return decisions;
}

/**
 * Brings the log that a crash left into the database, so that the file that is kept is whole by itself. A file that is
 * damaged, or has the log of another one beside it, stays as it is: that may be why it is replaced.
 * @returns the database; null if it is so
 * @throws StillUsed if a command has it open, which would go on writing into a file that nobody reads any more
 * @throws Advised if it cannot be read for a reason that a person can mend: without it nobody knows who left
 */
function openAlone(path: string): Database | null {
  let sqlite: Database | null = null;
  try {
    checkOwnLog(path);
    sqlite = new Database(path, { readwrite: true, strict: true });
    keepOthersOut(sqlite, path, COMMAND_WAIT_MS);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (error instanceof StillUsed) throw error;
    if (error instanceof Advised || /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))) return null;
    throw unreadNow(path, error);
  }
}

const unreadNow = (path: string, error: unknown): Advised =>
  new Advised(
    `${path} cannot be read (${errorText(error)}), so nobody knows who left since the backup, and they would be mailed again. Nothing was changed. See to its owner, its permissions and its disk, and restore again. To restore without it, move it to another directory first`,
    { cause: error },
  );

/**
 * SQLite says much the same of a file that is damaged and of one read that failed. So what seems damaged is read again.
 * @throws Error if it is damaged, or still cannot be read, so that nobody knows whether it is
 */
function inspectTwice(part: string, file: string): Inspection {
  const first = inspectNamed(part, file);
  if (typeof first !== "string") return first;
  const found = inspectNamed(part, file);
  if (typeof found !== "string") return found;
  if (!isFailedRead(found)) throw new Error(`${file} is damaged (${found}): take an older backup`);
  throw new Error(
    `${file} was copied, but the copy cannot be read (${found}), so nobody knows whether the backup is damaged. Nothing was changed. See to the disk of ${dirname(part)} first (dmesg says what is wrong with it), and restore again`,
  );
}

/** The check of a database tells of such a read by SQLite's number for it, of which the last byte is the kind. */
function isFailedRead(damage: string): boolean {
  const [, code] = /error code=(\d+)/.exec(damage) ?? [];
  return damage.includes("disk I/O error") || (code !== undefined && (Number(code) & 0xff) === SQLITE_IOERR);
}

/** SQLite's result codes, https://www.sqlite.org/rescode.html#ioerr */
const SQLITE_IOERR = 10;

/** @returns the damage where there is any. Errors name the file that was given, not its copy. */
function inspectNamed(part: string, file: string): Inspection | string {
  try {
    const found = inspectDatabase(part, "full");
    return found.damage ?? found;
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    if (typeof code === "string" && /^SQLITE_(CORRUPT|IOERR)/.test(code)) return message;
    const reason = message.replaceAll(part, file);
    throw new Error(reason.includes(file) ? reason : `${file}: ${reason}`, { cause: error });
  }
}

/**
 * A log that could not be brought in is moved together with its database, under a name by which SQLite finds it. If it
 * stayed, SQLite would apply it to the restored database. The index of a log (`-shm`) is made again from it.
 */
function keepOld(path: string): string | null {
  if (existsSync(path)) removeSecondNames(path);
  const kept = existsSync(path) ? freeName(replacedOf(path)) : null;
  if (kept !== null) nameAlso(path, kept);
  if (kept === null) rmSync(`${path}-wal`, { force: true });
  else if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
  rmSync(`${path}-shm`, { force: true });
  return kept;
}

/** SQLite would apply a log that an earlier restore left alone. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name) || existsSync(`${name}-wal`); n++) name = `${wanted}-${n}`;
  return name;
}
