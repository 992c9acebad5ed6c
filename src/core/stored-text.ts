/**
 * Free text as it is stored: trimmed, and free of what a database or a mail cannot hold. NUL is taken out (SQLite's text functions
 * stop there) and a lone surrogate becomes U+FFFD (it has no UTF-8 form, so it would come back as something else). Every other
 * character stays; what must stand on one line is checked by whoever asks for it. Storing a stored text changes nothing.
 */
export function storedText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").trim();
}
