/**
 * Names that other services use for the fields of scoring rules, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const EVENT = "it is called `event`";
const POINTS = "it is called `points`";

export const FOREIGN_RULE_FIELDS = {
  name: EVENT,
  eventName: EVENT,
  trigger: EVENT,
  score: POINTS,
  value: "points are `points`, and the least amount is `minValueCents`",
  weight: POINTS,
  minValue: "it is called `minValueCents`, in minor units",
  conditions: "a rule has an `event`, and optionally a `minValueCents`",
} as const;

export const FOREIGN_RULE_FILTERS = {
  event: "rules have no filters",
  name: "rules have no filters",
} as const;
