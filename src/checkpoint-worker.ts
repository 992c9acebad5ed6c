/** A thread's entry: see storage/sqlite/upkeep/checkpoint-thread.ts. Beside main.ts, for only there does the compiled executable find it. */
import { runCheckpointThread } from "#storage/sqlite/upkeep/checkpoint-thread.ts";

declare const self: Worker;

runCheckpointThread(self);
