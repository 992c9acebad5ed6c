import { pieceText } from "./base64-part.ts";
import type { Piece, Tokens } from "#mail/letter/token-slots.ts";

export type ByteTemplate = {
  /** A message of its own: `head`, which is ASCII, and all the rest. */
  fill(head: string, tokens: Tokens): Buffer;
  /** Takes back what `fill` gave and nobody reads any more: a later message gets its bytes. */
  reuse(bytes: Buffer): void;
};

/** The head of a message, and more: four fields of bounded values. */
const HEAD_BYTES = 2_048;
/** As many as there can be connections to a relay, and those composed ahead. */
const SPARE_MAX = 64;

/**
 * A message's bytes, all but its head, with the places where a recipient's tokens go. To copy them and to write into those few places
 * costs half of what joining texts does, and a socket takes bytes as they are. What a piece makes of tokens is ASCII and always as long
 * as what it makes of `specimen`.
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
