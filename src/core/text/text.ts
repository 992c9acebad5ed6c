import { printable } from "./printable.ts";

const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** The length that the contract means by "characters": Unicode code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count--;
  }
  return count;
}

/**
 * Whether a text has more than this many characters. Does not walk through a text that is certainly too long.
 */
export const isLongerThan = (text: string, characters: number): boolean =>
  text.length > 2 * characters || (text.length > characters && codePoints(text) > characters);

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * True for C0, DEL, C1 and the two Unicode line separators: characters that must not stand in a mail header
 * or a log line.
 */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

/** Signs of Unicode that are never seen: they come along when a text is copied from a page, a mail or a spreadsheet. */
const UNSEEN = /\p{Cf}/u;
const BLANK_OR_UNSEEN = /[\s\p{Cf}]/u;

export const hasUnseenSign = (text: string): boolean => UNSEEN.test(text);

/** As `trim`, and without the signs around it that nobody sees. */
export function trimUnseen(text: string): string {
  const isOuter = (place: number): boolean => BLANK_OR_UNSEEN.test(text.charAt(place));
  let [from, to] = [0, text.length];
  while (from < to && isOuter(from)) from++;
  while (to > from && isOuter(to - 1)) to--;
  return text.slice(from, to);
}

/** "1 contact", "0 contacts", "12 contacts". */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const QUOTED_MAX = 40;

/** A person's own text, to quote in a message to them: in quotes, shortened, and always on one line. */
export function quoted(text: string): string {
  const start = Array.from(text.slice(0, 2 * QUOTED_MAX))
    .slice(0, QUOTED_MAX)
    .join("")
    .toWellFormed();
  const shown = Array.from(start, (char) => (printable(char) === char ? char : "\uFFFD")).join("");
  return `"${shown}${start.length < text.length ? "…" : ""}"`;
}

const QUOTED_COUNT_MAX = 20;

/** Quotes several texts; only the first ones if there are many. */
export function quotedSome(texts: readonly string[]): string {
  const more = texts.length - QUOTED_COUNT_MAX;
  const shown = texts.slice(0, QUOTED_COUNT_MAX).map(quoted).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
