import { asciiText, bytesOf, type Ascii } from "#mail/mime/ascii.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";

/**
 * A message as it is sent (RFC 5321, 4.5.2): its content, and its end, which completes the last line and adds
 * the dot.
 */
export type WireBody = {
  readonly content: Ascii;
  readonly end: "\r\n.\r\n" | "\n.\r\n" | ".\r\n";
  /** See `FinishedMessage`. */
  readonly release?: () => void;
};

/** A message that passed `checkMessage`, or bytes of any kind. A string counts as its UTF-8 bytes. */
export type Message = FinishedMessage | Uint8Array | string;

/**
 * Doubles dots at the start of a line, and turns bare CR and LF into CRLF. If the content is text, it has
 * one character (U+0000 to U+00FF) for each byte: write it as Latin-1.
 */
export function wireBody(message: Message): WireBody {
  if (typeof message === "object" && "bytes" in message) {
    const { bytes, release } = message;
    const content = hasDotLine(bytes) ? madeReady(asciiText(bytes)) : bytes;
    return release === undefined ? { content, end: ".\r\n" } : { content, end: ".\r\n", release };
  }
  const content = madeReady(bytewise(message));
  return {
    content,
    end: content.endsWith("\n") ? ".\r\n" : content.endsWith("\r") ? "\n.\r\n" : "\r\n.\r\n",
  };
}

/** A finished message from bytes of any kind, with the line ends that `wireBody` would send. */
export function asFinished(message: Message): FinishedMessage {
  if (typeof message === "object" && "bytes" in message) return message;
  const lines = bytewise(message).replace(/\r\n|\n|\r/g, "\r\n");
  return { bytes: lines.endsWith("\r\n") ? lines : `${lines}\r\n` };
}

const hasDotLine = (message: Ascii): boolean =>
  (typeof message === "string" ? message : bytesOf(message)).includes("\n.");

/** A CR at the very end may be half of a line end whose other half has not been written yet. */
const madeReady = (text: string): string =>
  text.replace(/\r\n|\n|\r(?=[^])/g, "\r\n").replace(/(^|\n)\./g, "$1..");

function bytewise(message: Uint8Array | string): string {
  if (typeof message !== "string") return asciiText(message);
  return Buffer.byteLength(message) === message.length ? message : Buffer.from(message).toString("latin1");
}
