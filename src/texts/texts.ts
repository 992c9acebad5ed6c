import type { Language } from "./language.ts";
import { de } from "./languages/de.ts";
import { en, type Texts } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { it } from "./languages/it.ts";
import { nl } from "./languages/nl.ts";
import { pl } from "./languages/pl.ts";
import { pt } from "./languages/pt.ts";

export type { Texts };

const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, it, pt, nl, pl };

export const textsIn = (language: Language): Texts => TEXTS[language];

const PLACE = /\{(\w+)\}/;

/** A text, cut at its places: static text, and the names of places, in turn. */
export const piecesOf = (text: string): readonly string[] => text.split(PLACE);

/** A text with plain values in its places. A value that looks like a place stays as it is. */
export const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  piecesOf(text)
    .map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? "")))
    .join("");
