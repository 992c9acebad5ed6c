/** A message as it goes over the wire (RFC 5321, 4.5.2), without its end, and the end: what completes its last line, and the dot. */
export type WireBody = { readonly text: string; readonly end: "\r\n.\r\n" | "\n.\r\n" | ".\r\n" };

/**
 * Dots that begin a line are doubled; bare CR and LF become CRLF. The text has one character (U+0000 to U+00FF) for each
 * byte: it must be written as Latin-1. Of a string its UTF-8 bytes count.
 */
export function wireBody(message: Uint8Array | string): WireBody {
  const given = bytewise(message);
  const text = isReady(given) ? given : madeReady(given);
  return { text, end: text.endsWith("\n") ? ".\r\n" : text.endsWith("\r") ? "\n.\r\n" : "\r\n.\r\n" };
}

/** What we compose is: every line ends in CRLF and none begins with a dot. Looking is much cheaper than rewriting. */
function isReady(text: string): boolean {
  if (text.startsWith(".") || /\r(?!\n)/.test(text)) return false;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] !== "\r" || text[at + 1] === ".") return false;
  }
  return true;
}

/** A CR at the very end may be half of a line end whose other half is still to be written. */
const madeReady = (text: string): string =>
  text.replace(/\r\n|\n|\r(?=[^])/g, "\r\n").replace(/(^|\n)\./g, "$1..");

function bytewise(message: Uint8Array | string): string {
  if (typeof message !== "string")
    return Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString("latin1");
  return Buffer.byteLength(message) === message.length ? message : Buffer.from(message).toString("latin1");
}
