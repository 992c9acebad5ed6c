/** What values are in the output of a template: text, escaped in HTML, or HTML that a block of the template made. */
import { Drop, toValue } from "liquidjs";
import { escapeHtml, unescapeHtml } from "#core/text/html-escape.ts";
import type { Spending } from "./allowance.ts";
import { boundedPieces, joinPieces, type LiquidPiece } from "./liquid-pieces.ts";
import { placesWithin, type UnquotedPlace } from "./unquoted-places.ts";

/**
 * `html`: values are escaped. `text`: values are written unchanged. `line`: one line, as a subject must be.
 */
export type LiquidKind = "html" | "text" | "line";

/**
 * What is already HTML: the result of a `capture` block or of `newline_to_br`. It is written unchanged, and the
 * values in it are still values.
 */
export class Html extends Drop {
  readonly pieces: readonly LiquidPiece[];
  #text: string | null = null;
  constructor(pieces: readonly LiquidPiece[]) {
    super();
    this.pieces = boundedPieces(pieces);
  }
  /** What a filter or a comparison reads: unescaped, because what comes of it is escaped where it is written. */
  override valueOf(): string {
    return (this.#text ??= unescapeHtml(joinPieces(this.pieces)));
  }
  get size(): number {
    return this.valueOf().length;
  }
}

/** What an output tag writes. In HTML its values were escaped, so they contain no markup. */
export class Written {
  constructor(readonly pieces: readonly LiquidPiece[]) {}
}

/** A captured block is a text wherever it is not written as it is. */
export const asText = (value: unknown): unknown => (value instanceof Html ? value.valueOf() : value);

/**
 * A value as Liquid writes it: nothing for nil and for what is no number, such as something divided by zero; the
 * entries of a list without separators, objects as JSON.
 */
export function liquidText(of: unknown): string {
  if (typeof of === "string") return of;
  if (of instanceof Written) return joinPieces(of.pieces);
  const value: unknown = toValue(of);
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && !Number.isFinite(value)) return "";
  if (Array.isArray(value)) return (value as unknown[]).map(liquidText).join("");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const piecesInHtml = (value: unknown): readonly LiquidPiece[] =>
  value instanceof Html ? value.pieces : [{ value: escapeHtml(liquidText(value)) }];

/** What an output writes. A list may have thousands of entries without any text, so they count too. */
export function writtenInHtml(value: unknown, spending: Spending): Written {
  if (Array.isArray(value)) spending.read(value);
  return new Written(piecesInHtml(value));
}

export function writtenInText(value: unknown, spending: Spending): Written {
  if (Array.isArray(value)) spending.read(value);
  return new Written([{ value: liquidText(value) }]);
}

/** A value of plain data, as it appears in the output. It counts before it is escaped, which takes longest. */
export function writtenValue(value: unknown, kind: LiquidKind, spending: Spending): string {
  if (Array.isArray(value)) spending.read(value);
  const text = liquidText(value);
  spending.read(text);
  return kind === "html" ? escapeHtml(text) : text;
}

const WHITE_SPACE = /[\t\n\f\r ]/g;
/** What ends a name, as far as an escaped value may have it. In a name there are no references. */
const ENDS_NAME = /[\t\n\f\r /=]/g;

/**
 * What an output writes in a tag, outside quotes. White space would end an attribute's value, and the rest of it would
 * become attributes: it is written as references. A whole attribute that is empty would take the next one for its value.
 * In a name, what would end the name is left out. What its author wrote in a captured block stays as it is.
 */
export function writtenUnquoted(written: unknown, place: UnquotedPlace): unknown {
  if (!(written instanceof Written)) return written;
  const { pieces } = written;
  if (place === "whole" && joinPieces(pieces) === "") return new Written(['""']);
  const places = placesWithin(pieces, place);
  return new Written(
    pieces.map((piece, index) =>
      typeof piece === "string" ? piece : { value: fitting(piece.value, places[index] ?? null) },
    ),
  );
}

function fitting(value: string, place: UnquotedPlace | null): string {
  if (place === null) return value;
  return place === "name" ? value.replace(ENDS_NAME, "") : value.replace(WHITE_SPACE, asReference);
}

const asReference = (character: string): string => `&#${character.charCodeAt(0)};`;
