import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Returns when the file's content is on the disk. Never for a database that is open here: closing the handle drops SQLite's locks. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Returns when the names in the file's directory are on the disk. Windows has no such thing and keeps them by itself. */
export function syncDirectoryOf(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
}
