import { Database } from "bun:sqlite";
import { inspectDatabase, type Inspection } from "#storage/sqlite/files/inspect.ts";

/** The one order to the thread, and its answers. */
export type BackupOrder = { readonly path: string; readonly part: string };
export type BackupReport =
  | "copied"
  | Pick<Inspection, "damage" | "contacts">
  | { readonly failed: string; readonly code: unknown };

/** The thread's side: copying and checking block their thread until they are done. */
export function runBackupThread(thread: Worker): void {
  const report = (what: BackupReport): void => thread.postMessage(what, []);
  thread.addEventListener("message", ({ data: { path, part } }: MessageEvent<BackupOrder>) => {
    try {
      copyInto(path, part);
      report("copied");
      const { damage, contacts } = inspectDatabase(part, "full");
      report({ damage, contacts });
    } catch (error) {
      const { message, code } = error as { message: string; code?: unknown };
      report({ failed: message, code });
    }
  });
}

function copyInto(path: string, target: string): void {
  const sqlite = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    sqlite.exec("PRAGMA busy_timeout = 5000");
    sqlite.prepare("VACUUM INTO ?").run(target);
  } finally {
    // Without `true` the open statement would keep the connection, and the log would stay next to the file.
    sqlite.close(true);
  }
}
