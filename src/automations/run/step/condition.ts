import type { Instant } from "#core/time/clock.ts";
import { foldingOnce } from "#core/text/fold.ts";
import { personOf, type Facts } from "./facts.ts";
import { meets, propertyAt } from "#segments/holds.ts";
import type { ConditionTest } from "#automations/flow/flow-step.ts";
import { looseTests } from "./loose-test.ts";

type Condition = { readonly match: "all" | "any"; readonly tests: readonly ConditionTest[] };

/**
 * Whether a condition holds (docs/decisions.md "Automations"). Questions about the contact mean the same as
 * in a segment (`segments/holds.ts`). Beside these, a condition can ask for properties of the event that
 * started the run.
 *
 * It is answered in one piece, while everybody else waits. So its tests share what they read of a value: a flow that
 * was saved when there was no limit may have thousands of them.
 */
export function evaluate({ match, tests }: Condition, facts: Facts, now: Instant): boolean {
  const folded = foldingOnce();
  const asked = { now, ruleOf: () => null, folded };
  const fitsLoosely = looseTests(now, folded);
  const isMet = (test: ConditionTest): boolean =>
    test.on === "property"
      ? fitsLoosely(propertyAt(facts.event?.properties, test.path), test.test)
      : meets(test, personOf(facts, test, now), asked);
  return match === "all" ? tests.every(isMet) : tests.some(isMet);
}
