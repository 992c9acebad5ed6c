import type { Database } from "bun:sqlite";

type Value = string | number | null;

/** How many rows a statement inserts, the largest first: every number is the sum of a few of these. */
const SIZES = [32, 16, 8, 4, 2, 1] as const;

/**
 * Adds rows to a table whose key is `seq INTEGER PRIMARY KEY AUTOINCREMENT`, many in one statement: one by
 * one takes longer.
 * @returns the new keys, in the order of the rows
 */
export function bulkInsert(
  sqlite: Database,
  table: string,
  columns: readonly string[],
): (rows: readonly (readonly Value[])[]) => number[] {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const statements = SIZES.map((size) => ({
    size,
    insert: sqlite.query<unknown, Value[]>(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${Array(size).fill(row).join(", ")} RETURNING seq`,
    ),
  }));

  return (rows) => {
    if (rows.length === 0) return [];
    const seqs: number[] = [];
    for (const { size, insert } of statements)
      while (rows.length - seqs.length >= size) {
        const next = rows.slice(seqs.length, seqs.length + size);
        for (const [seq] of insert.values(...next.flat())) seqs.push(seq as number);
      }
    // RETURNING promises no order, but the keys of an AUTOINCREMENT grow from row to row.
    return seqs.toSorted((a, b) => a - b);
  };
}
