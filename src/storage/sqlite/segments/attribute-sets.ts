import { fold } from "#core/fold.ts";
import type { ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";
import type { ContactBits } from "./contact-bits.ts";
import { isPlainInJson } from "./plain-json.ts";
import type { Population } from "./population.ts";
import { sweepPairs, type Values } from "./sweep.ts";
import { textTestSql } from "./text-sql.ts";

/**
 * Contacts with an attribute that fits a test that is no contrary. `contact_attributes` (alias `a`) has one
 * row for each contact that has any, and a second object, `folded`, of the texts that SQLite does not fold by
 * itself.
 */
export function attributeSet(population: Population, name: string, test: ValueTest): ContactBits {
  if (test.op === "before" || test.op === "after" || test.op === "withinDays" || test.op === "notWithinDays")
    return datedSet(population, name, test);
  const fitting = valueSql(test);
  if (fitting === null) return population.nobody();
  return population.sweepContacts(`${ROWS} AND ${fitting.where}`.replace("FOUND", "a.contact"), {
    path: pathOf(name),
    ...fitting.values,
  });
}

const ROWS = `SELECT FOUND AS found FROM contact_attributes AS a
  WHERE a.contact > $after AND a.contact <= $through AND a.workspace = $workspace`;
const TYPE = "json_type(a.attributes, $path)";
const RAW = "(a.attributes ->> $path)";
const TEXT = "coalesce(a.folded ->> $path, lower(a.attributes ->> $path))";
/** Each element of a list, folded. */
const ELEMENTS =
  "json_each(iif(json_type(a.folded, $path) IS NULL, a.attributes, a.folded), $path) AS element";

// Names are letters, digits and `_`.
const pathOf = (name: string): string => `$.${name}`;

type ValueSql = { readonly where: string; readonly values: Values };

/** Null: nobody fits. What is compared comes first: it is cheaper than the type, and few pass it. */
function valueSql(test: ValueTest): ValueSql | null {
  if (test.op === "exists") return { where: `${RAW} <> ''`, values: {} };
  if (!("value" in test)) throw new Error(`Fault in Postrider: \`${test.op}\` is asked as its contrary.`);
  const { op, value } = test;
  if (typeof value === "boolean")
    return op === "equals" ? { where: `${TYPE} = '${value}'`, values: {} } : null;
  if (typeof value === "number") {
    const sign = SIGNS.get(op);
    const where = `${RAW} ${sign} $value AND ${TYPE} IN ('integer', 'real')`;
    return sign === undefined ? null : { where, values: { value } };
  }
  const text = textTestSql(TEXT, test, fold);
  const isText = text && `(${text.where} AND ${TYPE} = 'text')`;
  if (op !== "contains")
    return isText === null ? null : { where: isText, values: { value: text?.value ?? "" } };
  const folded = fold(value);
  if (isText === null) return null;
  if (folded === "") return { where: isText, values: { value: folded } };
  const isElement = `(${TYPE} = 'array' AND EXISTS (SELECT 1 FROM ${ELEMENTS} WHERE lower(element.value) = $value))`;
  // What stands in JSON as it is has to be somewhere in it: few pass that, and only for them the list is
  // opened.
  const likely = isPlainInJson(folded)
    ? `(a.folded IS NOT NULL OR instr(lower(${RAW}), $value) > 0) AND `
    : "";
  return { where: `${likely}(${isText} OR ${isElement})`, values: { value: folded } };
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["equals", "="],
  ["greaterThan", ">"],
  ["lessThan", "<"],
]);

/** SQLite takes more for a date than we do, and less: dates are read here. Many contacts have the same. */
function datedSet(population: Population, name: string, test: ValueTest): ContactBits {
  const { sqlite, workspace, now, newest } = population;
  const bits = population.nobody();
  const sql = ROWS.replace("FOUND", "a.contact || ',' || (a.attributes -> $path)");
  const known = new Map<string, boolean>();
  const isFitting = (text: string): boolean => {
    const fitting = known.get(text) ?? fits(text, test, now);
    if (known.size < KNOWN_MAX) known.set(text, fitting);
    return fitting;
  };
  const values = { workspace, path: pathOf(name) };
  sweepPairs(sqlite, { sql, values, after: 0, through: newest }, (contact, value) => {
    if (typeof value === "string" && isFitting(value)) bits.add(contact);
  });
  return bits;
}

const KNOWN_MAX = 10_000;
