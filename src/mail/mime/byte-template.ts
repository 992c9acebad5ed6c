import { pieceText } from "./base64-part.ts";
import type { Piece, Tokens } from "#mail/letter/recipient-tokens.ts";

export type ByteTemplate = {
  /** A message in a buffer of its own: `head`, which is ASCII, and the rest. */
  fill(head: string, tokens: Tokens): Buffer;
  /** Takes back a buffer that `fill` gave and nobody reads any more: a later message is written into it. */
  reuse(bytes: Buffer): void;
};

/** More than the head of a message needs: four fields of limited length. */
const HEAD_BYTES = 2_048;
/** As many as a relay has connections, and the messages that are composed ahead. */
const SPARE_MAX = 64;

/**
 * The bytes of a message without its head, and the places in them for a recipient's tokens. Copying these
 * bytes and writing into the few places costs half as much as joining texts, and a socket takes bytes as they
 * are. The text of a piece is ASCII, and for every recipient as long as for `specimen`.
 */
export function byteTemplate(pieces: readonly Piece[], specimen: Tokens): ByteTemplate {
  const places: { readonly at: number; readonly piece: Piece }[] = [];
  let stencil = "";
  for (const piece of pieces) {
    if (typeof piece !== "string") places.push({ at: stencil.length, piece });
    stencil += pieceText(piece, specimen);
  }
  const template = Buffer.from(stencil, "latin1");
  const spare: ArrayBufferLike[] = [];

  return {
    fill(head, tokens) {
      const length = head.length + template.length;
      const memory = spare.pop() ?? new ArrayBuffer(HEAD_BYTES + template.length);
      const bytes = length <= memory.byteLength ? Buffer.from(memory, 0, length) : Buffer.alloc(length);
      bytes.write(head, 0, "latin1");
      template.copy(bytes, head.length);
      for (const { at, piece } of places) bytes.write(pieceText(piece, tokens), head.length + at, "latin1");
      return bytes;
    },
    reuse({ buffer }) {
      if (buffer.byteLength === HEAD_BYTES + template.length && spare.length < SPARE_MAX) spare.push(buffer);
    },
  };
}
