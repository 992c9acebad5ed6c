import { VALUES_MAX } from "#mail/letter/slots/slots.ts";

/**
 * The output of a rendering, in order: the author's own text, and values. In HTML, values are escaped and contain
 * no markup.
 */
export type LiquidPiece = string | { readonly value: string };

/** The text of the pieces. */
export function joinPieces(made: readonly LiquidPiece[]): string {
  let text = "";
  for (const piece of made) text += typeof piece === "string" ? piece : piece.value;
  return text;
}

/** The same pieces, or all of them as one text if there are more values than a letter has slots for. */
export const boundedPieces = (made: readonly LiquidPiece[]): readonly LiquidPiece[] =>
  made.length <= 2 * VALUES_MAX ? made : [joinPieces(made)];
