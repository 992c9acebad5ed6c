/** ASCII without NUL: of all that follows only the case changes anything. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\x01-\x7f]*$/;

/**
 * The form in which texts are compared without case: `É` finds `é`, `STRASSE` finds `Straße`, `ΣΊΣΥΦΟΣ` finds `Σίσυφος`.
 *
 * Store `fold(text)` and look for `fold(query)` in it. Well-formed (a lone surrogate becomes U+FFFD), NFC, free of NUL (SQLite's text
 * functions stop there), and folding twice changes nothing. What is part of a text folds to part of its folded form, except where
 * the cut falls between a letter and its combining mark.
 *
 * JavaScript has no case folding of its own: lower, upper and lower again gives Unicode's full folding (ẞ needs the first step, ß the
 * second), with two things made simpler than Unicode has them, so that a search finds more: a final ς is σ wherever it stands, and
 * every Turkish i (İ, ı) is i.
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
