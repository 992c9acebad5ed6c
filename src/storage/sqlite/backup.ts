import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { Database } from "bun:sqlite";
import { syncDirectoryOf, syncFile } from "./durable-file.ts";
import { inspectDatabase } from "./inspect.ts";

/**
 * A copy of the database as it stands at one moment, whole and compact, while a server may be writing: VACUUM INTO reads one snapshot
 * through a connection of its own, and in WAL mode a reader keeps no writer waiting (the log grows until it is done). The copy is
 * made under another name and gets its own only once it has been checked and is on the disk: what is there under that name is good.
 *
 * @throws Error where `target` is there already, where the directory is not, or where the copy does not pass its check
 * @returns the size of the copy
 */
export function backUpDatabase(path: string, target: string): { bytes: number; contacts: number } {
  refuseExisting(target);
  const part = `${target}.part`;
  rmSync(part, { force: true });
  // It holds the signing secret. SQLite would make it readable by everybody; it fills an empty one.
  closeSync(openSync(part, "ax", 0o600));
  try {
    copyInto(path, part);
    const { damage, contacts } = inspectDatabase(part, "full");
    if (damage !== null) throw new Error(`the copy is damaged, so the database may be too: ${damage}`);
    syncFile(part);
    refuseExisting(target);
    renameSync(part, target);
    syncDirectoryOf(target);
    return { bytes: statSync(target).size, contacts };
  } finally {
    rmSync(part, { force: true });
  }
}

function copyInto(path: string, target: string): void {
  const sqlite = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    sqlite.exec("PRAGMA busy_timeout = 5000");
    sqlite.prepare("VACUUM INTO ?").run(target);
  } finally {
    sqlite.close();
  }
}

function refuseExisting(target: string): void {
  if (existsSync(target))
    throw new Error(`${target} is there already: name a new file, or take that one away`);
}
