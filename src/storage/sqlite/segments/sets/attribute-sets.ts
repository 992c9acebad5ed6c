import { fold } from "#core/text/fold.ts";
import type { ValueTest } from "#segments/rule.ts";
import type { ContactBits } from "./contact-bits.ts";
import { isPlainInJson } from "./plain-json.ts";
import type { Population } from "./population.ts";
import { rememberedTest } from "./remembered-test.ts";
import { CANDIDATES, sweepRows, type Values } from "./sweep.ts";
import { textTestSql } from "./text-sql.ts";

/**
 * Contacts with an attribute that fits a test without negation. `contact_attributes` (alias `a`) has one row for
 * each contact that has any, and a second object, `folded`, with the texts that SQLite does not fold by itself.
 */
export function attributeSet(
  population: Population,
  name: string,
  test: ValueTest,
  among: ContactBits | null,
): ContactBits {
  if (test.op === "before" || test.op === "after" || test.op === "withinDays" || test.op === "notWithinDays")
    return datedSet(population, name, test, among);
  const fitting = valueSql(test);
  if (fitting === null) return population.nobody();
  const { isJsonAsked = false, where, values } = fitting;
  const rows = isJsonAsked ? rowsWithJson(among) : rowsOf("a.contact AS found", among);
  return population.sweepContacts(`${rows} AND ${where}`, { path: pathOf(name), ...values }, among);
}

/** Looking up a row costs hardly more than skipping it, so candidates are always looked up. */
const rowsOf = (columns: string, among: ContactBits | null): string =>
  among === null
    ? `SELECT ${columns} FROM contact_attributes AS a
       WHERE a.contact > $after AND a.contact <= $through AND a.workspace = $workspace`
    : `SELECT ${columns} FROM ${CANDIDATES} CROSS JOIN contact_attributes AS a ON a.contact = w.value
       WHERE a.workspace = $workspace`;
const TYPE = "json_type(a.attributes, $path)";
const RAW = "(a.attributes ->> $path)";
/** The value as it is written in JSON. */
const JSON_TEXT = "(a.attributes -> $path)";
const TEXT = "coalesce(a.folded ->> $path, lower(a.attributes ->> $path))";
/** Each element of a list, folded. */
const ELEMENTS =
  "json_each(iif(json_type(a.folded, $path) IS NULL, a.attributes, a.folded), $path) AS element";

/**
 * The rows with `json`, which is `JSON_TEXT` in lower case. It is used several times, but made only once per row:
 * LIMIT keeps SQLite from substituting it in each place.
 */
const rowsWithJson = (among: ContactBits | null): string => `SELECT a.contact AS found FROM
  (${rowsOf(`a.contact, a.attributes, a.folded, lower${JSON_TEXT} AS json`, among)} LIMIT -1) AS a
  WHERE TRUE`;

// Names are letters, digits and `_`.
const pathOf = (name: string): string => `$.${name}`;

/** `isJsonAsked`: it needs the rows with `json`. */
type ValueSql = { readonly isJsonAsked?: boolean; readonly where: string; readonly values: Values };

/** Null: no contact fits. The value is compared first: that is cheaper than checking its type, and few values pass. */
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
  if (text === null || isText === null) return null;
  if (folded === "") return { where: isText, values: { value: folded } };
  const isElement = `EXISTS (SELECT 1 FROM ${ELEMENTS} WHERE lower(element.value) = $value)`;
  if (!isPlainInJson(folded)) return { where: byType(text.where, isElement), values: { value: folded } };
  // Most lists need not be parsed: a quote inside an element is escaped, so only a whole element can follow a
  // bracket or a comma with its quote.
  const isThere = `(instr(a.json, '["' || $value || '"') > 0 OR instr(a.json, ',"' || $value || '"') > 0)`;
  const isListed = `iif(a.folded IS NULL, ${isThere}, ${isElement})`;
  const where = `(a.folded IS NOT NULL OR instr(a.json, $value) > 0)
    AND CASE substr(a.json, 1, 1) WHEN '"' THEN ${text.where} WHEN '[' THEN ${isListed} ELSE FALSE END`;
  return { isJsonAsked: true, where, values: { value: folded } };
}

const byType = (ofText: string, ofList: string): string =>
  `CASE ${TYPE} WHEN 'text' THEN ${ofText} WHEN 'array' THEN ${ofList} ELSE FALSE END`;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["equals", "="],
  ["greaterThan", ">"],
  ["lessThan", "<"],
]);

/** SQLite accepts other texts as dates than we do, so dates are read here. Many contacts have the same date. */
function datedSet(
  population: Population,
  name: string,
  test: ValueTest,
  among: ContactBits | null,
): ContactBits {
  const { sqlite, workspace, now } = population;
  const bits = population.nobody();
  const sql = rowsOf(`a.contact, coalesce(${JSON_TEXT}, 'null') AS value`, among);
  const isFitting = rememberedTest(test);
  const asked = among === null ? population.all : { among };
  const values = { workspace, path: pathOf(name) };
  sweepRows(sqlite, { sql, values, ...asked }, ["value"], (contact, [value = []], row) => {
    if (isFitting(value[row] ?? null, now)) bits.add(contact);
  });
  return bits;
}
