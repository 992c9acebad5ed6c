import { fold } from "#core/fold.ts";
import type { Instant } from "#core/clock.ts";
import { DAY_MS } from "#core/time.ts";
import { withoutNot } from "#segments/contrary.ts";
import type { DateTest, Scalar, ValueTest } from "#segments/rule.ts";
import type { StatementValues } from "./statement-values.ts";
import { foldedTextSql } from "./text-sql.ts";

/**
 * A value in JSON, as SQL: null where it is missing. `folded`: the same with its texts folded as the database does not
 * fold them, which changes A to Z and nothing else; null where it folds them all by itself.
 */
export type JsonSql = { readonly value: string; readonly folded: string };

/** Whether a value in JSON fits a test, as `segments/value-test.ts` says. It is never null. */
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

/** The text in a value. */
const TEXT = "#>> '{}'";

const foldedOf = ({ value, folded }: JsonSql): string => `coalesce(${folded}, ${value})`;

function textSql(of: JsonSql, test: ValueTest, values: StatementValues): string {
  const text = `lower((${foldedOf(of)} ${TEXT}) COLLATE "C")`;
  return `(jsonb_typeof(${of.value}) = 'string' AND ${of.value} <> '""' AND ${foldedTextSql(text, test, fold, values)})`;
}

/** A piece of a text; of a list, one whole element. */
function containsSql(of: JsonSql, wanted: Scalar, values: StatementValues): string {
  const element = { value: "element.value", folded: "NULL::jsonb" };
  const isElement = `EXISTS (SELECT FROM jsonb_array_elements(${foldedOf(of)}) AS element
    WHERE ${equalsSql(element, wanted, values)})`;
  const isText =
    typeof wanted === "string" ? textSql(of, { op: "contains", value: wanted }, values) : "false";
  return `CASE jsonb_typeof(${of.value}) WHEN 'array' THEN ${isElement} WHEN 'string' THEN ${isText} END`;
}

function datedSql({ value }: JsonSql, test: DateTest, now: Instant, values: StatementValues): string {
  return `jsonb_typeof(${value}) = 'string' AND ${instantSql(`instant_of(${value} ${TEXT})`, test, now, values)}`;
}

/** Whether an instant, as SQL, fits a test; null where there is none. */
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

/** Whether an instant, as SQL, lies in the last `days`, both ends included. */
export const withinSql = (at: string, days: number, now: Instant, values: StatementValues): string =>
  // Days may be fractions. An instant is a whole number, so it lies behind the next one.
  `${at} BETWEEN ${values.add(Math.ceil(now - days * DAY_MS), "int8")} AND ${values.add(now, "int8")}`;
