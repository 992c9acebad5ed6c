/**
 * One server per data directory, and per database. A lock is an open exclusive transaction on a separate
 * SQLite file. So the kernel releases it when the process dies, for whatever reason: no time-out declares a
 * process dead, and nobody has to clean up by hand.
 *
 * A plain file next to the lock names its holder. Never open a lock file in any other way: closing any other
 * handle of it in this process would release the lock (POSIX). Commands work while a server runs: they
 * take the lock for a moment at most, to learn whether one does (`serverOf`).
 */
import { isoOf } from "#core/time/iso.ts";
import { Advised } from "#core/errors/advised.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Database } from "bun:sqlite";
import type { Instant } from "#core/time/clock.ts";
import { accept, refuse, type Result } from "#core/errors/errors.ts";
import { DATABASE_FILE } from "#storage/sqlite/engine/open.ts";
import { makeUnlessThere, removeIfPossible, replaceFile } from "#storage/sqlite/files/durable-file.ts";

const LOCK_FILE = "server.lock";

/** What a process does that has the lock, and what it is called. */
const HOLDERS = {
  serve: { called: "another Postrider server", endIt: "Stop it first" },
  restore: { called: "`postrider restore`", endIt: "Wait until it has ended" },
  move: { called: "`postrider move`", endIt: "Wait until it has ended" },
} as const;

type LockedFor = keyof typeof HOLDERS;

export type ServerLock = {
  /** False after a crash, a kill or a power cut. */
  readonly lastEndWasClean: boolean;
  /**
   * Records that this run ended properly, and lets the next server start. If that record cannot be removed, the next
   * server checks the database, as after a crash: what was done is done all the same.
   */
  release(): void;
};

/** Without this reference, the handles are garbage-collected, and the lock is lost. */
const held = new Set<readonly Database[]>();

/**
 * Locks the data directory for this process, and creates it if there is none. The refusal names the process that
 * has the lock.
 */
export function lockServer(
  dataDir: string,
  now: Instant,
  lockedFor: LockedFor = "serve",
): Result<ServerLock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const handles = lockedFiles(locksOf(dataDir));
  const holderFile = `${dataDir}/server.json`;
  if (handles === null) {
    const { endIt } = HOLDERS[workOf(holderFile)];
    return refuse(
      "CONFLICT",
      `${dataDir} is in use by ${describeHolder(holderFile)}. ${endIt}, or choose another --data-dir.`,
    );
  }
  held.add(handles);
  const lastEndWasClean = !existsSync(holderFile);
  const letGo = (): void => {
    held.delete(handles);
    closeAll(handles);
  };
  const holder = { pid: process.pid, startedAt: isoOf(now), lockedFor };
  try {
    replaceFile(holderFile, `${JSON.stringify(holder)}\n`);
  } catch (error) {
    letGo();
    throw error;
  }
  return accept({
    lastEndWasClean,
    release() {
      removeIfPossible(holderFile);
      letGo();
    },
  });
}

/** Which server has the directory, in words; null: none. For commands, which do not keep the lock. */
export function serverOf(dataDir: string): string | null {
  const handles = lockedFiles(locksOf(dataDir).filter((lock) => existsSync(lock)));
  if (handles === null) return describeHolder(`${dataDir}/server.json`);
  closeAll(handles);
  return null;
}

/**
 * Which restore replaces the database now, or which move copies it, in words; null: none. What a command writes meanwhile
 * would be gone. The lock is looked at only where one has left its name: a server that starts at that moment would be
 * refused.
 */
export const replacementOf = (dataDir: string): string | null =>
  workOf(`${dataDir}/server.json`) === "serve" ? null : serverOf(dataDir);

/**
 * The lock of the directory and, where it has a link to the database, that of the file itself: several
 * directories may have links to one, and their servers would send its mail twice. Of other databases beside
 * it the lock has another name.
 */
function locksOf(dataDir: string): readonly string[] {
  const ofDirectory = `${dataDir}/${LOCK_FILE}`;
  const database = `${dataDir}/${DATABASE_FILE}`;
  if (!existsSync(database)) return [ofDirectory];
  const file = realpathSync(database);
  const ofFile = basename(file) === DATABASE_FILE ? `${dirname(file)}/${LOCK_FILE}` : `${file}.${LOCK_FILE}`;
  return ofFile === `${realpathSync(dataDir)}/${LOCK_FILE}` ? [ofDirectory] : [ofDirectory, ofFile];
}

/** All of them, or none. Null: another process has one. */
function lockedFiles(paths: readonly string[]): readonly Database[] | null {
  const handles: Database[] = [];
  try {
    for (const path of paths) {
      const handle = lockedFile(path);
      if (handle === null) {
        closeAll(handles);
        return null;
      }
      handles.push(handle);
    }
    return handles;
  } catch (error) {
    closeAll(handles);
    throw error;
  }
}

function closeAll(handles: readonly Database[]): void {
  for (const handle of handles) handle.close(true);
}

/** Null: another process has it. */
function lockedFile(path: string): Database | null {
  makeUnlessThere(path);
  // SQLite says only that it cannot open it, or opens it to read, which locks nobody out.
  accessSync(path, constants.R_OK | constants.W_OK);
  if (!statSync(path).isFile()) throw noLock(path);
  const handle = new Database(path, { create: true });
  try {
    handle.exec("PRAGMA busy_timeout = 0");
    handle.exec("BEGIN EXCLUSIVE");
    return handle;
  } catch (error) {
    handle.close(true);
    if (errorCode(error) === "SQLITE_BUSY") return null;
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(errorCode(error)) ? noLock(path, error) : error;
  }
}

/** Told as it is, a person would take the database for damaged, and put a backup in its place. */
const noLock = (path: string, cause?: unknown): Advised =>
  new Advised(
    `${path} is no lock of Postrider's, though it has that name. The database is another file. If no server runs in ${dirname(path)}, remove ${path}: it holds nothing, and is made again`,
    { cause },
  );

/** The record of a dead process does not count: the current holder may not have written its own yet. */
function describeHolder(holderFile: string): string {
  const { called } = HOLDERS[workOf(holderFile)];
  try {
    const { pid, startedAt } = readHolder(holderFile);
    process.kill(pid, 0);
    return `${called} (process ${pid}, running since ${startedAt})`;
  } catch {
    return called;
  }
}

type Holder = { readonly pid: number; readonly startedAt: string; readonly lockedFor?: string };

const readHolder = (holderFile: string): Holder => JSON.parse(readFileSync(holderFile, "utf8")) as Holder;

/** A server, where it is not known: an earlier version wrote no more than who it is. */
function workOf(holderFile: string): LockedFor {
  try {
    const { lockedFor = "" } = readHolder(holderFile);
    return Object.hasOwn(HOLDERS, lockedFor) ? (lockedFor as LockedFor) : "serve";
  } catch {
    return "serve";
  }
}
