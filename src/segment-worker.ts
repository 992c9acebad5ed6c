/**
 * The entry of a thread: see storage/sqlite/segments/segment-thread.ts. It stands next to main.ts because the
 * compiled executable finds it only there.
 */
import { runSegmentThread } from "#storage/sqlite/segments/segment-thread.ts";

declare const self: Worker;

runSegmentThread(self);
