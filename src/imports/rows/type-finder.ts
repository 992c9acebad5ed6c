import { COLUMN_TYPES, typedCell, type ColumnType } from "./column-type.ts";

const TYPES_FOUND = COLUMN_TYPES.filter((type) => type !== "text");

/**
 * Finds what all cells of a column are. Empty ones say nothing. `text` where they differ, or where two types read them
 * differently: `03/04/2026`, `1.234`, a column of 0 and 1.
 */
export function typeFinder() {
  let types: readonly ColumnType[] = TYPES_FOUND;
  const cells: string[] = [];
  return {
    look(cell: string): void {
      if (types.length === 0 || cell.trim() === "") return;
      types = types.filter((type) => typedCell(type, cell) !== null);
      cells.push(cell);
    },
    found(): ColumnType {
      const [first, ...others] = types;
      if (first === undefined || cells.length === 0) return "text";
      const isClear = cells.every((cell) =>
        others.every((other) => typedCell(other, cell) === typedCell(first, cell)),
      );
      return isClear ? first : "text";
    },
  };
}
