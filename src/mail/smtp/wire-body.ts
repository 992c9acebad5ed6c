import { asciiText, bytesOf, type Ascii } from "#mail/mime/ascii.ts";

/** A message as it goes over the wire (RFC 5321, 4.5.2), without its end, and the end: what completes its last line, and the dot. */
export type WireBody = { readonly content: Ascii; readonly end: "\r\n.\r\n" | "\n.\r\n" | ".\r\n" };

/** What has passed `checkMessage`, or bytes of any kind. Of a string its UTF-8 bytes count. */
export type Message = { readonly checked: Ascii } | Uint8Array | string;

/**
 * Dots that begin a line are doubled; bare CR and LF become CRLF. Where the content is text, it has one character (U+0000 to U+00FF)
 * for each byte: it must be written as Latin-1.
 */
export function wireBody(message: Message): WireBody {
  if (typeof message === "object" && "checked" in message) {
    const { checked } = message;
    return { content: hasDotLine(checked) ? madeReady(asciiText(checked)) : checked, end: ".\r\n" };
  }
  const content = madeReady(bytewise(message));
  return {
    content,
    end: content.endsWith("\n") ? ".\r\n" : content.endsWith("\r") ? "\n.\r\n" : "\r\n.\r\n",
  };
}

const hasDotLine = (message: Ascii): boolean =>
  (typeof message === "string" ? message : bytesOf(message)).includes("\n.");

/** A CR at the very end may be half of a line end whose other half is still to be written. */
const madeReady = (text: string): string =>
  text.replace(/\r\n|\n|\r(?=[^])/g, "\r\n").replace(/(^|\n)\./g, "$1..");

function bytewise(message: Uint8Array | string): string {
  if (typeof message !== "string") return asciiText(message);
  return Buffer.byteLength(message) === message.length ? message : Buffer.from(message).toString("latin1");
}
