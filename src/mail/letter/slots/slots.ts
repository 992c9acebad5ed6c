/**
 * A slot is a place in a text that each message fills in. While the surrounding text is processed, a mark
 * stands for the slot: characters of a private use area, which pass every step like a word of a given length.
 *
 * The numbers of the slots: first the recipient's tokens, in the order of `TOKEN_NAMES`; then the padding
 * that makes a short page long enough for its pixel (`footer.ts`); then the values of the template.
 */
import { TOKEN_NAMES } from "./recipient-tokens.ts";

const FIRST = 0xe100;
const LAST = 0xf7ff;
const [BEGIN, FILL, END] = ["\uE000", "\uE002", "\uE001"];
const MARK = /\uE000[\uE100-\uF7FF]\uE002*\uE001/g;

/** The first slot after the tokens. From here on, texts may have any length; all tokens have the same length. */
export const PADDING = TOKEN_NAMES.length;
export const FIRST_VALUE = PADDING + 1;
export const VALUES_MAX = LAST - FIRST - FIRST_VALUE;

/** Static text, or the number of a slot. */
export type Segment = string | number;

/** A mark of `length` characters, or of three if that is less. */
export const slotMark = (slot: number, length: number): string =>
  `${BEGIN}${String.fromCharCode(FIRST + slot)}${FILL.repeat(Math.max(0, length - 3))}${END}`;

/** Whether a text contains no character of a mark. */
export const isFreeOfMarks = (text: string): boolean => !/[\uE000-\uF7FF]/.test(text);

/** A text, cut at its marks. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let copied = 0;
  for (const match of text.matchAll(MARK)) {
    segments.push(text.slice(copied, match.index), match[0].charCodeAt(1) - FIRST);
    copied = match.index + match[0].length;
  }
  segments.push(text.slice(copied));
  return segments.filter((segment) => segment !== "");
}

export function joinSegments(segments: readonly Segment[], valueOf: (slot: number) => string): string {
  let text = "";
  for (const segment of segments) text += typeof segment === "string" ? segment : valueOf(segment);
  return text;
}
