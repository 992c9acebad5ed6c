import { fold } from "#core/text/fold.ts";

/**
 * The text in which `q` is searched: each field normalized, one line each. Line breaks inside a field become
 * carriage returns, here and in the query, so that a match never spans two fields.
 */
export function searchTextOf(...fields: string[]): string {
  return fields.map(normalized).join("\n");
}

/**
 * `q` in its normalized form. Empty: no filter. If `q` is only NUL, one NUL stays: no stored text has it, so
 * nothing is found.
 */
export function searchTermOf(text: string): string {
  const term = normalized(text);
  return term === "" && text !== "" ? "\0" : term;
}

const normalized = (text: string): string => fold(text).replaceAll("\n", "\r");

/**
 * The distinct sequences of three characters in a text, as SQLite's trigram tokenizer makes them; none in a shorter
 * text.
 */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= characters.length; i++) trigrams.add(characters.slice(i, i + 3).join(""));
  return [...trigrams];
}
