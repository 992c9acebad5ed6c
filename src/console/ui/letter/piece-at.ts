import type { Block, Letter, Row, Section } from "./letter.ts";
import { writeBlock, writeRow } from "./write-letter.ts";

export type SourcePlace = { readonly line: number; readonly column: number };

/**
 * The block or row whose source holds this place; the section, where it is in none of its blocks. Null where
 * it is in none of them, such as in the head of the letter.
 * @param source what the letter was read from
 */
export function pieceAt(letter: Letter, source: string, place: SourcePlace): Block | Row | null {
  const offset = offsetOf(source, place);
  let end = letter.head.length + letter.body.written.length;
  if (offset < end) return null;
  for (const row of letter.rows) {
    const start = end;
    end += writeRow(row).length;
    if (offset < end) return row.kind === "section" ? (blockAt(row, start, offset) ?? row) : row;
  }
  return null;
}

function blockAt(section: Section, start: number, offset: number): Block | null {
  let end = start + section.before.length + section.tag.written.length;
  for (const column of section.columns) {
    end += column.before.length + column.tag.written.length;
    if (offset < end) return null;
    for (const block of column.blocks) {
      end += writeBlock(block).length;
      if (offset < end) return block;
    }
    end += column.after.length + column.close.length;
  }
  return null;
}

/** A place past its line's end is the last one of it. The white space at its beginning belongs to what follows. */
function offsetOf(source: string, { line, column }: SourcePlace): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = source.indexOf("\n", start);
    if (end === -1) return source.length;
    start = end + 1;
  }
  const end = source.indexOf("\n", start);
  const last = Math.max(start, (end === -1 ? source.length : end) - 1);
  return Math.min(start + column - 1, last);
}
