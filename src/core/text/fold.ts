/** ASCII without NUL: folding changes nothing in such a text but the case. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\x01-\x7f]*$/;

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
    .normalize("NFC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/i\u0307+/g, "i")
    .normalize("NFC");
}
