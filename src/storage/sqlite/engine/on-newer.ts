import type { WriteQueue } from "#storage/sqlite/engine/writes/write-queue.ts";

/**
 * Calls `listener` after each commit that added a row with a higher number than any before. The table never reuses
 * numbers, so a new row always has one. `newest`: the highest number; 0 without rows.
 */
export function onNewer(
  writes: Pick<WriteQueue, "onCommit">,
  newest: () => number,
  listener: () => void,
): void {
  let seen = newest();
  writes.onCommit(() => {
    const now = newest();
    if (now <= seen) return;
    seen = now;
    listener();
  });
}
