import { base64Lines, pieceText, textBytes } from "#mail/mime/base64-part.ts";
import { bodyPart, isMostlyNonAscii, partHeader, type TextType } from "#mail/mime/body-part.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import { splitAtStandIns, TOKEN_NAMES, type Piece, type Tokens } from "./recipient-tokens.ts";
import { joinSegments, PADDING, segmentsOf, slotMark, type Segment } from "./slots.ts";

/** One line of text, cut at its slots. */
export type Line = readonly Segment[];

/** Lines that differ in more than a recipient's tokens: they are encoded for each message. */
type OpenLines = { readonly lines: readonly Line[] };

/**
 * A MIME part with everything encoded that is the same for all messages, or differs only in tokens. Plain
 * data: it is made in a thread.
 */
export type WrittenPart = {
  readonly header: string;
  readonly isBase64: boolean;
  readonly pieces: readonly (Piece | OpenLines)[];
};

/** A text that is the same for everybody but for the tokens, whose stand-ins it holds. */
export const closedPart = (type: TextType, text: string, standIns: Tokens): WrittenPart => ({
  ...bodyPart(type, text, standIns),
  isBase64: false,
});

/**
 * A text with marks for other slots too (`slots.ts`). Quoted-printable encodes each line on its own, so lines
 * without such a mark are encoded once. Base64 does not, so there the whole part is encoded for each message.
 */
export function openPart(type: TextType, text: string, standIns: Tokens): WrittenPart {
  const isBase64 = isMostlyNonAscii(joinSegments(segmentsOf(text), () => ""));
  const header = partHeader(type, isBase64);
  const lines = text.split(/\r?\n/);
  if (isBase64)
    return { header, isBase64, pieces: [{ lines: lines.map((line) => openLine(line, standIns)) }] };
  const pieces: (Piece | OpenLines)[] = [];
  for (const { isPlain, run } of runsOf(lines)) {
    if (pieces.length > 0) pieces.push("\r\n");
    if (isPlain) pieces.push(...splitAtStandIns(encodeQuotedPrintable(run.join("\n")), standIns));
    else pieces.push({ lines: run.map((line) => openLine(line, standIns)) });
  }
  return { header, isBase64, pieces };
}

/** The pieces of a part that differs in nothing but tokens; null where it has open lines. */
export function closedPieces({ pieces }: WrittenPart): readonly Piece[] | null {
  return pieces.every(isClosed) ? pieces : null;
}

/** The part of one message, without its header; `fillLine` gives the text of an open line. */
export function partIn(part: WrittenPart, tokens: Tokens, fillLine: (line: Line) => string): string {
  const encode = (text: string): string =>
    part.isBase64 ? base64Lines(textBytes(text)) : encodeQuotedPrintable(text);
  let text = "";
  for (const piece of part.pieces)
    text += isOpen(piece) ? encode(piece.lines.map(fillLine).join("\r\n")) : pieceText(piece, tokens);
  return text;
}

const isOpen = (piece: Piece | OpenLines): piece is OpenLines =>
  typeof piece === "object" && "lines" in piece;

const isClosed = (piece: Piece | OpenLines): piece is Piece => !isOpen(piece);

/** Whether a line holds more than static text and tokens. */
export const hasOwnSlot = (line: Line): boolean =>
  line.some((segment) => typeof segment === "number" && segment >= PADDING);

/** Inside an open line the tokens are slots like the others. */
function openLine(line: string, standIns: Tokens): Line {
  const marked = TOKEN_NAMES.reduce(
    (text, name, slot) => text.replaceAll(standIns[name], slotMark(slot, 0)),
    line,
  );
  return segmentsOf(marked);
}

/** Neighbouring lines of the same sort. */
function runsOf(lines: readonly string[]): { isPlain: boolean; run: string[] }[] {
  const runs: { isPlain: boolean; run: string[] }[] = [];
  for (const line of lines) {
    const isPlain = !hasOwnSlot(segmentsOf(line));
    const last = runs.at(-1);
    if (last?.isPlain === isPlain) last.run.push(line);
    else runs.push({ isPlain, run: [line] });
  }
  return runs;
}
