/**
 * The time to read JSON depends on its structure, not on its length: a body of nothing but
 * brackets takes very long to parse, and very much memory. So the brackets are counted first, which is quick
 * for the largest body too (docs/performance.md "How fast, how big": `prove stalls`).
 */
import { invalid, accept, type Result } from "#core/errors/errors.ts";

const DEPTH_MAX = 100;
const CONTAINERS_MAX = 10_000;
const MEMBERS_MAX = 10_000;
const VALUES_MAX = 100_000;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that would take too long to read: nested more than 100 deep, more than 10,000 objects and
 * arrays, more than 10,000 members of objects, or more than 100,000 values. Text that is not JSON is left to
 * the parser.
 */
export function checkJsonWeight(text: string): Result<string> {
  let [depth, containers, members, values] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COMMA) {
      if (++values >= VALUES_MAX) return tooMuch(`more than ${VALUES_MAX} values`);
    } else if (character === COLON) {
      if (++members > MEMBERS_MAX) return tooMuch(`objects with more than ${MEMBERS_MAX} members`);
    } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
      if (++containers > CONTAINERS_MAX) return tooMuch(`more than ${CONTAINERS_MAX} objects and arrays`);
      if (++depth > DEPTH_MAX) return tooMuch(`something nested more than ${DEPTH_MAX} levels deep`);
    } else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) depth--;
  }
  return accept(text);
}

const tooMuch = (what: string) => invalid(`The body has ${what}. Send less at once.`);

/** The end of the JSON string that begins at `start`, or of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length;
}

/** Whether a character inside a JSON string has a backslash that belongs to it. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
