import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { withoutNot } from "#segments/contrary.ts";
import type { TextField, ValueTest } from "#segments/rule.ts";
import { inStoredForm } from "#segments/stored-form.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import { textTestOf, type TextOp } from "#storage/common/segments/text-test.ts";
import { patternOf } from "#storage/postgres/search/contains.ts";
import type { StatementValues } from "./statement-values.ts";

/** A text of a contact, folded. The names are lines of its search text (storage/common/engine/search-text.ts). */
const FOLDED = {
  // Stored addresses are folded already.
  email: "c.email",
  domain: "substr(c.email, strpos(c.email, '@') + 1)",
  firstName: "split_part(c.search, E'\\n', 2)",
  lastName: "split_part(c.search, E'\\n', 3)",
} as const;

/** How each operation compares a folded text with a folded value. */
const OPS: Readonly<Record<TextOp, (text: string, value: string) => string>> = {
  exists: (text) => `${text} <> ''`,
  equals: (text, value) => `${text} = ${value}`,
  contains: (text, value) => `strpos(${text}, ${value}) > 0`,
  startsWith: (text, value) => `starts_with(${text}, ${value})`,
  endsWith: (text, value) => `right(${text}, length(${value})) = ${value}`,
};

/** Whether a text of the contact `c` fits a test. */
export function contactTextSql(field: TextField, given: ValueTest, values: StatementValues): string {
  const { test, isContrary } = withoutNot(given);
  const where = field === "status" ? statusSql(test, values) : fieldSql(field, test, values);
  return isContrary ? `NOT (${where})` : where;
}

function statusSql(test: ValueTest, values: StatementValues): string {
  const status = CONTACT_STATUSES.find((each) => "value" in test && each === test.value);
  return status === undefined ? "false" : `c.status = ${values.add(status, "text")}`;
}

function fieldSql(field: keyof typeof FOLDED, test: ValueTest, values: StatementValues): string {
  const asked = textTestOf(inStoredForm(field, test), searchTextOf);
  if (asked === null) return "false";
  const where = askedSql(FOLDED[field], asked, values);
  if (asked.value.length < INDEXED_MIN) return where;
  // Every contact that fits has the value in its search text too, which has an index.
  return `c.search LIKE ${values.add(patternOf(asked.value), "text")} AND ${where}`;
}

/** The index has sequences of three characters. */
const INDEXED_MIN = 3;

/** Whether a folded text, as SQL, fits a test without negation. @param folded how the value to look for is folded */
export function foldedTextSql(
  text: string,
  test: ValueTest,
  folded: (value: string) => string,
  values: StatementValues,
): string {
  const asked = textTestOf(test, folded);
  return asked === null ? "false" : askedSql(text, asked, values);
}

// A statement may not have values that it does not use.
const askedSql = (
  text: string,
  { op, value }: { readonly op: TextOp; readonly value: string },
  values: StatementValues,
): string => OPS[op](text, op === "exists" ? "" : values.add(value, "text"));
