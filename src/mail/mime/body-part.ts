import { base64Lines, base64Pieces, textBytes } from "./base64-part.ts";
import { encodeQuotedPrintable } from "./quoted-printable.ts";
import { isSevenBit, sevenBit } from "./seven-bit.ts";
import { splitAtStandIns, type Piece, type Tokens } from "#mail/letter/slots/recipient-tokens.ts";

/** A MIME part with its header and static text encoded, and the places for a recipient's tokens. */
export type BodyPart = { readonly header: string; readonly pieces: readonly Piece[] };

/** How a part's text is encoded (RFC 2045, 6). */
export type TransferEncoding = "7bit" | "quoted-printable" | "base64";

/**
 * Encodes a text part once for all recipients. `standIns` replace the tokens in `text`: the same encoding is right
 * for every token, since all have the same length and alphabet.
 */
export function bodyPart(type: TextType, text: string, standIns: Tokens): BodyPart {
  const encoding = encodingOf(text);
  const pieces =
    encoding === "base64" ? base64Pieces(text, standIns) : splitAtStandIns(ENCODE[encoding](text), standIns);
  return { header: partHeader(type, encoding), pieces };
}

/** A text part that is the same for everybody, with its header. */
export function wholePart(type: TextType, text: string): string {
  const encoding = encodingOf(text);
  return partHeader(type, encoding) + ENCODE[encoding](text);
}

const ENCODE: Readonly<Record<TransferEncoding, (text: string) => string>> = {
  "7bit": sevenBit,
  "quoted-printable": encodeQuotedPrintable,
  base64: (text) => base64Lines(textBytes(text)),
};

/**
 * Text that needs no encoding gets none. Otherwise quoted-printable, whose source is readable, or base64 if much
 * smaller: quoted-printable takes three bytes for each byte that is not ASCII, base64 four for any three.
 */
function encodingOf(text: string): TransferEncoding {
  if (isSevenBit(text)) return "7bit";
  return nonAsciiShare(text) > BASE64_FROM ? "base64" : "quoted-printable";
}

/** From this share on, base64 saves an eighth or more. */
const BASE64_FROM = 1 / 4;

export type TextType = "text/plain" | "text/html";

export const partHeader = (type: TextType, encoding: TransferEncoding): string =>
  `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;

/** If true, quoted-printable would double the size even of a text that is encoded in pieces. */
export const isMostlyNonAscii = (text: string): boolean => nonAsciiShare(text) > 1 / 2;

/** The share of a text's bytes that are not ASCII. */
function nonAsciiShare(text: string): number {
  const bytes = Buffer.from(text, "utf8");
  let count = 0;
  for (const byte of bytes) if (byte >= 0x80) count++;
  return count / Math.max(1, bytes.length);
}
