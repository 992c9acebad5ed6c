import type { AttributeValue } from "#attributes/attribute.ts";
import { COLUMN_TYPES, typedCell, type ColumnType } from "./column-type.ts";

const TYPES_FOUND = COLUMN_TYPES.filter((type) => type !== "text");

/** From Madrid to Warsaw phone numbers are written so, and hardly ever a number of a person. */
const PHONE = /^\s*\d{3}[ \u00A0\u202F]\d{3}[ \u00A0\u202F]\d{3}\s*$/;

/**
 * Finds what all cells of a column are. Empty ones say nothing. `text` where they differ, or where two types read them
 * differently: `03/04/2026`, `1.234`, a column of 0 and 1. And where there is only one answer: the `NO` of a country and
 * the `F` of a sex are no.
 */
export function typeFinder() {
  let types: readonly ColumnType[] = TYPES_FOUND;
  /** Two types that read a cell differently. Cells are not kept: there may be half a million. */
  const differ = new Set<string>();
  const answers = new Set<AttributeValue>();
  let isBlank = true;
  return {
    look(cell: string): void {
      if (types.length === 0 || cell.trim() === "") return;
      isBlank = false;
      const read = types.flatMap((type) => {
        const value = typedCell(type, cell);
        return value === null ? [] : [{ type, value }];
      });
      for (const [place, { type, value }] of read.entries()) {
        if (type === "boolean") answers.add(value);
        for (const other of read.slice(place + 1))
          if (other.value !== value) differ.add(`${type} ${other.type}`);
      }
      types = PHONE.test(cell) ? [] : read.map(({ type }) => type);
    },
    found(): ColumnType {
      const [first, ...others] = types;
      if (first === undefined || isBlank) return "text";
      if (first === "boolean" && answers.size < 2) return "text";
      return others.some((other) => differ.has(`${first} ${other}`)) ? "text" : first;
    },
  };
}
