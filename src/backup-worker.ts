/** A thread's entry: see storage/sqlite/upkeep/backup-thread.ts. Beside main.ts, for only there does the compiled executable find it. */
import { runBackupThread } from "#storage/sqlite/upkeep/backup-thread.ts";

declare const self: Worker;

runBackupThread(self);
