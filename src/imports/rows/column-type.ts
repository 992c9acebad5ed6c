/**
 * What the values of a column are kept as, where it becomes an attribute. Conditions compare numbers and dates only as
 * such, and a file has nothing but text.
 */
import type { AttributeValue } from "#attributes/attribute.ts";
import { parseYesOrNo } from "./standing/standing-cells.ts";
import { parseWrittenDate, type DateOrder } from "./written-date.ts";

/** `number-comma` has a comma before the decimals; `dmy` and `mdy` are the order of day, month and year. */
export const COLUMN_TYPES = [
  "text",
  "number",
  "number-comma",
  "boolean",
  "date",
  "date-dmy",
  "date-mdy",
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];
type Reader = (text: string) => AttributeValue | null;

/** No number, date, yes or no is longer. */
const READ_CHARACTERS_MAX = 60;
/** A number keeps so many digits; the number of an account may have more. */
const DIGITS_MAX = 15;

/** As spreadsheets write them in the countries that have no sign of their own. */
const WORDS = String.raw`zł|Kč|kr\.?|Ft|lei|лв\.?|грн\.?|руб\.?|S?Fr\.?|Rs\.?|Rp\.?|RM`;
const CODES = Intl.supportedValuesOf("currency").join("|");
/** Dollars of a country have letters before the sign: `US$`, `R$`. */
const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|${CODES}|${WORDS})`;

/** In India all digits but the last three stand in twos. */
const LAKHS = String.raw`[1-9]\d?(?:,\d\d)+,\d{3}`;

/** One that begins with 0 is a code, such as a postcode: as a number it would lose it. */
function numberReader(decimals: string, groups: string, others: string): Reader {
  const whole = String.raw`0|[1-9]\d{0,2}(?:(?<group>[${groups}'’ \u00A0\u202F])\d{3}(?:\k<group>\d{3})*)?|[1-9]\d*${others}`;
  const shape = new RegExp(
    String.raw`^(?<sign>[-−]?(?:${CURRENCY}\s?)?[-−]?)(?<whole>${whole})(?:${decimals}(?<part>\d+))?(?:\s?${CURRENCY})?$`,
    "u",
  );
  return (text) => {
    const { sign = "", whole: before = "", part = "" } = shape.exec(text)?.groups ?? {};
    const digits = before.replaceAll(/\D/g, "");
    const minuses = sign.match(/[-−]/g)?.length ?? 0;
    if (digits === "" || digits.length > DIGITS_MAX || minuses > 1) return null;
    const size = Number(`${digits}.${part}`);
    return minuses === 0 || size === 0 ? size : -size;
  };
}

const READERS: Readonly<Record<Exclude<ColumnType, "text">, Reader>> = {
  number: numberReader(String.raw`\.`, ",", `|${LAKHS}`),
  "number-comma": numberReader(",", ".", ""),
  boolean: parseYesOrNo,
  date: (text) => parseWrittenDate(text, "ymd"),
  "date-dmy": (text) => parseWrittenDate(text, "dmy"),
  "date-mdy": (text) => parseWrittenDate(text, "mdy"),
};

const ORDERS: Readonly<Partial<Record<ColumnType, DateOrder>>> = { "date-dmy": "dmy", "date-mdy": "mdy" };

/** The order of day, month and year in a column, as its type says it. The types are by header. */
export const orderIn = (types: Readonly<Record<string, ColumnType>>, header: string): DateOrder =>
  (Object.hasOwn(types, header) ? ORDERS[types[header] ?? "text"] : undefined) ?? "ymd";

const UNFIT: Readonly<Record<ColumnType, string>> = {
  text: "no text",
  number: "no number such as 1,234.50",
  "number-comma": "no number such as 1.234,50",
  boolean: "neither yes nor no",
  date: "no date such as 2026-12-31",
  "date-dmy": "no date such as 31.12.2026",
  "date-mdy": "no date such as 12/31/2026",
};
/** What a cell is not, in words: `no number such as 1,234.50`. */
export const unfitFor = (type: ColumnType): string => UNFIT[type];

/** A cell as a value of this type; null: it is none. Dates become ISO 8601, as conditions read them. */
export function typedCell(type: ColumnType, cell: string): AttributeValue | null {
  if (type === "text") return cell;
  const text = cell.trim();
  return text.length > READ_CHARACTERS_MAX ? null : READERS[type](text);
}
