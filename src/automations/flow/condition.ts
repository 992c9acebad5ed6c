import type { Instant } from "#core/time/clock.ts";
import { fold } from "#core/text/fold.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { numberOf } from "#core/request/reading.ts";
import { personOf, type Facts } from "#automations/run/step/facts.ts";
import { meets, propertyAt } from "#segments/holds.ts";
import type { Scalar, ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";
import type { ConditionTest } from "./flow-step.ts";

type Condition = { readonly match: "all" | "any"; readonly tests: readonly ConditionTest[] };

/**
 * Whether a condition holds (docs/decisions.md "Automations"). Questions about the contact mean the same as
 * in a segment (`segments/holds.ts`). Beside these, a condition can ask for properties of the event that
 * started the run.
 */
export function evaluate({ match, tests }: Condition, facts: Facts, now: Instant): boolean {
  const asked = { now, ruleOf: () => null };
  const person = personOf(facts, now);
  const isMet = (test: ConditionTest): boolean =>
    test.on === "property"
      ? fitsLoosely(propertyAt(facts.event?.properties, test.path), test.test, now)
      : meets(test, person, asked);
  return match === "all" ? tests.every(isMet) : tests.some(isMet);
}

/**
 * Builders and applications often send numbers and `true` as text. So a property is converted, if possible, to the
 * type that it is compared with. Attributes and events of a segment are not converted.
 */
function fitsLoosely(actual: JsonValue | undefined, test: ValueTest, now: Instant): boolean {
  if (!("value" in test)) return fits(actual, test, now);
  if (test.op !== "contains" && test.op !== "notContains") return fits(alike(actual, test.value), test, now);
  const { op, value } = test;
  if (Array.isArray(actual))
    return fits(
      (actual as readonly JsonValue[]).map((entry) => alike(entry, value) ?? null),
      test,
      now,
    );
  return fits(actual, { op, value: String(value) }, now);
}

function alike(actual: JsonValue | undefined, wanted: Scalar): JsonValue | undefined {
  if (typeof wanted === "number") return numberOf(actual) ?? actual;
  if (typeof actual === "number") return numberOf(wanted) === actual ? wanted : actual;
  const isSame =
    (typeof actual === "boolean" || typeof actual === "string") &&
    fold(String(actual)) === fold(String(wanted));
  return isSame ? wanted : actual;
}
