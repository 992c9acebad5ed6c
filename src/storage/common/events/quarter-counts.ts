/**
 * In every time zone, hours and days begin at a quarter of an hour of UTC. So figures that are stored by quarters
 * are right in any zone, even after the workspace changes its zone.
 */
const QUARTER_MS = 15 * 60_000;

/** What one transaction counted in a quarter of an hour: `n` has one number for each figure, in their order. */
export type QuarterCount = { readonly of: number; readonly at: number; readonly n: readonly number[] };

export type QuarterCounts<F extends string> = {
  /** `of`: the workspace or mailing. */
  add(of: number, at: number, figure: F): void;
  /** One entry for each `of` and quarter in which something was counted. */
  all(): QuarterCount[];
};

type Counted<F extends string> = {
  readonly of: number;
  readonly at: number;
  readonly n: Partial<Record<F, number>>;
};

/** Gathers what a transaction counts, so that it is written once. */
export function quarterCounts<F extends string>(figures: readonly F[]): QuarterCounts<F> {
  const counted: Counted<F>[] = [];
  const countedAt = (of: number, at: number): Counted<F> => {
    const quarter = at - (at % QUARTER_MS);
    const known = counted.find((one) => one.at === quarter && one.of === of);
    if (known !== undefined) return known;
    const made = { of, at: quarter, n: {} };
    counted.push(made);
    return made;
  };
  return {
    add(of, at, figure) {
      const counts = countedAt(of, at).n;
      counts[figure] = (counts[figure] ?? 0) + 1;
    },
    all: () => counted.map(({ of, at, n }) => ({ of, at, n: figures.map((figure) => n[figure] ?? 0) })),
  };
}

/** The column of a figure. */
export const activityColumn = (figure: string): string =>
  figure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
