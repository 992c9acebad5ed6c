/** A thread's entry: see work/thread.ts. Beside main.ts, for only there does the compiled executable find it. */
import { runThread } from "#work/thread.ts";

declare const self: Worker;

runThread(self);
