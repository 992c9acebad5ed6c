/**
 * Characters that a terminal, a log viewer or an editor carries out instead of showing: control characters
 * (C0, DEL, C1), the Unicode line separators, and the marks that change the direction of writing (UAX #9),
 * which can make one name look like another.
 */
// oxlint-disable-next-line no-misleading-character-class
export const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Any text on one line, with each such character written out: `\n`, `\x1b`, `\u202e`. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped);

/** `printable` for each line; the line ends stay. */
export const printableLines = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (char, at: number) =>
    char === "\n" || (char === "\r" && text[at + 1] === "\n") ? char : escaped(char),
  );

/**
 * JSON with the same meaning that is safe to show. `JSON.stringify` alone leaves DEL, C1 and the direction
 * marks as they are.
 */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(UNPRINTABLE, (char) => `\\u${hex(char).padStart(4, "0")}`);

function escaped(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  return char <= "\xFF" ? `\\x${hex(char).padStart(2, "0")}` : `\\u${hex(char)}`;
}

const hex = (char: string): string => char.charCodeAt(0).toString(16);
