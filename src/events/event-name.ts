import { codePoints } from "#core/text/text.ts";
import { withoutMarks } from "#core/text/without-marks.ts";

const NAME_CHARACTERS_MAX = 64;
/**
 * Characters beyond this limit could become part of a name only if nearly all characters before them are not
 * letters. Decomposing more would take too long. A character may become eighteen, and all of them are read again
 * and again: so the limit holds once more behind that.
 */
const READ_CHARACTERS_MAX = 4_096;

/** A name that is in its stored form already, as most names from programs are. */
const NORMALIZED = /^(?=.{1,64}$)[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** The start of a word inside camel case: `order|Placed`, `step2|Done`, `HTTP|Request`. */
const WORD_START = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?=\p{Lu}\p{Ll})/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]+/gu;
const OUTER_UNDERSCORES = /^_|_$/g;

/**
 * The stored form of an event name: lower-case snake_case, at most 64 characters, so that different spellings
 * of the same words give one name (docs/contract.md "Events"; docs/decisions.md "Events"). Letters and digits
 * of every script stay, without their combining marks, in compatibility-decomposed form (Hangul as jamo).
 * `""` if nothing is left. Normalizing a normalized name changes nothing.
 */
export function normalizeEventName(text: string): string {
  if (NORMALIZED.test(text)) return text;
  const words = withoutMarks(text.trim().slice(0, READ_CHARACTERS_MAX).toWellFormed())
    .slice(0, READ_CHARACTERS_MAX)
    .replace(WORD_START, "_")
    .toLowerCase()
    .replace(NEITHER_LETTER_NOR_DIGIT, "_")
    .replace(OUTER_UNDERSCORES, "");
  return codePoints(words) <= NAME_CHARACTERS_MAX
    ? words
    : firstCharacters(words).replace(OUTER_UNDERSCORES, "");
}

/** A code point is at most two UTF-16 units, so the rest of a long text can be cut off first. */
function firstCharacters(text: string): string {
  return Array.from(text.slice(0, 2 * NAME_CHARACTERS_MAX))
    .slice(0, NAME_CHARACTERS_MAX)
    .join("");
}
