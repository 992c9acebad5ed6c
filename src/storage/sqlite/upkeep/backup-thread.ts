import { Database } from "bun:sqlite";
import type { Lack } from "#backups/room.ts";
import { copyBytesOf, lackFor } from "#storage/sqlite/files/free-room.ts";
import { inspectDatabase, type Inspection } from "#storage/sqlite/files/inspect.ts";

/** The one order to the thread, and its answers. */
export type BackupOrder = { readonly path: string; readonly part: string };
export type BackupReport =
  | "copied"
  | { readonly lack: Lack }
  | Pick<Inspection, "damage" | "contacts">
  | { readonly failed: string; readonly code: unknown };

/** The thread's side: copying and checking block their thread until they are done. */
export function runBackupThread(thread: Worker): void {
  const report = (what: BackupReport): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data: { path, part } }: MessageEvent<BackupOrder>) => {
    try {
      const lack = copyInto(path, part);
      if (lack !== null) return report({ lack });
      report("copied");
      const { damage, contacts } = inspectDatabase(part, "full");
      report({ damage, contacts });
    } catch (error) {
      const { message, code } = error as { message: string; code?: unknown };
      report({ failed: message, code });
    }
  });
}

/** Returns why it copied nothing; null: it did. */
function copyInto(path: string, target: string): Lack | null {
  const sqlite = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    sqlite.exec("PRAGMA busy_timeout = 5000");
    const lack = lackFor(target, copyBytesOf(sqlite), path);
    if (lack === null) sqlite.prepare("VACUUM INTO ?").run(target);
    return lack;
  } finally {
    // Without `true` the open statement would keep the connection, and the log would stay next to the file.
    sqlite.close(true);
  }
}
