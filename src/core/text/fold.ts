/** ASCII without NUL: folding changes nothing in such a text but the case. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\x01-\x7f]*$/;

/**
 * No language writes more than 30 combining marks after one letter (UAX #15, "Stream-Safe Text Format").
 * Normalizing sorts the marks of a letter, in quadratic time: the others are left out. At the end too,
 * because some marks become two.
 */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu;

/**
 * The form in which texts are compared without case: `É` finds `é`, `STRASSE` finds `Straße`, `ΣΊΣΥΦΟΣ` finds
 * `Σίσυφος`.
 *
 * Store `fold(text)` and search it for `fold(query)`. The result is well-formed (a lone surrogate becomes
 * U+FFFD), in NFC, and without NUL (SQLite's text functions stop at NUL). Folding twice changes nothing. A
 * part of a text folds to a part of the folded text, unless the cut separates a letter from its combining
 * mark.
 *
 * JavaScript has no case folding. Lower case, upper case and lower case again gives Unicode's full folding: ẞ
 * needs the first step, ß the second. Two rules are simpler than in Unicode, so that a search finds more: a
 * final ς always becomes σ, and every Turkish i (İ, ı) becomes i.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .toWellFormed()
    .replaceAll("\0", "")
    .replace(MARKS_TOO_MANY, "$1")
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/i\u0307+/g, "i")
    .normalize("NFC")
    .replace(MARKS_TOO_MANY, "$1");
}

/** Folds each text once, where the same texts are compared again and again: a long one takes a while. */
export function foldingOnce(): typeof fold {
  const folded = new Map<string, string>();
  return (text) => {
    const known = folded.get(text) ?? fold(text);
    folded.set(text, known);
    return known;
  };
}
