import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { bulkInsert, manyRows } from "#storage/sqlite/engine/writes/bulk-insert.ts";

const sqlite = new Database(":memory:", { strict: true });
sqlite.exec(
  "CREATE TABLE people (seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, age INTEGER, note TEXT) STRICT",
);
const insert = bulkInsert(sqlite, "people", ["name", "age", "note"]);

test.each([0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 100, 1000])(
  "%d rows go in in their order, and their keys come back in it",
  (count) => {
    sqlite.exec("DELETE FROM people");
    const rows = Array.from({ length: count }, (_, i) => [
      `p${(i * 7919) % 10_007}`,
      i,
      i % 2 ? null : "even",
    ]);
    const seqs = insert(rows);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const stored = sqlite.query("SELECT seq, name, age, note FROM people ORDER BY seq").values();
    expect(stored).toEqual(rows.map((row, i) => [seqs[i]!, ...row]));
  },
);

test("a row that is refused throws", () => {
  sqlite.exec("DELETE FROM people");
  const rows = Array.from({ length: 40 }, (_, i) => [`p${i % 35}`, i, null]);
  expect(() => sqlite.transaction(() => insert(rows))()).toThrow("UNIQUE");
  expect(sqlite.query("SELECT count(*) FROM people").values()).toEqual([[0]]);
});

test.each([0, 1, 31, 33, 100])("%d rows of a statement that also updates are each written once", (count) => {
  sqlite.exec(
    "CREATE TABLE IF NOT EXISTS kept (seq INTEGER PRIMARY KEY, note TEXT) STRICT; DELETE FROM kept",
  );
  const put = manyRows(
    sqlite,
    "(?, upper(?))",
    (rows) =>
      `INSERT INTO kept (seq, note) VALUES ${rows} ON CONFLICT (seq) DO UPDATE SET note = excluded.note`,
  );
  for (const word of ["old", "new"]) {
    const rows = Array.from({ length: count }, (_, i) => [i, `${word} ${i}`]);
    put(rows, (statement, values) => statement.run(...values));
    const stored = sqlite.query("SELECT seq, note FROM kept ORDER BY seq").values();
    expect(stored).toEqual(rows.map(([seq, note]) => [seq!, String(note).toUpperCase()]));
  }
});
