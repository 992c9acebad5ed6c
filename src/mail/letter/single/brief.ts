/**
 * Limits for work that may be done on the event loop, whatever the text says. They must suffice for hostile content
 * too: nested quotations, unclosed elements, countless attributes. `bun run prove stalls` measures how long others
 * wait (docs/performance.md "How fast, how big").
 */
import type { LetterPiece } from "#mail/letter/marketing/marketing-mail.ts";
import { TOKEN_LENGTH } from "#mail/letter/slots/recipient-tokens.ts";

const HTML_CHARACTERS_MAX = 4_096;
const TAGS_MAX = 80;
/** For text that is only copied and encoded: all parts of a message together. */
const CHARACTERS_MAX = 128 * 1024;
/** For values of Liquid, as JSON: not everything that a template's loops look at in them is counted. */
const VALUES_CHARACTERS_MAX = 16 * 1024;

export const isShort = (...texts: readonly { readonly length: number }[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= CHARACTERS_MAX;

export const areBriefValues = (json: string): boolean => json.length <= VALUES_CHARACTERS_MAX;

/** For HTML that is parsed several times and converted to text. */
export function isBriefHtml(html: string): boolean {
  if (html.length > HTML_CHARACTERS_MAX) return false;
  let tags = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1))
    if (++tags > TAGS_MAX) return false;
  return true;
}

export const lengthOf = (pieces: readonly LetterPiece[]): number =>
  pieces.reduce((sum, piece) => sum + pieceAsText(piece).length, 0);

/** A piece as text; a token is replaced by a text of the same length. */
export function pieceAsText(piece: LetterPiece): string {
  if (typeof piece === "string") return piece;
  return "value" in piece ? piece.value : "x".repeat(TOKEN_LENGTH);
}
