import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { ContactBits } from "#storage/sqlite/segments/sets/contact-bits.ts";
import { CANDIDATES, sweepRows, type Sweep } from "#storage/sqlite/segments/sets/sweep.ts";

const EVENTS = 12_000;
const BYTES_EACH = 2_000;

let sqlite: Database;
beforeAll(() => {
  sqlite = new Database(":memory:", { strict: true });
  sqlite.run("CREATE TABLE events (seq INTEGER PRIMARY KEY, contact INTEGER, properties TEXT)");
  // Most are one contact's.
  sqlite.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
    INSERT INTO events SELECT i, max(i - ${EVENTS - 9}, 1), json_object('a', printf('%.*c', ${BYTES_EACH}, 'x')) FROM n`);
});
afterAll(() => sqlite.close());

const WHAT = "SELECT e.contact, e.properties AS properties FROM";
const everybody = new ContactBits(9);
for (let contact = 1; contact <= 9; contact++) everybody.add(contact);

test.each<[string, Sweep]>([
  [
    "of a table",
    {
      sql: `${WHAT} events AS e WHERE e.seq > $after AND e.seq <= $through`,
      values: {},
      after: 0,
      through: EVENTS,
    },
  ],
  [
    "of what some contacts have",
    {
      sql: `${WHAT} ${CANDIDATES} CROSS JOIN events AS e ON e.contact = w.value`,
      values: {},
      among: everybody,
    },
  ],
])("a pass %s has few long values in memory at a time, and leaves none out", (_, of) => {
  const parse = spyOn(JSON, "parse");
  const rows = new Map<number, number>();
  sweepRows(sqlite, of, ["properties"], (contact, [properties = []], row) => {
    expect(Object.keys(properties[row] as object)).toEqual(["a"]);
    rows.set(contact, (rows.get(contact) ?? 0) + 1);
  });
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect([...rows]).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((contact) => [contact, contact === 1 ? EVENTS - 8 : 1]),
  );
  expect(longest).toBeLessThan((EVENTS / 2) * BYTES_EACH);
});
