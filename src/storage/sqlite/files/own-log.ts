import { openSync, readSync, statSync } from "node:fs";
import { Advised } from "#core/errors/advised.ts";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";

/** The read version in the header of a database (sqlite.org/fileformat.html "File format version numbers"). */
const READ_VERSION_AT = 19;
const WITHOUT_LOG = 1;

/**
 * To be called before SQLite opens the file: it would apply any log that lies beside it. If somebody copies a backup by
 * hand over the file of a server that was killed, that damages the backup. A database has in its header that it keeps a
 * log, before the log is made; a backup has that it keeps none. So the two cannot be mistaken.
 *
 * Where the guarantee ends: a copy of a database in use says that it keeps a log too.
 * @throws Advised
 */
export function checkOwnLog(path: string): void {
  if (bytesOf(path) === 0) return;
  const log = walPathOf(path);
  if (bytesOf(log) === 0 || readVersionOf(path) !== WITHOUT_LOG) return;
  throw new Advised(
    `${log} is the log of another database than ${path}: it seems that a backup was copied there, after a server was killed. Nothing was changed. Move ${path} to another directory, and bring it in with \`postrider restore\`, which takes the log away`,
  );
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * 0: it cannot be read, and SQLite will say so. The file stays open: to close it would end every lock that this process
 * has on it. Only a kill leaves a log.
 */
function readVersionOf(path: string): number {
  const header = Buffer.alloc(READ_VERSION_AT + 1);
  try {
    readSync(openSync(path, "r"), header, 0, header.length, 0);
  } catch {
    return 0;
  }
  return header[READ_VERSION_AT] ?? 0;
}
