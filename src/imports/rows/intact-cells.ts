/** Cells as they are meant, and those that could not be read, because the file is not in one encoding. */
import { unguardCell } from "#contacts/spreadsheet-cell.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { Source } from "#imports/sources/source.ts";

/** What stands where a letter could not be read. */
const DAMAGED = "\uFFFD";

/** A cell with such a letter counts as empty. */
export function intactIn(cells: readonly string[], place: number): string {
  const text = cells[place] ?? "";
  return text.includes(DAMAGED) ? "" : text;
}

/** Makes the reader of a cell without the sign that keeps spreadsheets from running it. */
export function cellReader(source: Source | null) {
  const isGuarded = source === null || source.isGuarded === true;
  return (cells: readonly string[], place: number): string => {
    const text = intactIn(cells, place);
    return isGuarded ? unguardCell(text) : text;
  };
}

export const checkEncoding = (cells: readonly string[]): Result<null> =>
  cells.some((text) => text.includes(DAMAGED))
    ? invalid("the row is not written in the file's encoding: save the file as UTF-8")
    : accept(null);
