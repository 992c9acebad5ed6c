/**
 * The files in the data directory and next to backups. Only the owner can read them. None is ever created or
 * written through a symbolic link: O_EXCL refuses a name that is taken, and a rename replaces a link, not its
 * target.
 */
import { errorCode } from "#core/errors/error-code.ts";
import { naming, withPath } from "#core/errors/naming.ts";
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Creates an empty file. @throws if something has that name, even a dangling link */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "ax", 0o600));
}

/** The same for a file that the server opens: it goes to the owner of its directory. */
export function makeServersFile(path: string): void {
  const file = openSync(path, "ax", 0o600);
  try {
    giveToOwnerOf(dirname(path), file);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates an empty file that the server opens, if there is none; another process may create it first.
 * @throws if a dangling link has the name
 */
export function makeUnlessThere(path: string): void {
  if (existsSync(path)) return;
  try {
    makeServersFile(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new Error(`${path} is a symbolic link that leads to no file: remove it`, { cause: error });
  }
}

/** Makes a directory, unless it is there. */
export function makePrivateDirectory(path: string): void {
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) giveToOwnerOf(dirname(path), path);
}

/**
 * What a command of root makes goes to the owner of the directory: otherwise the server, which is not root,
 * could neither read nor change it. A link that somebody put in its place is not followed. A disk that knows
 * no owners leaves it as it is.
 */
export function giveToOwnerOf(directory: string, made: string | number): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  try {
    if (typeof made === "number") fchownSync(made, uid, gid);
    else lchownSync(made, uid, gid);
  } catch (error) {
    if (!["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(errorCode(error))) throw error;
  }
}

/** A file under this name is not finished, and a next one may take its place. */
const unfinishedOf = (path: string): string => `${path}.new`;

/** For a file that does no harm where a failing disk keeps it: something else has to be told then, or is done. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays.
  }
}

/** Writes a small file completely and replaces the existing one. Durable when this returns. */
export function replaceFile(path: string, text: string): void {
  const unfinished = unfinishedOf(path);
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, "wx", 0o600);
  try {
    try {
      giveToOwnerOf(dirname(path), file);
      naming(path, () => {
        // It goes on after a write that was cut short, as on a disk that is almost full.
        writeFileSync(file, text);
        fsyncSync(file);
      });
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
  syncDirectoryOf(path);
}

/**
 * `replaceFile` for a server at work: others have their turns meanwhile, because on a slow disk a flush takes long.
 * Resolves when it is durable. Two at once for one path would get in each other's way.
 */
export async function replaceFileInTurns(path: string, text: string): Promise<void> {
  const unfinished = unfinishedOf(path);
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", 0o600);
  try {
    try {
      giveToOwnerOf(dirname(path), file.fd);
      await file.writeFile(text);
      await file.sync();
    } catch (error) {
      throw withPath(error, path);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
  await syncDirectoryInTurnsOf(path);
}

export const takenName = (path: string): Error =>
  new Error(`${path} is there already: name a new file, or take that one away`);

/** A disk that has no second names for files, such as one formatted for cameras or one of the network. */
const HAS_NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Gives a finished file its final name, and never takes the place of a file: a rename would, if somebody made
 * one of that name since it was looked for. Only on a disk without links that remains possible, for a moment.
 *
 * @throws Error if something has the name
 */
export function giveFreeName(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw takenName(path);
    if (!HAS_NO_LINKS.includes(errorCode(error))) throw error;
    if (existsSync(path)) throw takenName(path);
    renameSync(part, path);
  }
  rmSync(part, { force: true });
}

/**
 * Gives the file at `path` a second name, so that another can take the first in one step. On a disk without
 * links it only moves.
 */
export function nameAlso(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch (error) {
    if (!HAS_NO_LINKS.includes(errorCode(error))) throw error;
    renameSync(path, name);
  }
}

/**
 * Removes a database that is not used, or a part of one, with the logs that SQLite has beside it: it would apply them to
 * the next database of that name.
 */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${end}`, { force: true });
}

/**
 * Returns when the file's content is on the disk. Never use it for a database that is open here: closing the
 * handle drops SQLite's locks.
 */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  naming(path, () => fsyncSync(file));
  closeSync(file);
}

/** Returns when the names in the file's directory are on the disk. Windows has no such call and does not need it. */
export function syncDirectoryOf(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(dirname(path), "r");
  naming(dirname(path), () => fsyncSync(directory));
  closeSync(directory);
}

/** `syncDirectoryOf` while others have their turns. */
async function syncDirectoryInTurnsOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(dirname(path), "r");
  try {
    await directory.sync();
  } catch (error) {
    throw withPath(error, dirname(path));
  } finally {
    await directory.close();
  }
}
