import type { Block, Column, Letter, Row } from "./letter.ts";

/** The letter's source. A letter that was read and not changed comes back byte for byte. */
export const writeLetter = ({ head, body, rows, after, tail }: Letter): string =>
  head + body.written + rows.map(writeRow).join("") + after + tail;

export const writeRow = (row: Row): string =>
  row.kind === "section"
    ? row.before + row.tag.written + row.columns.map(writeColumn).join("") + row.after + row.close
    : writeBlock(row);

const writeColumn = (column: Column): string =>
  column.before + column.tag.written + column.blocks.map(writeBlock).join("") + column.after + column.close;

export function writeBlock(block: Block): string {
  switch (block.kind) {
    case "locked":
      return block.before + block.written;
    case "text":
    case "button":
    case "raw":
      return block.before + block.tag.written + block.content + block.close;
    case "image":
    case "divider":
    case "spacer":
      return block.before + block.tag.written + block.close;
    case "social":
      return (
        block.before +
        block.tag.written +
        block.links.map((link) => link.before + link.tag.written + link.content + link.close).join("") +
        block.after +
        block.close
      );
  }
}
