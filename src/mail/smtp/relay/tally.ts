/**
 * How many of the last outcomes were bad. The share counts, not how many were bad in a row: if one of several
 * servers behind a load balancer is bad, long runs of bad outcomes are rare.
 */
export type Tally = {
  readonly outcomes: number;
  /** Which outcomes were bad, newest last; kept only as far as needed. */
  readonly bad: readonly number[];
};

/** `most` bad outcomes among the last `among` are too many. */
export type Measure = { readonly most: number; readonly among: number };

export const emptyTally: Tally = { outcomes: 0, bad: [] };

export const countGood = ({ outcomes, bad }: Tally): Tally => ({ outcomes: outcomes + 1, bad });

export function countBad({ outcomes, bad }: Tally, { most }: Measure): Tally {
  return { outcomes: outcomes + 1, bad: [...bad, outcomes].slice(-most) };
}

/** Call it right after a bad outcome was counted. */
export function areTooMany({ outcomes, bad }: Tally, { most, among }: Measure): boolean {
  const first = bad[0];
  return first !== undefined && bad.length >= most && outcomes - first <= among;
}
