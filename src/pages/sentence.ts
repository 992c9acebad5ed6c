import { piecesOf } from "#texts/texts.ts";
import { html, type Html, type Insert } from "./html.ts";

/** A text of the catalogue as HTML: its own words escaped, and these values in its places. */
export function sentence(text: string, values: Readonly<Record<string, Insert>>): Html {
  const pieces = piecesOf(text);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")))}`;
}

/** An address or a name that somebody typed, in a sentence: its direction does not turn the words around it. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

export const important = (text: string): Html => html`<strong><bdi>${text}</bdi></strong>`;
