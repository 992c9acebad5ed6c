/**
 * What is wrong with a letter. `error`: a send refuses it. `warning`: it is sent all the same, but its author
 * probably did not intend it. Line and column begin at 1 and are places in the body as its author wrote it; null if
 * there is no place, as for another part or the letter as a whole. A column counts UTF-16 units, as editors do.
 */
export type Problem = {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

/** Converts indexes in a text to lines and columns. Ask in ascending order: then the text is read only once. */
export function placesIn(text: string): (index: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  return (index) => {
    for (
      let end = text.indexOf("\n", lineStart);
      end !== -1 && end < index;
      end = text.indexOf("\n", lineStart)
    ) {
      line++;
      lineStart = end + 1;
    }
    return { line, column: index - lineStart + 1 };
  };
}
