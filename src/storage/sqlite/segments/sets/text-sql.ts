import { searchTextOf } from "#storage/common/engine/search-text.ts";
import { textTestOf, type TextOp } from "#storage/common/segments/text-test.ts";
import { inStoredForm } from "#segments/stored-form.ts";
import type { TextField, ValueTest } from "#segments/rule.ts";

/** A test as SQL over a folded text, and the text to look for, `$value`. Null: no contact fits. */
type TextSql = { readonly where: string; readonly value: string } | null;

/**
 * Both names, folded, first name first, one per line: in `contacts.search` they come after the address
 * (storage/common/engine/search-text.ts). An address is ASCII, so its length in bytes is that of its line.
 */
const NAMES = "substr(c.search, octet_length(c.email) + 2)";
const BREAK = "char(10)";
const DOMAIN = "substr(c.email, instr(c.email, '@') + 1)";

/**
 * How a field is searched in `search`: the line breaks show where a name begins and ends, and no value contains
 * one. This is several times faster than cutting the names out.
 */
const SQL: Readonly<Record<Exclude<TextField, "status">, Readonly<Record<TextOp, string>>>> = {
  // Stored addresses are folded already.
  email: textOps("c.email"),
  domain: textOps(DOMAIN),
  firstName: {
    exists: "c.first_name <> ''",
    equals: `instr(${NAMES}, $value || ${BREAK}) = 1`,
    contains: `instr(${NAMES}, $value) BETWEEN 1 AND instr(${NAMES}, ${BREAK})`,
    startsWith: `instr(${NAMES}, $value) = 1`,
    endsWith: `instr(${NAMES}, $value || ${BREAK}) > 0`,
  },
  lastName: {
    exists: "c.last_name <> ''",
    equals: `substr(c.search, -length($value) - 1) = ${BREAK} || $value`,
    contains: `instr(substr(${NAMES}, instr(${NAMES}, ${BREAK})), $value) > 0`,
    startsWith: `instr(${NAMES}, ${BREAK} || $value) > 0`,
    endsWith: "substr(c.search, -length($value)) = $value",
  },
};

/** The contacts (alias `c`) whose field fits a test without negation (not `notEquals`, for example). */
export function textSql(field: keyof typeof SQL, test: ValueTest): TextSql {
  const text = asked(inStoredForm(field, test), SQL[field], searchTextOf);
  // A cheap first test, which all contacts that fit also pass.
  return text && { ...text, where: `instr(c.search, $value) > 0 AND ${text.where}` };
}

/** The same for any text that was folded by `folded`. An empty text counts as missing. */
export const textTestSql = (subject: string, test: ValueTest, folded: (text: string) => string): TextSql =>
  asked(test, textOps(subject), folded);

function textOps(subject: string): Readonly<Record<TextOp, string>> {
  return {
    exists: `${subject} <> ''`,
    equals: `${subject} = $value`,
    contains: `instr(${subject}, $value) > 0`,
    startsWith: `substr(${subject}, 1, length($value)) = $value`,
    endsWith: `substr(${subject}, -length($value)) = $value`,
  };
}

function asked(
  test: ValueTest,
  ops: Readonly<Record<TextOp, string>>,
  folded: (text: string) => string,
): TextSql {
  const text = textTestOf(test, folded);
  return text && { where: ops[text.op], value: text.value };
}
