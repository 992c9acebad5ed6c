/**
 * How many of the last outcomes were bad ones. By their share and not by how many came in a row: one bad server behind a
 * balancer is never bad twice in a row for long.
 */
export type Tally = {
  readonly outcomes: number;
  /** Which outcomes were bad, the newest last: no more of them than the question needs. */
  readonly bad: readonly number[];
};

/** `most` bad ones among the last `among` are too many. */
export type Measure = { readonly most: number; readonly among: number };

export const emptyTally: Tally = { outcomes: 0, bad: [] };

export const countGood = ({ outcomes, bad }: Tally): Tally => ({ outcomes: outcomes + 1, bad });

export function countBad({ outcomes, bad }: Tally, { most }: Measure): Tally {
  return { outcomes: outcomes + 1, bad: [...bad, outcomes].slice(-most) };
}

/** Asked right after a bad one was counted. */
export function areTooMany({ outcomes, bad }: Tally, { most, among }: Measure): boolean {
  const first = bad[0];
  return first !== undefined && bad.length >= most && outcomes - first <= among;
}
