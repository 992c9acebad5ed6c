import type { Database, Statement } from "bun:sqlite";

type Value = string | number | null;
type Rows = readonly (readonly Value[])[];

/** How many rows a statement inserts, largest first: every number is a sum of some of these. */
const SIZES = [32, 16, 8, 4, 2, 1] as const;

/**
 * Writes many rows in one statement, which is faster than one by one. The rows keep their order.
 * @param row the placeholders of one row, in parentheses
 * @param statementOf the statement around them
 */
export function manyRows(
  sqlite: Database,
  row: string,
  statementOf: (rows: string) => string,
): (rows: Rows, execute: (statement: Statement<unknown, Value[]>, values: Value[]) => void) => void {
  const made = new Map<number, Statement<unknown, Value[]>>();
  const insertOf = (size: number): Statement<unknown, Value[]> => {
    const known = made.get(size);
    if (known !== undefined) return known;
    const statement = sqlite.query<unknown, Value[]>(statementOf(Array(size).fill(row).join(", ")));
    made.set(size, statement);
    return statement;
  };
  // The others are rarely needed, so they are made on first use. They differ only in the number of rows.
  insertOf(1);

  return (rows, execute) => {
    let done = 0;
    for (const size of SIZES)
      for (; rows.length - done >= size; done += size)
        execute(insertOf(size), rows.slice(done, done + size).flat());
  };
}

/**
 * Adds rows to a table whose key is `seq INTEGER PRIMARY KEY AUTOINCREMENT`, like `manyRows`.
 * @returns the new keys, in the order of the rows
 */
export function bulkInsert(
  sqlite: Database,
  table: string,
  columns: readonly string[],
): (rows: Rows) => number[] {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const insert = manyRows(
    sqlite,
    row,
    (rows) => `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${rows} RETURNING seq`,
  );

  return (rows) => {
    const seqs: number[] = [];
    insert(rows, (statement, values) => {
      for (const [seq] of statement.values(...values)) seqs.push(seq as number);
    });
    // RETURNING promises no order, but AUTOINCREMENT keys grow from row to row.
    return seqs.toSorted((a, b) => a - b);
  };
}
