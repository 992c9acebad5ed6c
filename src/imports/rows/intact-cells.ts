/** Cells that could not be read, because the file is not in one encoding. */
import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** What stands where a letter could not be read. */
const DAMAGED = "\uFFFD";

/** A cell with such a letter counts as empty. */
export function intactIn(cells: readonly string[], place: number): string {
  const text = cells[place] ?? "";
  return text.includes(DAMAGED) ? "" : text;
}

export const checkEncoding = (cells: readonly string[]): Result<null> =>
  cells.some((text) => text.includes(DAMAGED))
    ? invalid("the row is not written in the file's encoding: save the file as UTF-8")
    : accept(null);
