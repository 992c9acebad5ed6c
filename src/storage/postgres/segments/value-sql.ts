import { fold } from "#core/text/fold.ts";
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import { withoutNot } from "#segments/contrary.ts";
import type { DateTest, Scalar, ValueTest } from "#segments/rule.ts";
import { inRangeSql, instantRange, mayBeInRangeSql } from "./dated-text-sql.ts";
import type { StatementValues } from "./statement-values.ts";
import { foldedTextSql } from "./text-sql.ts";

/**
 * A value in JSON, as SQL (null if it is missing), and its text. `folded`: the same with its texts folded, if the
 * database does not do that itself, because it only changes A to Z; otherwise null.
 */
export type JsonSql = JsonPlace & { readonly folded: JsonPlace };
type JsonPlace = { readonly value: string; readonly text: string };

/** Whether a value in JSON fits a test, as `segments/value-test.ts` says. Never null. */
export function jsonValueSql(of: JsonSql, given: ValueTest, now: Instant, values: StatementValues): string {
  const { test, isContrary } = withoutNot(given);
  const where = `coalesce(${positiveSql(of, test, now, values)}, false)`;
  return isContrary ? `NOT ${where}` : where;
}

function positiveSql(of: JsonSql, test: ValueTest, now: Instant, values: StatementValues): string {
  switch (test.op) {
    case "exists":
      return `${of.value} NOT IN ('null', '""')`;
    case "before":
    case "after":
    case "withinDays":
    case "notWithinDays":
      return datedSql(of, test, now, values);
    case "greaterThan":
    case "lessThan":
      return numberSql(of, SIGNS[test.op], test.value, values);
    case "startsWith":
    case "endsWith":
      return textSql(of, test, values);
    case "equals":
      return equalsSql(of, test.value, values);
    case "contains":
      return containsSql(of, test.value, values);
    case "notEquals":
    case "notContains":
    case "notExists":
      throw new Error(`Fault in Postrider: \`${test.op}\` is asked as its contrary.`);
  }
}

const SIGNS = { greaterThan: ">", lessThan: "<" } as const;

const numberSql = ({ value }: JsonSql, sign: ">" | "<", wanted: number, values: StatementValues): string =>
  `jsonb_typeof(${value}) = 'number' AND ${value} ${sign} ${jsonOf(wanted, values)}`;

const jsonOf = (scalar: Scalar, values: StatementValues): string =>
  `${values.add(JSON.stringify(scalar), "text")}::jsonb`;

function equalsSql(of: JsonSql, wanted: Scalar, values: StatementValues): string {
  if (typeof wanted === "string") return textSql(of, { op: "equals", value: wanted }, values);
  return `${of.value} = ${jsonOf(wanted, values)}`;
}

/** Few texts fit, so the text is checked first. */
function textSql({ value, text, folded }: JsonSql, test: ValueTest, values: StatementValues): string {
  const foldedText = `lower(coalesce(${folded.text}, ${text}) COLLATE "C")`;
  return `(${foldedTextSql(foldedText, test, fold, values)} AND jsonb_typeof(${value}) = 'string')`;
}

/** A part of a text; for a list, one whole element. */
function containsSql(of: JsonSql, wanted: Scalar, values: StatementValues): string {
  if (typeof wanted !== "string")
    return `jsonb_typeof(${of.value}) = 'array' AND ${of.value} @> ${jsonOf(wanted, values)}`;
  const isText = textSql(of, { op: "contains", value: wanted }, values);
  return `CASE jsonb_typeof(${of.value}) WHEN 'string' THEN ${isText} WHEN 'array' THEN ${elementSql(of, wanted, values)} END`;
}

/** An element is in the list's JSON as JSON writes it, so most lists need no second look. */
function elementSql({ value, folded }: JsonSql, wanted: string, values: StatementValues): string {
  const element = fold(wanted);
  if (element === "") return "false";
  const list = `lower(coalesce(${folded.value}, ${value})::text COLLATE "C")`;
  return `(strpos(${list}, ${values.add(JSON.stringify(element), "text")}) > 0
    AND ${list}::jsonb ? ${values.add(element, "text")})`;
}

function datedSql({ value, text }: JsonSql, test: DateTest, now: Instant, values: StatementValues): string {
  const isText = `jsonb_typeof(${value}) = 'string'`;
  const range = instantRange(test, now);
  const isInRange = (asked: DateTest): string =>
    inRangeSql(text, range, instantSql(`instant_of(${text})`, asked, now, values), values);
  if (test.op === "notWithinDays") return `${isText} AND NOT ${isInRange({ ...test, op: "withinDays" })}`;
  return `${mayBeInRangeSql(text, range, values)} AND ${isText} AND ${isInRange(test)}`;
}

/** Whether an instant, as SQL, fits a test; null if there is none. */
export function instantSql(at: string, test: DateTest, now: Instant, values: StatementValues): string {
  switch (test.op) {
    case "before":
      return `${at} < ${values.add(test.at, "int8")}`;
    case "after":
      return `${at} > ${values.add(test.at, "int8")}`;
    case "withinDays":
      return withinSql(at, test.days, now, values);
    case "notWithinDays":
      return `NOT (${withinSql(at, test.days, now, values)})`;
  }
}

/** Whether an instant, as SQL, is in the last `days`, including both ends. */
export const withinSql = (at: string, days: number, now: Instant, values: StatementValues): string =>
  // Days may be fractions. An instant is a whole number, so it counts from the next one on.
  `${at} BETWEEN ${values.add(Math.ceil(now - days * DAY_MS), "int8")} AND ${values.add(now, "int8")}`;
