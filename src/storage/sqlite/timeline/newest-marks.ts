import { compareMarks, type Mark } from "#storage/common/timeline/timeline.ts";

/** Picks out of many marks the newest ones after `before` in display order, and counts all of them. */
export function newestMarks(before: Mark | null, size: number) {
  let kept: Mark[] = [];
  let total = 0;
  return {
    add(marks: readonly Mark[]): void {
      total += marks.length;
      const left = before === null ? marks : marks.filter((mark) => compareMarks(before, mark) < 0);
      kept = [...kept, ...left].toSorted(compareMarks).slice(0, size);
    },
    /** Newest first. */
    newest: (): readonly Mark[] => kept,
    get total() {
      return total;
    },
  };
}
