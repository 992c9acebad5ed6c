/**
 * The files in the data directory and next to backups. Only the owner can read them. None is ever created or
 * written through a symbolic link: O_EXCL refuses a name that is taken, and a rename replaces a link, not its
 * target.
 */
import { errorCode } from "#core/errors/error-code.ts";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** Creates an empty file. @throws if something has that name, even a dangling link */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "ax", 0o600));
}

/**
 * Creates an empty file if there is none; another process may create it first. @throws if a dangling link has the
 * name
 */
export function makeUnlessThere(path: string): void {
  if (existsSync(path)) return;
  try {
    makePrivateFile(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new Error(`${path} is a symbolic link that leads to no file: remove it`, { cause: error });
  }
}

/** Writes a small file completely and replaces the existing one. Durable when this returns. */
export function replaceFile(path: string, text: string): void {
  const aside = `${path}.new`;
  rmSync(aside, { force: true });
  const file = openSync(aside, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(aside, path);
  syncDirectoryOf(path);
}

/**
 * Returns when the file's content is on the disk. Never use it for a database that is open here: closing the
 * handle drops SQLite's locks.
 */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Returns when the names in the file's directory are on the disk. Windows has no such call and does not need it. */
export function syncDirectoryOf(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
}
