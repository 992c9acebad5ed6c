import type { Instant } from "#core/time/clock.ts";
import { parseDateOrTime } from "#core/time/date-time.ts";
import { fold } from "#core/text/fold.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { DateTest, Scalar, ValueTest } from "./rule.ts";

/**
 * Whether a value fits a test (docs/contract.md "Segments"). Strings compare without case, by Unicode.
 * Nothing is converted: a value of another type fails every op but `exists`, `notEquals` and `notContains`. A
 * missing value, and an empty string is one, fails every op but `notEquals`, `notContains` and `notExists`.
 *
 * @param folded `foldingOnce()`, where many tests ask for the same values
 */
export function fits(actual: JsonValue | undefined, test: ValueTest, now: Instant, folded = fold): boolean {
  switch (test.op) {
    case "equals":
      return equals(actual, test.value, folded);
    case "notEquals":
      return !equals(actual, test.value, folded);
    case "contains":
      return contains(actual, test.value, folded);
    case "notContains":
      return !contains(actual, test.value, folded);
    case "startsWith":
      return isText(actual) && folded(actual).startsWith(folded(test.value));
    case "endsWith":
      return isText(actual) && folded(actual).endsWith(folded(test.value));
    case "exists":
      return !isMissing(actual);
    case "notExists":
      return isMissing(actual);
    case "greaterThan":
      return typeof actual === "number" && actual > test.value;
    case "lessThan":
      return typeof actual === "number" && actual < test.value;
    case "before":
    case "after":
    case "withinDays":
    case "notWithinDays":
      return isText(actual) && isDated(parseDateOrTime(actual), test, now);
  }
}

/** The same for an instant; null where there is none. */
export function isDated(at: Instant | null, test: DateTest, now: Instant): boolean {
  if (at === null) return false;
  switch (test.op) {
    case "before":
      return at < test.at;
    case "after":
      return at > test.at;
    case "withinDays":
      return isWithin(at, test.days, now);
    case "notWithinDays":
      return !isWithin(at, test.days, now);
  }
}

/** Whether something lies in the last `days`, both ends included; null: at any time. */
export const isWithin = (at: Instant, days: number | null, now: Instant): boolean =>
  days === null || (at >= now - days * DAY_MS && at <= now);

const isMissing = (actual: JsonValue | undefined): boolean =>
  actual === undefined || actual === null || actual === "";

const isText = (actual: JsonValue | undefined): actual is string =>
  typeof actual === "string" && actual !== "";

function equals(actual: JsonValue | undefined, wanted: Scalar, folded: typeof fold): boolean {
  if (isMissing(actual)) return false;
  return isText(actual) && typeof wanted === "string" ? folded(actual) === folded(wanted) : actual === wanted;
}

/** A piece of a string; of a list, one whole element. */
function contains(actual: JsonValue | undefined, wanted: Scalar, folded: typeof fold): boolean {
  if (Array.isArray(actual))
    return (actual as readonly JsonValue[]).some((element) => equals(element, wanted, folded));
  return isText(actual) && typeof wanted === "string" && folded(actual).includes(folded(wanted));
}
