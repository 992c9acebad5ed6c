import { present } from "#core/present.ts";
import { pieceText } from "./base64-part.ts";
import type { FinishedMessage } from "./finished-message.ts";
import type { Piece, Tokens } from "#mail/letter/recipient-tokens.ts";

/** A place for a text of one message, of any length: encoded already, and ASCII. */
export const OWN_TEXT = Symbol("own text");

/**
 * A message from its `head`, which is ASCII, and the rest, with these tokens and texts in their places. There
 * is a text for each `OWN_TEXT`, in order.
 */
export type FillTemplate = (head: string, tokens: Tokens, texts?: readonly string[]) => FinishedMessage;

/** More than the head of a message needs: four fields of limited length; and for a message's own texts. */
const HEAD_BYTES = 2_048;
const TEXTS_BYTES = 4_096;
/** As many as a relay has connections, and the messages that are composed ahead. */
const SPARE_MAX = 64;

type Run = { readonly bytes: Buffer; readonly places: readonly { at: number; piece: Piece }[] };

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

  const fillInto = (bytes: Buffer, head: string, tokens: Tokens, texts: readonly string[]): Buffer => {
    let end = bytes.write(head, 0, "latin1");
    for (const [index, run] of runs.entries()) {
      if (index > 0) end += bytes.write(present(texts[index - 1], "text of a message"), end, "latin1");
      run.bytes.copy(bytes, end);
      for (const { at, piece } of run.places) bytes.write(pieceText(piece, tokens), end + at, "latin1");
      end += run.bytes.length;
    }
    return bytes;
  };

  return (head, tokens, texts = []) => {
    const own = texts.reduce((sum, text) => sum + text.length, head.length);
    const length = own + staticLength;
    if (own > roomFor) return { bytes: fillInto(Buffer.alloc(length), head, tokens, texts) };
    const memory = spare.pop() ?? new ArrayBuffer(roomFor + staticLength);
    let isReleased = false;
    const release = (): void => {
      // Released twice, it would be given to two messages.
      if (!isReleased && spare.length < SPARE_MAX) spare.push(memory);
      isReleased = true;
    };
    return { bytes: fillInto(Buffer.from(memory, 0, length), head, tokens, texts), release };
  };
}

/** The static bytes before, between and behind the places for texts. */
function runsOf(pieces: readonly (Piece | typeof OWN_TEXT)[], specimen: Tokens): Run[] {
  const runs: Run[] = [];
  let stencil = "";
  let places: { at: number; piece: Piece }[] = [];
  const end = (): void => {
    runs.push({ bytes: Buffer.from(stencil, "latin1"), places });
    [stencil, places] = ["", []];
  };
  for (const piece of pieces) {
    if (piece === OWN_TEXT) {
      end();
      continue;
    }
    if (typeof piece !== "string") places.push({ at: stencil.length, piece });
    stencil += pieceText(piece, specimen);
  }
  end();
  return runs;
}
