/**
 * Free text in its stored form: trimmed, and without what a database or a mail cannot hold. NUL is removed
 * (SQLite's text functions stop at it). A lone surrogate becomes U+FFFD (it has no UTF-8 form, so it would
 * come back changed). All other characters stay; callers that need a single line check that themselves.
 * Storing a stored text again changes nothing.
 */
export function storedText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").trim();
}
