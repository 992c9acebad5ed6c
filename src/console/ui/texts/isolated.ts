/** Letters that are read from the right, and marks that turn a text round. */
// oxlint-disable-next-line no-misleading-character-class
const TURNS =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const [BEGIN, END] = ["\u2068", "\u2069"];

/**
 * Somebody's words as a part of a sentence of ours: what is read from the right stays together, and turns nothing
 * round it (UAX #9, FSI and PDI). Without that, the exclamation mark of a Hebrew name stands before the name.
 */
export const isolated = (words: string): string => (TURNS.test(words) ? `${BEGIN}${words}${END}` : words);

/** A sentence as it may be stored. */
export const unmarked = (sentence: string): string => sentence.replaceAll(/[\u2068\u2069]/g, "");

/** The same texts. What they are given is isolated in each that is a sentence with places for names and values. */
export function isolating<T>(texts: T): T {
  if (typeof texts === "function") {
    const says = texts as unknown as (...parts: unknown[]) => unknown;
    const isolatedSays = (...parts: unknown[]): unknown =>
      says(...parts.map((part) => (typeof part === "string" ? isolated(part) : part)));
    return isolatedSays as T;
  }
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, isolating(text)])) as T;
}
