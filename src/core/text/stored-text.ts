/**
 * Free text in its stored form: trimmed, and without what a database or a mail cannot hold
 * (`storableText`). Callers that need a single line check that themselves. Storing a stored text again
 * changes nothing.
 */
export function storedText(text: string): string {
  return storableText(text).trim();
}

/**
 * A text as it can be stored: NUL is removed (SQLite's text functions stop at it), and a lone surrogate
 * becomes U+FFFD (it has no UTF-8 form, so it would come back changed). All other characters stay.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
