import { base64Lines, textBytes } from "#mail/mime/base64-part.ts";
import { bodyPart, isMostlyNonAscii, partHeader, type TextType } from "#mail/mime/body-part.ts";
import { encodeOpenEnded, encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import {
  splitAtStandIns,
  TOKEN_NAMES,
  type Piece,
  type Tokens,
} from "#mail/letter/slots/recipient-tokens.ts";
import { joinSegments, PADDING, segmentsOf, slotMark, type Segment } from "#mail/letter/slots/slots.ts";

/** A line of text, cut at its slots. */
export type Line = readonly Segment[];

/**
 * A place that is encoded for each message. `lines`: whole lines of a text, wrapped for each message. `run`: a
 * line, or a value inside a line whose other text is already encoded. `whole`: a part in base64, which cannot be
 * encoded in pieces.
 */
export type Open =
  | { readonly kind: "lines"; readonly lines: readonly Line[]; readonly isBase64: boolean }
  | {
      readonly kind: "run";
      readonly run: Line;
      /** The same line continues after this. */
      readonly goesOn: boolean;
      /** LF follows: with a CR at its end, that is one line end. */
      readonly isBeforeLf: boolean;
    }
  | { readonly kind: "whole"; readonly run: Line };

/**
 * A MIME part in which everything is encoded that is the same for all messages, or differs only in tokens. Plain
 * data, because it is made in a thread.
 */
export type WrittenPart = { readonly header: string; readonly pieces: readonly (Piece | Open)[] };

/** A text that is the same for everybody except for the tokens; it contains their stand-ins. */
export const closedPart = (type: TextType, text: string, standIns: Tokens): WrittenPart =>
  bodyPart(type, text, standIns);

/**
 * A text that also has marks for other slots (`slots.ts`), if a value may change how its line is wrapped. Lines
 * without such a mark are encoded once: quoted-printable encodes each line separately.
 */
export function wrappedPart(type: TextType, text: string, standIns: Tokens): WrittenPart {
  const isBase64 = isMostlyNonAscii(withoutSlots(text));
  const header = partHeader(type, isBase64 ? "base64" : "quoted-printable");
  const lines = text.split(/\r?\n/);
  const open = (run: readonly string[]): Open => ({
    kind: "lines",
    lines: run.map((line) => segmentsOf(withTokenMarks(line, standIns))),
    isBase64,
  });
  if (isBase64) return { header, pieces: [open(lines)] };
  const pieces: (Piece | Open)[] = [];
  for (const { isPlain, run } of runsOf(lines)) {
    if (pieces.length > 0) pieces.push("\r\n");
    if (isPlain) pieces.push(...splitAtStandIns(encodeQuotedPrintable(run.join("\n")), standIns));
    else pieces.push(open(run));
  }
  return { header, pieces };
}

/**
 * The same if a value changes nothing around it. A long line is cut at its values: there is a soft line break on
 * both sides of each value, and everything else is encoded once.
 */
export function openPart(type: TextType, text: string, standIns: Tokens): WrittenPart {
  const isBase64 = isMostlyNonAscii(withoutSlots(text));
  const header = partHeader(type, isBase64 ? "base64" : "quoted-printable");
  if (isBase64)
    return { header, pieces: [{ kind: "whole", run: segmentsOf(withTokenMarks(text, standIns)) }] };
  const lines = text.split("\n");
  const pieces: (Piece | Open)[] = [];
  for (const { isPlain, run, from } of runsOf(lines)) {
    if (pieces.length > 0) pieces.push("\r\n");
    if (isPlain)
      pieces.push(...splitAtStandIns(encodeQuotedPrintable(run.map(withoutCr).join("\n")), standIns));
    else
      for (const [index, line] of run.entries()) {
        if (index > 0) pieces.push("\r\n");
        pieces.push(...openLine(line, from + index < lines.length - 1, standIns));
      }
  }
  return { header, pieces };
}

function openLine(line: string, isEnded: boolean, standIns: Tokens): (Piece | Open)[] {
  const endsInCr = isEnded && line.endsWith("\r");
  const stretches = stretchesOf(segmentsOf(endsInCr ? withoutCr(line) : line));
  return stretches.flatMap((stretch, at): (Piece | Open)[] => {
    const isLast = at === stretches.length - 1;
    if (typeof stretch === "string") {
      const encoded = isLast ? encodeQuotedPrintable(stretch) : encodeOpenEnded(stretch);
      return splitAtStandIns(encoded, standIns);
    }
    const run = stretch.flatMap((segment) =>
      typeof segment === "string" ? segmentsOf(withTokenMarks(segment, standIns)) : segment,
    );
    return [{ kind: "run", run, goesOn: !isLast, isBeforeLf: isLast && isEnded && !endsInCr }];
  });
}

/** Static text that is encoded once, or values with the text next to them. */
type Stretch = string | Segment[];

/** Text between two values up to this length is encoded with them. */
const BESIDE_MAX = 400;
/** This much of a longer text stays with the value, up to the next place where words or tags end. */
const BESIDE = 40;

/**
 * A line, cut into what is encoded once and what is encoded for each message. It is cut between words or tags at
 * some distance from a value, so that words near a value stay readable in the message's source.
 */
function stretchesOf(segments: readonly Segment[]): Stretch[] {
  const stretches: Stretch[] = [];
  const beside = (segment: Segment): void => {
    const last = stretches.at(-1);
    if (typeof last === "object") last.push(segment);
    else stretches.push([segment]);
  };
  for (const [at, segment] of segments.entries()) {
    if (typeof segment === "number" || segment.length <= BESIDE_MAX) {
      beside(segment);
      continue;
    }
    const start = at === 0 ? 0 : endOfWord(segment, BESIDE);
    const end = at === segments.length - 1 ? segment.length : startOfWord(segment, segment.length - BESIDE);
    if (start > 0) beside(segment.slice(0, start));
    stretches.push(segment.slice(start, end));
    if (end < segment.length) beside(segment.slice(end));
  }
  return stretches;
}

/** The position after the first space or end of a tag from `at` on, near it; 0 if there is none. */
function endOfWord(text: string, at: number): number {
  const found = text.slice(at, BESIDE_MAX / 2).search(/[ >]/);
  return found === -1 ? 0 : at + found + 1;
}

/** The same before `at`; the text's end if there is none. */
function startOfWord(text: string, at: number): number {
  const found = Math.max(text.lastIndexOf(" ", at), text.lastIndexOf(">", at));
  return found < text.length - BESIDE_MAX / 2 ? text.length : found + 1;
}

const withoutCr = (text: string): string => (text.endsWith("\r") ? text.slice(0, -1) : text);

/** The encoded text of a place. `fillLine` returns the text of a line that is wrapped. */
export function openText(
  open: Open,
  valueAt: (slot: number) => string,
  fillLine: (line: Line) => string,
): string {
  if (open.kind === "lines") {
    const text = open.lines.map(fillLine).join("\r\n");
    return open.isBase64 ? base64Lines(textBytes(text)) : encodeQuotedPrintable(text);
  }
  const text = joinSegments(open.run, valueAt);
  if (open.kind === "whole") return base64Lines(textBytes(text));
  const ended = open.isBeforeLf ? withoutCr(text) : text;
  return open.goesOn ? encodeOpenEnded(ended) : encodeQuotedPrintable(ended);
}

/** How much static text is encoded anew for each message. What becomes base64 as a whole takes hardly any time. */
export const openCharacters = ({ pieces }: WrittenPart): number =>
  pieces.reduce((sum, piece) => sum + (isOpen(piece) ? staticCharacters(piece) : 0), 0);

function staticCharacters(open: Open): number {
  if (open.kind === "whole") return 0;
  const segments = open.kind === "lines" ? open.lines.flat() : open.run;
  return segments.reduce<number>((sum, one) => sum + (typeof one === "string" ? one.length : 0), 0);
}

/** Whether a line contains more than static text and tokens. */
export const hasOwnSlot = (line: Line): boolean =>
  line.some((segment) => typeof segment === "number" && segment >= PADDING);

export const isOpen = (piece: Piece | Open): piece is Open => typeof piece === "object" && "kind" in piece;

const withoutSlots = (text: string): string => joinSegments(segmentsOf(text), () => "");

/** Inside an open place the tokens are slots like all others. */
const withTokenMarks = (text: string, standIns: Tokens): string =>
  TOKEN_NAMES.reduce((marked, name, slot) => marked.replaceAll(standIns[name], slotMark(slot, 0)), text);

type LineRun = { readonly isPlain: boolean; readonly run: string[]; readonly from: number };

/** Neighbouring lines of the same kind; `from` is the number of the first line. */
function runsOf(lines: readonly string[]): LineRun[] {
  const runs: LineRun[] = [];
  for (const [from, line] of lines.entries()) {
    const isPlain = !hasOwnSlot(segmentsOf(line));
    const last = runs.at(-1);
    if (last?.isPlain === isPlain) last.run.push(line);
    else runs.push({ isPlain, run: [line], from });
  }
  return runs;
}
