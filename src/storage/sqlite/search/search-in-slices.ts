import { nextLoopTurn } from "#core/time/event-loop.ts";

/** Rows by their numbers: between both, which are excluded. */
export type Between = { readonly after: number; readonly before: number };

type Searched<Row> = {
  /** The number after which the slice begins that ends before this one; 0: it begins with the oldest row. */
  readonly startOf: (before: number) => number;
  /** How many rows match. */
  readonly count: (range: Between) => number;
  /** The newest rows that match. */
  readonly newest: (range: Between, most: number) => readonly Row[];
};

/**
 * The newest rows that match, and how many match in all. It reads every row, because the total must count every match:
 * in slices of some milliseconds, between which others have their turn.
 * @param wanted only rows before this one; all if it is null
 */
export async function searchInSlices<Row>(
  { startOf, count, newest }: Searched<Row>,
  wanted: { readonly rows: number; readonly before: number | null },
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  let total = 0;
  const shownBefore = wanted.before ?? Number.MAX_SAFE_INTEGER;
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const after = startOf(before);
    const found = count({ after, before });
    total += found;
    const missing = wanted.rows - rows.length;
    if (found > 0 && missing > 0 && shownBefore > after + 1)
      rows.push(...newest({ after, before: Math.min(before, shownBefore) }, missing));
    if (after === 0) return { rows, total };
    before = after + 1;
    await nextLoopTurn();
  }
}
