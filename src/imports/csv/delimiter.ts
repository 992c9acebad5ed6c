/** What stands between two cells. Spreadsheets use a semicolon where the comma is the decimal sign. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How Excel names it: a first line with nothing else. Programs that quote every cell quote it too. */
const SEPARATOR_LINE = /^("?)sep=([,;\t|])\1$/i;

export type Separated = { readonly delimiter: Delimiter; readonly linesBefore: number };

/**
 * The delimiter of a file. Its first line may name it (`sep=;`); else it is the one that its header has most
 * often outside quotes.
 * @param start the beginning of the file, with line ends of any kind
 */
export function delimiterOf(start: string): Separated {
  const text = start.startsWith("\uFEFF") ? start.slice(1) : start;
  const named = SEPARATOR_LINE.exec(/^[^\r\n]*/.exec(text)?.[0] ?? "")?.[2];
  if (named !== undefined) return { delimiter: named as Delimiter, linesBefore: 1 };
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") break;
    else counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const countOf = (delimiter: Delimiter): number => counts.get(delimiter) ?? 0;
  const delimiter = DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ",";
  return { delimiter, linesBefore: 0 };
}
