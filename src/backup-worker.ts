/**
 * The entry of a thread: see storage/sqlite/upkeep/backup-thread.ts. It stands next to main.ts because the
 * compiled executable finds it only there.
 */
import { runBackupThread } from "#storage/sqlite/upkeep/backup-thread.ts";

declare const self: Worker;

runBackupThread(self);
