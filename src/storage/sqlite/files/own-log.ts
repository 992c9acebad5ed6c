/**
 * Whether the log beside a database is its own. If somebody copies a backup by hand over the file of a server that runs or
 * was killed, SQLite would apply the server's log to the backup, which damages it.
 *
 * A database has in its header that it keeps a log, before the log is made; a backup has that it keeps none. So the two
 * cannot be mistaken.
 *
 * Where the guarantee ends: a copy of a database in use says that it keeps a log too. And while a server runs, it may merge
 * its log into the file before it looks.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { Advised } from "#core/errors/advised.ts";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";

/** The read version in the header of a database (sqlite.org/fileformat.html "File format version numbers"). */
const READ_VERSION_AT = 19;
const WITHOUT_LOG = 1;

/**
 * To be called before SQLite opens the file.
 * @throws Advised
 */
export function checkOwnLog(path: string): void {
  if (bytesOf(path) === 0) return;
  const log = walPathOf(path);
  // The file stays open: to close it would end every lock that this process has on it. Only a kill leaves a log.
  if (bytesOf(log) === 0 || !keepsNoLog(opened(path))) return;
  throw new Advised(
    `${log} is the log of another database than ${path}: it seems that a backup was copied there, after a server was killed. Nothing was changed. Move ${path} to another directory, and bring it in with \`postrider restore\`, which takes the log away`,
  );
}

export type Overwriting = ReturnType<typeof overwriting>;

/** For a file that SQLite has just opened: whether a backup is copied over it. */
export function overwriting(path: string) {
  // Now, because another file may have its name later.
  let file = opened(path);
  let seenMs: number | null = null;
  return {
    /** Reads the file only if it was changed since the last look. */
    isOverwritten(): boolean {
      const changedMs = file === null ? null : fstatSync(file).mtimeMs;
      if (changedMs === seenMs) return false;
      if (keepsNoLog(file)) return true;
      seenMs = changedMs;
      return false;
    },

    /** Only when SQLite has closed the file: this would end its locks. */
    close(): void {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** 0 also where it cannot be looked at, such as a link that leads in a circle: who opens it says so. */
function bytesOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Null: it cannot be opened, and SQLite will say so. */
function opened(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}

function keepsNoLog(file: number | null): boolean {
  const header = Buffer.alloc(READ_VERSION_AT + 1);
  if (file !== null) readSync(file, header, 0, header.length, 0);
  return header[READ_VERSION_AT] === WITHOUT_LOG;
}
