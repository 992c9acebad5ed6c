/**
 * Finds quotes that swallow lines. The parser takes a quote in the middle of a quoted cell as it stands (`"5" TV`). If
 * the cell began on an earlier line, its first quote was a stray one, and the lines between are other people.
 */

/** Stands before the quote that ends such a cell. A row with this text in a cell could not be read. */
const STRAY_QUOTE = "\0stray quote\0";
const MARK = Buffer.from(STRAY_QUOTE);

const QUOTE = 0x22;
const LF = 0x0a;
const BOM = Buffer.from("\uFEFF");

/**
 * Passes on the bytes with a mark in each cell that swallows lines.
 * @param lines whole lines in each piece; the first begins a row
 */
export async function* strayQuotes(lines: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const between = delimiter.charCodeAt(0);
  const isEdge = (byte: number | undefined): boolean => byte === undefined || byte === LF || byte === between;
  let isOpen = false;
  let bomBytes = BOM.length;
  for await (const piece of lines) {
    if (bomBytes > 0 && !piece.subarray(0, bomBytes).equals(BOM)) bomBytes = 0;
    let openedAt = -1;
    let from = 0;
    const marked: Buffer[] = [];
    for (let at = piece.indexOf(QUOTE); at !== -1; at = piece.indexOf(QUOTE, at + 1)) {
      if (!isOpen) {
        isOpen = at === bomBytes || isEdge(piece[at - 1]);
        openedAt = at;
      } else if (piece[at + 1] === QUOTE) at++;
      else {
        isOpen = false;
        if (isEdge(piece[at + 1])) continue;
        if (openedAt !== -1 && !piece.subarray(openedAt, at).includes(LF)) continue;
        marked.push(piece.subarray(from, at), MARK);
        from = at;
      }
    }
    yield marked.length === 0 ? piece : Buffer.concat([...marked, piece.subarray(from)]);
    bomBytes = 0;
  }
}

/**
 * What is wrong with the row, or null.
 * @param line where the row begins
 */
export function strayQuoteIn(cells: readonly string[], line: number, endLine: number): string | null {
  const place = cells.findIndex((cell) => cell.includes(STRAY_QUOTE));
  if (place === -1) return null;
  const opens = cells.slice(0, place).reduce((at, cell) => at + lineEndsIn(cell), line);
  const [before = ""] = (cells[place] ?? "").split(STRAY_QUOTE);
  return (
    `a quote opens in line ${opens} and is closed only in line ${opens + lineEndsIn(before)}, in the middle of a cell: ` +
    `lines ${line} to ${endLine} were not imported. Remove the stray quote, or double it if it belongs to the text, ` +
    "and import these lines again"
  );
}

/** Nearly no cell has a line end, and then nothing is split. */
export const lineEndsIn = (cell: string): number => (cell.includes("\n") ? cell.split("\n").length - 1 : 0);
