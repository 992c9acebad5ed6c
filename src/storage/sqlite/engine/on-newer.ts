import type { WriteQueue } from "#storage/sqlite/engine/writes/write-queue.ts";

/**
 * Calls `listener` after each commit that brought a row with a greater number than any before. Numbers of the table
 * are never used again, so a new row always has one. `newest`: the greatest there is; 0 without a row.
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
