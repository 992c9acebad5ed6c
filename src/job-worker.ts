/**
 * The entry of a thread: see work/thread.ts. It stands next to main.ts because the compiled executable finds
 * it only there.
 */
import { runThread } from "#work/thread.ts";

declare const self: Worker;

runThread(self);
