import type { Condition, Rule } from "#segments/rule.ts";

/**
 * What it takes to ask a rule of everybody, as a rank: how much is read for each contact, and what is done with it.
 * Of conditions that all have to hold, the cheap ones are asked first, because they leave fewer people to the others.
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

/** An index has them; rows of the index of events; rows of contacts; JSON of each row; and JSON that is long. */
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
    // Whatever is in it; its answer is kept for all who refer to it.
    case "segment":
      return 4;
  }
}
