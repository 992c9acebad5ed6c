/** Where a rendering writes to. liquidjs has no limit for text inside a loop, so what is written is limited here. */
import type { Emitter } from "liquidjs";
import type { Spending } from "#mail/liquid/allowance.ts";
import type { LiquidPiece } from "#mail/liquid/liquid-pieces.ts";
import { liquidText, Written } from "#mail/liquid/liquid-values.ts";

const OUTPUT_CHARACTERS_MAX = 2 * 1024 * 1024;

/** @throws an error for the author */
export function limitOutput(length: number): void {
  if (length > OUTPUT_CHARACTERS_MAX)
    throw new Error(`the text becomes longer than ${OUTPUT_CHARACTERS_MAX} characters`);
}

/** Collects the output as one text. */
export class BoundedOutput implements Emitter {
  buffer = "";
  constructor(private readonly spending: Spending) {}
  write(written: unknown): void {
    if (written instanceof Written) countPieces(this.spending, written);
    const text = liquidText(written);
    this.buffer += text;
    limitOutput(this.buffer.length);
    this.spending.read(text);
  }
}

/** Collects the output in pieces. */
export class PiecesOutput implements Emitter {
  readonly buffer = "";
  #length = 0;
  constructor(
    private readonly spending: Spending,
    readonly pieces: LiquidPiece[] = [],
  ) {}
  write(written: unknown): void {
    if (!(written instanceof Written)) return this.#add(liquidText(written));
    countPieces(this.spending, written);
    for (const piece of written.pieces) this.#add(piece);
  }
  #add(piece: LiquidPiece): void {
    const text = (typeof piece === "string" ? piece : piece.value).toWellFormed();
    this.#length += text.length;
    limitOutput(this.#length);
    this.spending.read(text);
    this.pieces.push(typeof piece === "string" ? text : { value: text });
  }
}

/** One value costs what its text costs. A captured block may have thousands of pieces without any text. */
function countPieces(spending: Spending, { pieces }: Written): void {
  if (pieces.length > 1) spending.read(pieces);
}
