/**
 * Tests of a property of the event that started a run. Builders and applications often send numbers and `true` as
 * text. So a property is converted, if possible, to the type that it is compared with. Attributes and events of a
 * segment are not converted.
 */
import type { Instant } from "#core/time/clock.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { numberOf } from "#core/request/reading.ts";
import type { Scalar, ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";

type Fold = (text: string) => string;
type LooseTest = (actual: JsonValue | undefined, test: ValueTest) => boolean;

/** For the tests of one condition: a list that several of them ask for is read once. */
export function looseTests(now: Instant, folded: Fold): LooseTest {
  const lists = new Map<readonly JsonValue[], ReturnType<typeof listRead>>();
  const has = (list: readonly JsonValue[], wanted: Scalar): boolean => {
    const known = lists.get(list) ?? listRead(list, folded);
    lists.set(list, known);
    return known(wanted);
  };

  return (actual, test) => {
    if (!("value" in test)) return fits(actual, test, now, folded);
    const { op, value } = test;
    if (op !== "contains" && op !== "notContains")
      return fits(alike(actual, value, folded), test, now, folded);
    if (!Array.isArray(actual)) return fits(actual, { op, value: String(value) }, now, folded);
    return has(actual as readonly JsonValue[], value) === (op === "contains");
  };
}

function alike(actual: JsonValue | undefined, wanted: Scalar, folded: Fold): JsonValue | undefined {
  if (typeof wanted === "number") return numberOf(actual) ?? actual;
  if (typeof actual === "number") return numberOf(wanted) === actual ? wanted : actual;
  const isSame = isWord(actual) && folded(String(actual)) === folded(String(wanted));
  return isSame ? wanted : actual;
}

/** Whether an entry of a list equals what is wanted, after it was made alike. An empty text is never found. */
function listRead(list: readonly JsonValue[], folded: Fold): (wanted: Scalar) => boolean {
  const numbers = new Set(list.filter((entry) => typeof entry === "number"));
  const alsoWritten = new Set(list.map(numberOf));
  const words = new Set(list.filter(isWord).map((word) => folded(String(word))));
  return (wanted) => {
    if (typeof wanted === "number") return alsoWritten.has(wanted);
    const number = numberOf(wanted);
    return (number !== null && numbers.has(number)) || (wanted !== "" && words.has(folded(String(wanted))));
  };
}

const isWord = (value: JsonValue | undefined): value is string | boolean =>
  typeof value === "boolean" || typeof value === "string";
