/**
 * How many of the last outcomes were bad. The share counts, not how many came in a row: when one of several
 * servers behind a balancer is bad, bad outcomes seldom come in a row for long.
 */
export type Tally = {
  readonly outcomes: number;
  /** Which outcomes were bad, the newest last; kept only as far as the question needs. */
  readonly bad: readonly number[];
};

/** Too many: `most` bad ones among the last `among`. */
export type Measure = { readonly most: number; readonly among: number };

export const emptyTally: Tally = { outcomes: 0, bad: [] };

export const countGood = ({ outcomes, bad }: Tally): Tally => ({ outcomes: outcomes + 1, bad });

export function countBad({ outcomes, bad }: Tally, { most }: Measure): Tally {
  return { outcomes: outcomes + 1, bad: [...bad, outcomes].slice(-most) };
}

/** Call it directly after a bad outcome was counted. */
export function areTooMany({ outcomes, bad }: Tally, { most, among }: Measure): boolean {
  const first = bad[0];
  return first !== undefined && bad.length >= most && outcomes - first <= among;
}
