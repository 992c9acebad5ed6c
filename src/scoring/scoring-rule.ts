import type { Instant } from "#core/time/clock.ts";

/**
 * Points for an event: for every event of that name, or only for those worth at least `minValueCents`. An
 * event without an amount never reaches a minimum. Negative points reduce the score. A contact's score is the
 * sum over their events (docs/decisions.md "Events").
 */
export type ScoringRule = {
  /** Normalized. */
  readonly event: string;
  readonly minValueCents: number | null;
  readonly points: number;
};

export type StoredRule = ScoringRule & { readonly id: string; readonly createdAt: Instant };

/** What an event with this amount is worth. @param rules those for its name */
export function pointsOf(
  rules: readonly Pick<ScoringRule, "minValueCents" | "points">[],
  valueCents: number | null,
): number {
  let points = 0;
  for (const rule of rules)
    if (rule.minValueCents === null || (valueCents !== null && valueCents >= rule.minValueCents))
      points += rule.points;
  return points;
}
