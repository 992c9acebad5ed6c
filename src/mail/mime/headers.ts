import type { Instant } from "#core/time/clock.ts";
import { encodedWords } from "./encoded-word.ts";

/** RFC 5322, 2.1.1: lines should not be longer. */
const LINE_WANTED = 78;
/** RFC 2047, 2: lines with encoded words must not be longer. */
const ENCODED_LINE_MAX = 76;
/** Room for an encoded word of any one character. */
const ENCODED_WORD_MIN = 24;
const FOLD = "\r\n ";
const PLAIN_WORD_MAX = 60;

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * A header field whose value is ASCII and complete. It is folded after the colon if it would be too long. The
 * caller guarantees that the value is safe.
 */
export function field(name: string, value: string): string {
  const isLong = name.length + 2 + value.length > LINE_WANTED;
  return `${name}:${isLong ? FOLD : " "}${value}\r\n`;
}

/**
 * A header field of free text (Subject). Plain short text stays as it is, folded at spaces; other text
 * becomes encoded words. It begins on the line after the name if it does not fit behind it.
 */
export function textField(name: string, text: string): string {
  const value = oneLine(text);
  if (isPlain(value) && name.length + 2 + value.length <= LINE_WANTED) return `${name}: ${value}\r\n`;
  const words = value.split(" ");
  if (isPlain(value) && words.every((word) => word !== "" && word.length <= PLAIN_WORD_MAX))
    return `${fold(`${name}:`, words)}\r\n`;
  const room = ENCODED_LINE_MAX - name.length - 2;
  const isRoomy = room >= ENCODED_WORD_MIN;
  const encoded = encodedWords(value, isRoomy ? room : ENCODED_LINE_MAX - 1).join(FOLD);
  return `${name}:${isRoomy ? " " : FOLD}${encoded}\r\n`;
}

/**
 * A header field with a display name and, in angle brackets, the value it names (From, Reply-To, List-Id).
 * The name is quoted or encoded where needed. A name with an `@` becomes an encoded word, since receivers
 * distrust names that look like addresses.
 */
export function namedField(name: string, displayName: string, bracketed: string): string {
  const shown = oneLine(displayName.replace(/\s*[@\uff20\ufe6b]\s*/g, " at "));
  if (shown === "") return field(name, `<${bracketed}>`);
  const phrase = writePhrase(shown, ENCODED_LINE_MAX - name.length - 2);
  const start = `${name}: ${phrase}`;
  const lastLine = start.slice(start.lastIndexOf("\n") + 1);
  const isLong = lastLine.length + bracketed.length + 3 > LINE_WANTED;
  return `${start}${isLong ? FOLD : " "}<${bracketed}>\r\n`;
}

/**
 * `Sat, 21 Nov 2026 05:37:09 +0000` (RFC 5322, 3.3). The last result is cached: hundreds of messages go out in the
 * same second.
 */
export function formatDate(at: Instant): string {
  const second = Math.floor(at / 1_000);
  if (second !== lastDate.second)
    lastDate = { second, text: new Date(at).toUTCString().replace("GMT", "+0000") };
  return lastDate.text;
}

let lastDate = { second: Number.NaN, text: "" };

/**
 * Free text on one line: a header cannot hold control characters, line and paragraph separators, or broken
 * surrogates.
 */
export function oneLine(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim();
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

function writePhrase(text: string, firstRoom: number): string {
  if (isPlain(text) && text.length <= PLAIN_WORD_MAX) {
    return ATOMS.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
  }
  return encodedWords(text, firstRoom).join(FOLD);
}

/** Text that looks like an encoded word must be encoded, or a mail reader would decode it. */
function isPlain(text: string): boolean {
  return PRINTABLE_ASCII.test(text) && !text.includes("=?");
}

/** The words behind a field's name and its colon, on as many lines as they need. */
function fold(start: string, words: readonly string[]): string {
  let folded = start;
  let column = start.length;
  for (const word of words) {
    const isNew = column + 1 + word.length > LINE_WANTED;
    folded += `${isNew ? FOLD : " "}${word}`;
    column = (isNew ? 1 : column + 1) + word.length;
  }
  return folded;
}
