import { base64Lines, base64Pieces, textBytes } from "./base64-part.ts";
import { encodeQuotedPrintable } from "./quoted-printable.ts";
import { splitAtStandIns, type Piece, type Tokens } from "#mail/letter/recipient-tokens.ts";

/** A MIME part with its header and static text encoded, and the places for a recipient's tokens. */
export type BodyPart = { readonly header: string; readonly pieces: readonly Piece[] };

/**
 * Encodes a text part once for all recipients. It uses quoted-printable, or base64 where more than half of
 * the bytes are not ASCII and quoted-printable would double the size. `standIns` take the place of the tokens
 * in `text`.
 */
export function bodyPart(type: TextType, text: string, standIns: Tokens): BodyPart {
  const isBase64 = isMostlyNonAscii(text);
  const pieces = isBase64
    ? base64Pieces(text, standIns)
    : splitAtStandIns(encodeQuotedPrintable(text), standIns);
  return { header: partHeader(type, isBase64), pieces };
}

/** A text part that is the same for everybody, with its header. */
export function wholePart(type: TextType, text: string): string {
  const isBase64 = isMostlyNonAscii(text);
  return partHeader(type, isBase64) + (isBase64 ? base64Lines(textBytes(text)) : encodeQuotedPrintable(text));
}

export type TextType = "text/plain" | "text/html";

export function partHeader(type: TextType, isBase64: boolean): string {
  const encoding = isBase64 ? "base64" : "quoted-printable";
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
}

export function isMostlyNonAscii(text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  let count = 0;
  for (const byte of bytes) if (byte >= 0x80) count++;
  return count * 2 > bytes.length;
}
