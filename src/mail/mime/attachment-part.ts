import { base64Lines } from "./base64-part.ts";
import { hasControlCharacter } from "#core/text/text.ts";

/** A file in a message. Its name must pass `isWireFilename`, its type `isWireMediaType`. */
export type Attachment = {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
};

const FILENAME_BYTES_MAX = 255;
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+";
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
);
/** A semicolon in a quoted value separates nothing. */
const PARAMETER = new RegExp(`; ?(${TOKEN}=(?:${TOKEN}|"[^"]*"))`, "g");
/** Types whose parts may not be base64 (RFC 2045, 6.4). */
const COMPOSITE = /^(?:multipart|message)\//i;
const MEDIA_TYPE_MAX = 200;
const SIMPLE_NAME = /^[A-Za-z0-9 ._()-]{1,60}$/;

/**
 * A plain file name: trimmed, no control character, no path separator, at most 255 bytes, and not `.` or
 * `..`.
 */
export function isWireFilename(name: string): boolean {
  if (name !== name.trim() || name === "" || name === "." || name === ".." || !name.isWellFormed())
    return false;
  return !hasControlCharacter(name) && !/[/\\]/.test(name) && Buffer.byteLength(name) <= FILENAME_BYTES_MAX;
}

/** A media type with simple parameters (RFC 2045, 5.1) that a base64 part may have. */
export function isWireMediaType(type: string): boolean {
  return type.length <= MEDIA_TYPE_MAX && MEDIA_TYPE.test(type) && !COMPOSITE.test(type);
}

/** The MIME part of a file: base64, its name plain or encoded as in RFC 2231, every line ended by CRLF. */
export function attachmentPart({ filename, contentType, content }: Attachment): string {
  return (
    `Content-Type: ${contentType.replace(PARAMETER, ";\r\n $1")}\r\n` +
    "Content-Transfer-Encoding: base64\r\n" +
    `Content-Disposition: attachment;\r\n ${filenameParameter(filename)}\r\n\r\n` +
    base64Lines(content)
  );
}

function filenameParameter(name: string): string {
  if (SIMPLE_NAME.test(name)) return `filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename*=utf-8''${encoded}`;
}
