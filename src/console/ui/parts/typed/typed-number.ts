/**
 * Numbers as people type them, and as a field shows them: the one reader of the console. A number must never become
 * another one than its person means, so what could be read in two ways is no number.
 */

type DecimalMark = "." | ",";

/** The page is loaded again in another language. */
let mark: DecimalMark = ".";

/** Sets how numbers are written from now on. */
export function numbersAreWrittenWith(decimal: DecimalMark): void {
  mark = decimal;
}

/**
 * The decimal mark of a locale: of `en-DE` it is the comma, and a thousand is shown there as 1.000. In German it is the comma
 * everywhere, also in Switzerland: a point is read too.
 */
export const markOf = (locale: string): DecimalMark =>
  locale.startsWith("de") || new Intl.NumberFormat(locale).format(0.5).includes(",") ? "," : ".";

export const decimalMark = (): DecimalMark => mark;

const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  ".": /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i,
  // Where the comma is the decimal mark, many write a point all the same.
  ",": /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e[+-]?\d+)?$/i,
};

/** Where the comma is the decimal mark: a thousand and more to one reader, one and a fraction to another. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** @returns null if it is no number, or if it could be two */
export function readNumber(text: string): number | null {
  const typed = text.trim();
  if (!NUMBERS[mark].test(typed) || (mark === "," && UNCLEAR.test(typed))) return null;
  const number = Number(typed.replace(",", "."));
  return Number.isFinite(number) ? number : null;
}

/** As it would be typed. */
export const writeNumber = (number: number): string => String(number).replace(".", mark);
