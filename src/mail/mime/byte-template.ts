import { present } from "#core/present.ts";
import { pieceText } from "./base64-part.ts";
import type { FinishedMessage } from "./finished-message.ts";
import {
  SOFT_BREAK,
  type Piece,
  type TokenPlace,
  type TokenRows,
  type Tokens,
} from "#mail/letter/slots/recipient-tokens.ts";

/** A place for a text of one message, of any length; the text is already encoded and ASCII. */
export const OWN_TEXT = Symbol("own text");

/**
 * A message from its `head`, which is ASCII, and the rest, with these tokens and texts in their places. There is
 * one text for each `OWN_TEXT`, in order.
 */
export type FillTemplate = (head: string, tokens: Tokens, texts?: readonly string[]) => FinishedMessage;

/** More than a message's head needs (four fields of limited length), with room for the message's own texts. */
const HEAD_BYTES = 2_048;
const TEXTS_BYTES = 4_096;
/** Room for a signature before the message: about 900 bytes, and two names of up to 253 characters. */
const ROOM_BYTES = 1_536;
/** As many as a relay has connections, plus messages that are composed in advance. */
const SPARE_MAX = 64;
/** How many numbers describe each stretch of a token. */
const SPAN = 3;

/**
 * Static bytes, and what is written into them. `spans` has three numbers for each stretch of a token: where to
 * write it, and its start and end in the tokens' bytes. `rows` are places whose bytes are encoded for each message.
 */
type Run = {
  readonly bytes: Buffer;
  readonly spans: Int32Array;
  readonly rows: readonly { readonly at: number; readonly piece: TokenRows }[];
};

/**
 * The bytes of a message without its head, and the places in them for a recipient's tokens and texts. These
 * bytes are copied, and only the few places are written; a socket takes bytes as they are. The text of a piece
 * is ASCII, and for every recipient as long as for `specimen`.
 */
export function byteTemplate(pieces: readonly (Piece | typeof OWN_TEXT)[], specimen: Tokens): FillTemplate {
  const runs = runsOf(pieces, specimen);
  const staticLength = runs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const roomFor = HEAD_BYTES + (runs.length > 1 ? TEXTS_BYTES : 0);
  const spare: ArrayBuffer[] = [];

  const tokenBytes = Buffer.from(specimen.open + specimen.click + specimen.unsubscribe, "latin1");

  const fillInto = (bytes: Buffer, head: string, tokens: Tokens, texts: readonly string[]): Buffer => {
    tokenBytes.write(tokens.open + tokens.click + tokens.unsubscribe, 0, "latin1");
    let end = bytes.write(head, 0, "latin1");
    for (let index = 0; index < runs.length; index++) {
      const run = present(runs[index], "run of a template");
      if (index > 0) end += bytes.write(present(texts[index - 1], "text of a message"), end, "latin1");
      run.bytes.copy(bytes, end);
      writeTokens(bytes, end, run.spans, tokenBytes);
      for (const { at, piece } of run.rows) bytes.write(pieceText(piece, tokens), end + at, "latin1");
      end += run.bytes.length;
    }
    return bytes;
  };

  return (head, tokens, texts = []) => {
    const own = texts.reduce((sum, text) => sum + text.length, head.length);
    const length = own + staticLength;
    if (own > roomFor) return { bytes: fillInto(Buffer.alloc(length), head, tokens, texts) };
    const memory = spare.pop() ?? new ArrayBuffer(ROOM_BYTES + roomFor + staticLength);
    let isReleased = false;
    const release = (): void => {
      // If it were released twice, two messages would get the same memory.
      if (!isReleased && spare.length < SPARE_MAX) spare.push(memory);
      isReleased = true;
    };
    const bytes = fillInto(Buffer.from(memory, ROOM_BYTES, length), head, tokens, texts);
    return { bytes, release, room: ROOM_BYTES };
  };
}

/** Byte by byte: a message has many tokens of a few bytes each, and a call for each of them costs more. */
function writeTokens(bytes: Buffer, from: number, spans: Int32Array, tokenBytes: Buffer): void {
  for (let span = 0; span < spans.length; span += SPAN) {
    let at = from + (spans[span] ?? 0);
    const end = spans[span + 2] ?? 0;
    for (let byte = spans[span + 1] ?? 0; byte < end; byte++) bytes[at++] = tokenBytes[byte] ?? 0;
  }
}

/** The static bytes before, between and behind the places for texts. */
function runsOf(pieces: readonly (Piece | typeof OWN_TEXT)[], specimen: Tokens): Run[] {
  const runs: Run[] = [];
  let stencil = "";
  let spans: number[] = [];
  let rows: { at: number; piece: TokenRows }[] = [];
  const end = (): void => {
    runs.push({ bytes: Buffer.from(stencil, "latin1"), spans: Int32Array.from(spans), rows });
    [stencil, spans, rows] = ["", [], []];
  };
  for (const piece of pieces) {
    if (piece === OWN_TEXT) {
      end();
      continue;
    }
    if (typeof piece === "object") {
      if ("rows" in piece) rows.push({ at: stencil.length, piece });
      else spans.push(...spansOf(piece, stencil.length, specimen));
    }
    stencil += pieceText(piece, specimen);
  }
  end();
  return runs;
}

/** A token at `at`: in one piece, or in two around a soft line break, which is static. */
function spansOf({ name, breakAt }: TokenPlace, at: number, specimen: Tokens): number[] {
  const { open, click } = specimen;
  const from = { open: 0, click: open.length, unsubscribe: open.length + click.length }[name];
  const end = from + specimen[name].length;
  if (breakAt === -1) return [at, from, end];
  return [at, from, from + breakAt, at + breakAt + SOFT_BREAK.length, from + breakAt, end];
}
