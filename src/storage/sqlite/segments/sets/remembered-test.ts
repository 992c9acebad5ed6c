import type { Instant } from "#core/time/clock.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import type { ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";

const KNOWN_MAX = 10_000;

/**
 * `fits` for one question with one time: the same texts occur again and again, and folding a text or reading a date
 * takes longer than looking it up.
 */
export function rememberedTest(test: ValueTest): (value: JsonValue, now: Instant) => boolean {
  const known = new Map<string, boolean>();
  return (value, now) => {
    if (typeof value !== "string") return fits(value, test, now);
    const before = known.get(value);
    if (before !== undefined) return before;
    const fitting = fits(value, test, now);
    if (known.size < KNOWN_MAX) known.set(value, fitting);
    return fitting;
  };
}
