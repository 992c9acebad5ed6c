/** How tools, databases and spreadsheets write dates and times. */
import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { isoOf } from "#core/time/iso.ts";

/** In which order day, month and year stand. */
export type DateOrder = "ymd" | "dmy" | "mdy";

const DATE = /^\d{4}-\d\d-\d\d$/;
/**
 * `2024-03-14 09:12:31`, also with dots or with `PM`. Go and Ruby write `+0000 UTC` behind it, PostgreSQL `+00`. A name of
 * a zone says too little alone.
 */
const SPACED =
  /^(\d{4}-\d\d-\d\d) (\d\d?)[:.](\d\d)(?:[:.](\d\d(?:\.\d+)?))?(?:\s?([AP])\.?\s?M\.?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?: [A-Z]{1,5})?))?$/i;

/** An ISO date, or a date and a time with `T` or a blank between them. In UTC unless it says otherwise; null: it is neither. */
const parseWrittenTime = (text: string): Instant | null =>
  parseDateTime(DATE.test(text) ? `${text}T00:00Z` : asIso(text));

function asIso(text: string): string {
  const [, date, hour = "", minute = "", second = "00", half, zone = "Z"] = SPACED.exec(text) ?? [];
  if (date === undefined) return text;
  const offset = /^[+-][\d:]+/.exec(zone)?.[0] ?? "Z";
  return `${date}T${hourOf(hour.padStart(2, "0"), half)}:${minute}:${second}${offset}`;
}

/** The hour of the day. With AM or PM there is none but 1 to 12: another one makes no date. */
function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined) return hour;
  const number = Number(hour);
  if (number < 1 || number > 12) return "no hour";
  return String((number % 12) + (half.toUpperCase() === "P" ? 12 : 0)).padStart(2, "0");
}

/**
 * Dots say that the day is first: nobody writes them behind a month. From Prague to Seoul a blank follows them, and
 * another dot ends the date; in Bulgaria that is `г.`
 */
const SHAPES: Readonly<Record<DateOrder, RegExp>> = {
  ymd: /^(?<year>\d{4})(?<sign>[-/]|\. ?)(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})\.?(?<time>(?:(?:T|,? ).*)?)$/s,
  dmy: /^(?<day>\d{1,2})(?<sign>[-/]|\. ?)(?<month>\d{1,2})\k<sign>(?<year>\d{4})(?:\.| ?г\.)?(?<time>(?:,? .*)?)$/s,
  mdy: /^(?<month>\d{1,2})(?<sign>[-/])(?<day>\d{1,2})\k<sign>(?<year>\d{4})(?<time>(?:,? .*)?)$/s,
};

/**
 * A date in this order, with or without a time, in ISO 8601: `2026-12-31`, also where the time is midnight, as databases
 * write dates; else in UTC, `2026-12-31T09:30:00.000Z`. Years have four digits. Null: it is none.
 */
export function parseWrittenDate(text: string, order: DateOrder): string | null {
  const { year, month = "", day = "", time = "" } = SHAPES[order].exec(text)?.groups ?? {};
  if (year === undefined) return null;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = parseWrittenTime(date + time.replace(/^,/, ""));
  return at === null ? null : isoOf(at).replace(MIDNIGHT, "");
}

const MIDNIGHT = "T00:00:00.000Z";

/** The order that a date with dots has, whatever stands in its column: nobody writes them behind a month. */
const DOTTED = /^\d{1,2}\. ?\d{1,2}\. ?\d{4}/;

/** The same as a moment, and in whatever order dates with dots have. */
export function parseWrittenMoment(text: string, order: DateOrder): Instant | null {
  const date = parseWrittenDate(text, DOTTED.test(text) ? "dmy" : order);
  return parseWrittenTime(date ?? text);
}
