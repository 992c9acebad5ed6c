import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NoRoomError } from "#backups/room.ts";
import { errorCode } from "#core/errors/error-code.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";
import type { BackupOrder, BackupReport } from "#storage/sqlite/upkeep/backup-thread.ts";
import { giveFreeName, makePrivateFile, syncDirectoryOf, syncFile, takenName } from "./durable-file.ts";

export type BackupWork = {
  /** Runs `runBackupThread`; this function ends it. */
  readonly thread: Worker;
  readonly clock: Clock;
  /**
   * Called ten times a second with the approximate share of the database that is copied, 0 to 1; null while the
   * copy is being checked.
   */
  onProgress(copiedShare: number | null): void;
  /** With a signal, the copy can be cancelled. */
  readonly signal?: AbortSignal;
  /**
   * The copy's name until it is whole, where another process may copy to the same target: of `ownPartOf`. Without one it
   * is `${target}.part`, and the target's name must be nobody else's.
   */
  readonly ownPart?: string;
};

const TOLD_EVERY_MS = 100;
/** The longest wait for the end of a thread that copies a large database. */
const STOPPED_WITHIN_MS = 5_000;

/**
 * With the process's number: a second process would put its unfinished copy in the place of ours. And with our name:
 * SQLite writes a copy's first page last, so nothing inside an unfinished one says whose it is.
 */
export const ownPartOf = (target: string): string => `${target}.postrider-${process.pid}.part`;

/** The files that are there until a backup is whole. */
export const partsOf = (part: string): string[] => [part, `${part}-journal`];

/**
 * Takes away the half files of backups and exports beside this target whose processes were killed: they need room, and
 * hold people's addresses. Also those of other targets: one with a date in its name never comes again.
 */
export function clearLeftParts(target: string, now: Instant): void {
  const [directory, name] = [dirname(target), basename(target)];
  for (const file of readdirSync(directory)) {
    const [, copied, pid] = /^(.+)\.postrider-(\d+)\.part(?:-journal)?$/.exec(file) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(directory, file);
    if (copied === name || isLeft(path, now)) removeIfAllowed(path);
  }
}

/** What is another user's stays: it is in nobody's way, because our own copy has another number. */
function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!["EPERM", "EACCES", "EISDIR", "ERR_FS_EISDIR"].includes(errorCode(error))) throw error;
  }
}

/**
 * The process of another container or machine seems dead from here, and while a copy is checked, nothing is written to
 * it. So only what has been still for so long is taken away.
 */
const LEFT_AFTER_MS = 12 * HOUR_MS;

function isLeft(path: string, now: Instant): boolean {
  const file = lstatSync(path, { throwIfNoEntry: false });
  return (
    file !== undefined &&
    file.isFile() &&
    file.uid === process.getuid?.() &&
    file.mtimeMs < now - LEFT_AFTER_MS
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/**
 * A complete, compact copy of the database at one moment, made while a server may be writing. VACUUM INTO reads one
 * snapshot on its own connection, and in WAL mode a reader makes no writer wait (the log grows until it is done).
 * The copy is made under another name, and gets its final name only after it was checked and is on the disk. So a
 * file with the final name is always good. Nothing is replaced by it.
 *
 * @throws Error if `target` exists or has the name of a temporary file, if its directory does not, if the copy does not fit (NoRoomError, and nothing was
 * copied), or if it fails its check
 * @returns the size of the copy
 */
export async function backUpDatabase(
  path: string,
  target: string,
  work: BackupWork,
): Promise<{ bytes: number; contacts: number }> {
  const part = work.ownPart ?? `${target}.part`;
  try {
    refuseLost(path, target);
    refuseExisting(target);
    rmSync(part, { force: true });
    // The copy contains the signing secret. SQLite would create a file that everybody can read, but it also fills
    // an existing empty one.
    makePrivateFile(part);
    const contacts = await copyAndCheck({ path, part }, work);
    syncFile(part);
    // A link would leave a moment with both names, and the server's sweep empties what is still called `.part`.
    if (work.ownPart === undefined) {
      refuseExisting(target);
      renameSync(part, target);
    } else giveFreeName(part, target);
    syncDirectoryOf(target);
    return { bytes: statSync(target).size, contacts };
  } finally {
    work.thread.terminate();
    for (const file of partsOf(part)) rmSync(file, { force: true });
  }
}

/** Returns how many contacts are in the copy. */
async function copyAndCheck(
  order: BackupOrder,
  { thread, clock, onProgress, signal }: BackupWork,
): Promise<number> {
  const totalBytes = statSync(order.path).size;
  let isCopied = false;
  let cancel = (): void => undefined;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const tell = (): void => {
    if (signal?.aborted) return;
    try {
      onProgress(isCopied ? null : Math.min(1, statSync(order.part).size / totalBytes));
      cancel = clock.setTimer(TOLD_EVERY_MS, tell);
    } catch (error) {
      // The disk went away, or a person removed the file. Thrown out of a timer, that would end the server.
      reject(error);
    }
  };
  tell();
  thread.addEventListener("error", ({ message }) => reject(new Error(message)));
  thread.addEventListener("message", ({ data }: MessageEvent<BackupReport>) => {
    if (data === "copied") isCopied = true;
    else if ("lack" in data) reject(new NoRoomError(data.lack, dirname(order.part), "backup"));
    else if ("failed" in data) {
      // SQLite says "database or disk is full", which sounds as if the database's own disk were full.
      const says = data.code === "SQLITE_FULL" ? `there is no room for a copy at ${order.part}` : data.failed;
      reject(Object.assign(new Error(says), { code: data.code }));
    } else if (data.damage === null) resolve(data.contacts);
    else reject(new Error(`the copy is damaged, so the database may be too: ${data.damage}`));
  });
  signal?.addEventListener("abort", () => {
    // The thread ends when SQLite returns. Until then it may still write files next to the copy.
    const stopped = (): void => reject(new Error("the backup was stopped"));
    thread.addEventListener("close", stopped);
    cancel();
    cancel = clock.setTimer(STOPPED_WITHIN_MS, stopped);
    thread.terminate();
  });
  thread.postMessage(order, []);
  return promise.finally(() => cancel());
}

/** A server, a restore or SQLite itself would delete or overwrite a file of such a name. */
function refuseLost(path: string, target: string): void {
  const isUnfinished = basename(target).startsWith(basename(path)) && target.endsWith(".part");
  if (isUnfinished || /-(?:wal|shm|journal)$/.test(target))
    throw new Error(
      `${target} has a name that is given to temporary files, and would be deleted: choose another, such as postrider-backup.db`,
    );
}

function refuseExisting(target: string): void {
  if (existsSync(target)) throw takenName(target);
}
