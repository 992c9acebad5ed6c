import { pieceText } from "./base64-part.ts";
import type { FinishedMessage } from "./finished-message.ts";
import type { Piece, Tokens } from "#mail/letter/recipient-tokens.ts";

/** A message from its `head`, which is ASCII, and the rest, with these tokens in their places. */
export type FillTemplate = (head: string, tokens: Tokens) => FinishedMessage;

/** More than the head of a message needs: four fields of limited length. */
const HEAD_BYTES = 2_048;
/** As many as a relay has connections, and the messages that are composed ahead. */
const SPARE_MAX = 64;

/**
 * The bytes of a message without its head, and the places in them for a recipient's tokens. These bytes are
 * copied, and only the few places are written; a socket takes bytes as they are. The text of a piece is
 * ASCII, and for every recipient as long as for `specimen`.
 */
export function byteTemplate(pieces: readonly Piece[], specimen: Tokens): FillTemplate {
  const places: { readonly at: number; readonly piece: Piece }[] = [];
  let stencil = "";
  for (const piece of pieces) {
    if (typeof piece !== "string") places.push({ at: stencil.length, piece });
    stencil += pieceText(piece, specimen);
  }
  const template = Buffer.from(stencil, "latin1");
  const spare: ArrayBuffer[] = [];

  const fillInto = (bytes: Buffer, head: string, tokens: Tokens): Buffer => {
    bytes.write(head, 0, "latin1");
    template.copy(bytes, head.length);
    for (const { at, piece } of places) bytes.write(pieceText(piece, tokens), head.length + at, "latin1");
    return bytes;
  };

  return (head, tokens) => {
    const length = head.length + template.length;
    if (head.length > HEAD_BYTES) return { bytes: fillInto(Buffer.alloc(length), head, tokens) };
    const memory = spare.pop() ?? new ArrayBuffer(HEAD_BYTES + template.length);
    let isReleased = false;
    const release = (): void => {
      // Released twice, it would be given to two messages.
      if (!isReleased && spare.length < SPARE_MAX) spare.push(memory);
      isReleased = true;
    };
    return { bytes: fillInto(Buffer.from(memory, 0, length), head, tokens), release };
  };
}
