import { COLUMN_TYPES, typedCell, type ColumnType } from "./column-type.ts";

const TYPES_FOUND = COLUMN_TYPES.filter((type) => type !== "text");

/**
 * Finds what all cells of a column are. Empty ones say nothing. `text` where they differ, or where two types read them
 * differently: `03/04/2026`, `1.234`, a column of 0 and 1.
 */
export function typeFinder() {
  let types: readonly ColumnType[] = TYPES_FOUND;
  /** Two types that read a cell differently. Cells are not kept: there may be half a million. */
  const differ = new Set<string>();
  let isBlank = true;
  return {
    look(cell: string): void {
      if (types.length === 0 || cell.trim() === "") return;
      isBlank = false;
      const read = types.flatMap((type) => {
        const value = typedCell(type, cell);
        return value === null ? [] : [{ type, value }];
      });
      for (const [place, { type, value }] of read.entries())
        for (const other of read.slice(place + 1))
          if (other.value !== value) differ.add(`${type} ${other.type}`);
      types = read.map(({ type }) => type);
    },
    found(): ColumnType {
      const [first, ...others] = types;
      if (first === undefined || isBlank) return "text";
      return others.some((other) => differ.has(`${first} ${other}`)) ? "text" : first;
    },
  };
}
