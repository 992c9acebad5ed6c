/** The result of a bench: one figure of ours beside one of a reference that was measured in the same run. */

export type Row = {
  /** What was measured, with its unit: "POST /events, requests/s". */
  readonly what: string;
  readonly ours: number;
  readonly reference: string;
  /** NaN where there is none. */
  readonly theirs: number;
  /** The goal, and for which figure it is. Null: the figure is only for information. */
  readonly goal: Goal | null;
};

export type Goal =
  | { readonly ratioAtLeast: number }
  | { readonly ratioAtMost: number }
  /** Of our own figure, in its unit. */
  | { readonly atMost: number };

/** One line of the printed table. */
export function lineOf({ what, ours, reference, theirs, goal }: Row) {
  return {
    what,
    ours: rounded(ours),
    reference,
    "reference's": Number.isNaN(theirs) ? "" : rounded(theirs),
    ratio: Number.isNaN(theirs) ? "" : rounded(ours / theirs),
    "to reach": goal === null ? "" : goalText(goal),
    reached: goal === null ? "" : isReached(goal, ours, theirs) ? "yes" : "NO",
  };
}

function isReached(goal: Goal, ours: number, theirs: number): boolean {
  if ("atMost" in goal) return ours <= goal.atMost;
  return "ratioAtLeast" in goal ? ours / theirs >= goal.ratioAtLeast : ours / theirs <= goal.ratioAtMost;
}

function goalText(goal: Goal): string {
  if ("atMost" in goal) return `at most ${goal.atMost}`;
  return "ratioAtLeast" in goal ? `ratio >= ${goal.ratioAtLeast}` : `ratio <= ${goal.ratioAtMost}`;
}

const rounded = (figure: number): number =>
  figure >= 100 ? Math.round(figure) : Math.round(figure * 100) / 100;
