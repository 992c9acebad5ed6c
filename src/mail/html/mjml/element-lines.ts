/**
 * A source in which each element begins a new line, so that a compiler's message about a line is about one
 * element only. `startOf` turns such a line, counted from 1, into the place of the element in the original
 * source.
 */
export type ElementLines = { readonly text: string; startOf(line: number): number | null };

/** More elements than a letter has. For each element, the compiler searches its line from the last line on. */
const ELEMENTS_MAX = 5_000;

/** Null if the source has too many elements. */
export function elementLines(source: string): ElementLines | null {
  const starts: number[] = [0];
  const parts: string[] = [];
  let copied = 0;
  for (const { index, 0: found } of source.matchAll(/\n|<(?=[a-z])/gi)) {
    if (starts.length > ELEMENTS_MAX) return null;
    if (found === "\n") starts.push(index + 1);
    else {
      starts.push(index);
      parts.push(source.slice(copied, index));
      copied = index;
    }
  }
  parts.push(source.slice(copied));
  return { text: parts.join("\n"), startOf: (line) => starts[line - 1] ?? null };
}
