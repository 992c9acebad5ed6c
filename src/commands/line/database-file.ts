import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { Advised } from "#core/errors/advised.ts";
import { errorCode, isNoPath } from "#core/errors/error-code.ts";
import { letIn } from "#doctor/machine/let-in.ts";

/**
 * Whether there is a database at this path.
 * @throws Advised if this user may not look, or may not open it: SQLite would only say that it cannot
 */
export function isDatabaseThere(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return false;
    accessSync(path, constants.R_OK);
    if (found.isFile()) checkLog(realpathSync(path));
    return true;
  } catch (error) {
    if (isNoPath(error)) return false;
    if (!["EACCES", "EPERM"].includes(errorCode(error))) throw error;
    throw new Advised(`this user may not open ${path}: ${letIn(path)}`, { cause: error });
  }
}

/** Who only reads a database that has a log needs that too, and its index. */
function checkLog(path: string): void {
  try {
    mayUseLog(path);
  } catch (error) {
    if (hasLog(path)) throw error;
  }
}

/**
 * While a server runs, log and index are there. Else SQLite makes them, beside the file itself (sqlite.org/wal.html
 * "Read-Only Databases").
 */
function mayUseLog(path: string): void {
  const index = `${path}-shm`;
  if (!existsSync(index)) return accessSync(dirname(path), constants.W_OK);
  for (const part of [index, `${path}-wal`]) if (existsSync(part)) accessSync(part, constants.R_OK);
}

const [READ_VERSION_AT, OF_LOG] = [19, 2];

/**
 * By its header (sqlite.org/fileformat.html "File format version numbers"): a backup has none, a server's database has.
 * Asked only where the log is out of reach: to close the file ends every lock that this process has on it.
 */
function hasLog(path: string): boolean {
  const file = openSync(path, "r");
  const header = Buffer.alloc(READ_VERSION_AT + 1);
  try {
    readSync(file, header, 0, header.length, 0);
    return header[READ_VERSION_AT] === OF_LOG;
  } finally {
    closeSync(file);
  }
}
