import type { Instant } from "#core/clock.ts";
import { fold } from "#core/fold.ts";
import type { JsonValue } from "#core/json-value.ts";
import { DAY_MS } from "#core/time.ts";
import type { ConditionOp, ConditionTest } from "./flow-step.ts";
import type { Facts } from "#automations/run/facts.ts";
import { numberOf } from "./reading.ts";

type Condition = { readonly match: "all" | "any"; readonly tests: readonly ConditionTest[] };

/**
 * Whether a condition holds (docs/decisions.md "Automations"): strings compare without case, tags exactly.
 */
export function evaluate({ match, tests }: Condition, facts: Facts, now: Instant): boolean {
  const isMet = (test: ConditionTest): boolean => holds(test, facts, now);
  return match === "all" ? tests.every(isMet) : tests.some(isMet);
}

function holds(test: ConditionTest, facts: Facts, now: Instant): boolean {
  switch (test.on) {
    case "text":
      return compare(facts.contact[test.field], test.op, test.value);
    case "score":
      return compare(facts.score, test.op, test.value);
    case "tag":
      return facts.contact.tags.includes(test.tag) === test.has;
    case "list":
      return facts.memberListIds.has(test.listId) === test.has;
    case "event":
      return happened(facts.lastEventAt.get(test.eventName), test.withinDays, now) === test.has;
    case "opened":
      return facts.openedNodeIds.has(test.nodeId) === test.has;
    case "clicked":
      return facts.clickedNodeIds.has(test.nodeId) === test.has;
    case "property":
      return compare(propertyAt(facts.event?.properties, test.path), test.op, test.value);
  }
}

function happened(lastAt: Instant | undefined, withinDays: number | null, now: Instant): boolean {
  return lastAt !== undefined && (withinDays === null || lastAt >= now - withinDays * DAY_MS);
}

/** Own members only, so that `constructor` finds nothing. In an array, the members are numbers from 0. */
function propertyAt(properties: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = properties;
  for (const name of path) {
    const isMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    if (!isMember || (Array.isArray(value) && name === "length")) return undefined;
    value = (value as Readonly<Record<string, JsonValue>>)[name];
  }
  return value;
}

type Value = string | number | boolean | null;

/**
 * `exists` means "there, and not an empty string". A missing value equals nothing, so `notEquals` is true for
 * it.
 */
function compare(actual: JsonValue | undefined, op: ConditionOp, wanted: Value): boolean {
  switch (op) {
    case "equals":
      return equals(actual, wanted);
    case "notEquals":
      return !equals(actual, wanted);
    case "contains":
      return contains(actual, wanted);
    case "exists":
      return actual !== undefined && actual !== null && actual !== "";
    case "greaterThan":
      return difference(actual, wanted) > 0;
    case "lessThan":
      return difference(actual, wanted) < 0;
  }
}

/**
 * Where one side is a number, the other counts as one if it can be read as one. Otherwise both are compared
 * as text, without case.
 */
function equals(actual: JsonValue | undefined, wanted: Value): boolean {
  if (actual === undefined || actual === null || wanted === null || typeof actual === "object") return false;
  if (typeof actual === "number" || typeof wanted === "number") return difference(actual, wanted) === 0;
  return fold(String(actual)) === fold(String(wanted));
}

/** A piece of a string, or an entry of an array. */
function contains(actual: JsonValue | undefined, wanted: Value): boolean {
  if (Array.isArray(actual)) return (actual as readonly JsonValue[]).some((entry) => equals(entry, wanted));
  return typeof actual === "string" && fold(actual).includes(fold(String(wanted)));
}

/**
 * The difference of two numbers. NaN where one of them is no number: it is neither above nor below nor equal
 * to 0.
 */
function difference(actual: unknown, wanted: unknown): number {
  return (numberOf(actual) ?? Number.NaN) - (numberOf(wanted) ?? Number.NaN);
}
