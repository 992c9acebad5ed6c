import { SOURCES, type Mark } from "./timeline-marks.ts";

const RANK = new Map(SOURCES.map((source, rank) => [source, rank]));
const rankOf = ({ source }: Mark): number => RANK.get(source) ?? 0;

/** The order of a timeline: by time, then by source, then by row. No two marks of a person are equal in it. */
function compare(a: Mark, b: Mark): number {
  return b.at - a.at || rankOf(a) - rankOf(b) || b.key - a.key;
}

/** Whether `a` is shown before `b`. */
export const isNewer = (a: Mark, b: Mark): boolean => compare(a, b) < 0;

/** Picks the newest marks that are shown after `before` out of many, and counts all of them. */
export function newestMarks(before: Mark | null, size: number) {
  let kept: Mark[] = [];
  let total = 0;
  return {
    add(marks: readonly Mark[]): void {
      total += marks.length;
      const left = before === null ? marks : marks.filter((mark) => isNewer(before, mark));
      kept = [...kept, ...left].toSorted(compare).slice(0, size);
    },
    /** Newest first. */
    newest: (): readonly Mark[] => kept,
    get total() {
      return total;
    },
  };
}
