import { parseDateOrTime, parseDateTime } from "#core/time/date-time.ts";
import { isLongerThan } from "#core/text/text.ts";
import { mapped, read, unreadable, type Data, type Reading } from "#core/request/reading.ts";
import type { DateTest, Scalar, ValueTest } from "./rule.ts";

/** Reads `op` and `value` of a test of one value. What is wrong is named by its place: `rules.all[1].op`. */

export const STRING_OPS = [
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "exists",
  "notExists",
] as const;
export const NUMBER_OPS = ["greaterThan", "lessThan"] as const;
export const ATTRIBUTE_OPS = [...STRING_OPS, ...NUMBER_OPS, "before", "after", "withinDays"] as const;

export type ValueOp = ValueTest["op"];

/** The longest text that a contact's attribute may have: nothing longer can be found. */
const TEXT_CHARACTERS_MAX = 1_000;
const DAYS_MAX = 36_500;

const SHORT_NAME = /^\w{1,64}$/;

/** The place of a member that should not be there. If the member has no name to show, the place of its object. */
export const placeOf = (path: string, member: string): string =>
  SHORT_NAME.test(member) ? `${path}.${member}` : path;

/** Reads one of the ops that this field has. */
export function readOp<Op extends string>(
  field: string,
  given: unknown,
  ops: readonly Op[],
  path: string,
): Reading<Op> {
  const op = ops.find((known) => known === given);
  return op === undefined
    ? unreadable(`${path}.op`, `\`op\` of a condition on \`${field}\` must be one of ${ops.join(", ")}.`)
    : read(op);
}

/**
 * A test of a value that `takes` strings only, numbers only, or any of string, number, true and false.
 * `exists` and `notExists` need no `value`; if there is one, it is ignored.
 */
export function readValueTest(
  op: ValueOp,
  { value }: Data,
  path: string,
  takes: "string" | "number" | "any",
): Reading<ValueTest> {
  const place = `${path}.value`;
  switch (op) {
    case "exists":
    case "notExists":
      return read({ op });
    case "startsWith":
    case "endsWith":
      return mapped(readString(value, place), (text) => ({ op, value: text }));
    case "greaterThan":
    case "lessThan":
      return mapped(readNumber(value, place), (number) => ({ op, value: number }));
    case "equals":
    case "notEquals":
    case "contains":
    case "notContains":
      return mapped(READERS[takes](value, place), (scalar) => ({ op, value: scalar }));
    case "before":
    case "after":
    case "withinDays":
    case "notWithinDays":
      return readDateTest(op, value, path, parseDateOrTime);
  }
}

/** @param parse `parseDateTime`, where a date alone is not enough */
export function readDateTest(
  op: DateTest["op"],
  value: unknown,
  path: string,
  parse = parseDateTime,
): Reading<DateTest> {
  if (op === "withinDays" || op === "notWithinDays")
    return mapped(readDays(value, `${path}.value`), (days) => ({ op, days }));
  const at = typeof value === "string" ? parse(value) : null;
  return at === null
    ? unreadable(`${path}.value`, "`value` must be an ISO 8601 date and time, such as 2026-11-21T09:30:00Z.")
    : read({ op, at });
}

function readDays(value: unknown, place: string): Reading<number> {
  return typeof value === "number" && value > 0 && value <= DAYS_MAX
    ? read(value)
    : unreadable(place, `This must be a number of days above 0, at most ${DAYS_MAX}.`);
}

/** The days, if given; otherwise null, which means any time. */
export const readWithinDays = ({ withinDays }: Data, path: string): Reading<number | null> =>
  withinDays === undefined || withinDays === null ? read(null) : readDays(withinDays, `${path}.withinDays`);

export function readString(value: unknown, place: string): Reading<string> {
  if (typeof value !== "string") return unreadable(place, "`value` must be a string.");
  return isLongerThan(value, TEXT_CHARACTERS_MAX)
    ? unreadable(place, `\`value\` is longer than ${TEXT_CHARACTERS_MAX} characters. Shorten it.`)
    : read(value);
}

function readNumber(value: unknown, place: string): Reading<number> {
  return typeof value === "number" && Number.isFinite(value)
    ? read(value)
    : unreadable(place, "`value` must be a number.");
}

function readScalar(value: unknown, place: string): Reading<Scalar> {
  if (typeof value === "string") return readString(value, place);
  if (typeof value === "boolean") return read(value);
  return typeof value === "number" && Number.isFinite(value)
    ? read(value)
    : unreadable(place, "`value` must be a string, a number, true or false.");
}

const READERS = { string: readString, number: readNumber, any: readScalar } as const;
