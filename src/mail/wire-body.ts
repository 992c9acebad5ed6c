/** A message as it goes over the wire (RFC 5321, 4.5.2), without its end, and the end: what completes its last line, and the dot. */
export type WireBody = { readonly text: string; readonly end: "\r\n.\r\n" | "\n.\r\n" | ".\r\n" };

/** Text that has passed `checkMessage`, or bytes of any kind. Of a string its UTF-8 bytes count. */
export type Message = { readonly checked: string } | Uint8Array | string;

/**
 * Dots that begin a line are doubled; bare CR and LF become CRLF. The text has one character (U+0000 to U+00FF) for each
 * byte: it must be written as Latin-1.
 */
export function wireBody(message: Message): WireBody {
  if (typeof message === "object" && "checked" in message) {
    const { checked } = message;
    return { text: checked.includes("\n.") ? madeReady(checked) : checked, end: ".\r\n" };
  }
  const text = madeReady(bytewise(message));
  return { text, end: text.endsWith("\n") ? ".\r\n" : text.endsWith("\r") ? "\n.\r\n" : "\r\n.\r\n" };
}

/** A CR at the very end may be half of a line end whose other half is still to be written. */
const madeReady = (text: string): string =>
  text.replace(/\r\n|\n|\r(?=[^])/g, "\r\n").replace(/(^|\n)\./g, "$1..");

function bytewise(message: Uint8Array | string): string {
  if (typeof message !== "string")
    return Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString("latin1");
  return Buffer.byteLength(message) === message.length ? message : Buffer.from(message).toString("latin1");
}
