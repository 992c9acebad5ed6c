/**
 * Text that may be sent unencoded, as `7bit` (RFC 2045, 2.7 and 6.2). That is smaller than quoted-printable, where
 * each `=` takes three bytes and each line of 73 characters a line break.
 */

/** The limit is 998 (RFC 5322, 2.1.1). Some servers break lines near it, or add to them, so this is well below. */
const LINE_MAX = 900;
/** What is not ASCII text in lines; a CR alone is not a line end. */
const FOREIGN = /[^\t\r\n -~]|\r(?!\n)/;
/**
 * What servers on the way may change: blanks at the end of a line, a line that starts with a dot, or with `From `
 * (it becomes `>From `).
 */
const ALTERED = /[\t ](?:\r?\n|$)|(?:^|\n)(?:\.|From )/;

/** Whether a text arrives unchanged without any encoding. Line ends may be LF or CRLF. */
export const isSevenBit = (text: string): boolean =>
  !FOREIGN.test(text) && !ALTERED.test(text) && !hasLongLine(text);

/** The text as it is sent: line ends are CRLF. */
export const sevenBit = (text: string): string => text.replace(/\r?\n/g, "\r\n");

function hasLongLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    if (end - start > LINE_MAX) return true;
    start = end + 1;
  }
  return text.length - start > LINE_MAX;
}
