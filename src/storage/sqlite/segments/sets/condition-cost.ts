import type { Condition, Rule } from "#segments/rule.ts";

/**
 * How expensive a rule is for all contacts, as a rank: how much is read for each contact, and what is done with it.
 * Of several conditions that must be true, the cheap ones come first: they leave fewer contacts to the others.
 */
export function costOf(rule: Rule): number {
  switch (rule.kind) {
    case "condition":
      return costOfCondition(rule.condition);
    case "not":
      return costOf(rule.rule);
    case "all":
    case "any":
      return rule.rules.reduce((sum, each) => sum + costOf(each), 0);
  }
}

/** From cheap to expensive: an index; rows of the event index; rows of contacts; JSON of each row; long JSON. */
function costOfCondition(condition: Condition): number {
  switch (condition.on) {
    case "tag":
    case "list":
      return 1;
    case "text":
      return condition.field === "status" ? 1 : 3;
    case "createdAt":
      return 3;
    case "score":
      return 3;
    case "event":
      return condition.where.length === 0 ? 2 : 6;
    case "received":
    case "opened":
    case "clicked":
      return 4;
    case "attribute":
      return condition.test.op === "contains" || condition.test.op === "notContains" ? 6 : 5;
    // The same for any segment; its answer is kept for all conditions that refer to it.
    case "segment":
      return 4;
  }
}
