/**
 * The entry of a thread: see storage/sqlite/upkeep/checkpoint-thread.ts. It stands next to main.ts because
 * the compiled executable finds it only there.
 */
import { runCheckpointThread } from "#storage/sqlite/upkeep/checkpoint-thread.ts";

declare const self: Worker;

runCheckpointThread(self);
