import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import {
  ceilingSql,
  countSql,
  floorSql,
  foundSql,
  OF_LIST,
  OF_TAG,
  OF_WORKSPACE,
  pageSql,
  readThroughCountSql,
  searchCountSql,
  searchPageSql,
  SEQUENTIAL_COUNT_SQL,
  walkSql,
} from "#storage/sqlite/contacts/contact-page-sql.ts";
import { OPENS } from "#storage/sqlite/contacts/last-opens.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { searchTermOf, searchTextOf, trigramsOf } from "#storage/common/engine/search-text.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import { trigramIndex } from "#storage/sqlite/search/trigram-index.ts";

const sqlite = new Database(":memory:", { strict: true });
migrate(sqlite, MIGRATIONS, 0);
afterAll(() => sqlite.close());

const VALUES = {
  workspace: 1,
  tag: "vip",
  list: 1,
  before: 9,
  floor: 1,
  after: 1,
  through: 9,
  rows: 21,
  term: "ada",
  match: '"ada"',
  candidates: "[1]",
};

/** A contact that is shown brings its attributes: one look by its number. */
const ATTRIBUTES = /^SEARCH contact_attributes USING INTEGER PRIMARY KEY \(rowid=\?\)$/;

const planOf = (sql: string): string[] =>
  sqlite
    .query<{ detail: string }, [typeof VALUES]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(VALUES)
    .map(({ detail }) => detail);

describe("lists of contacts cost the same whatever the number of contacts", () => {
  for (const [name, set] of Object.entries({ OF_WORKSPACE, OF_TAG, OF_LIST })) {
    for (const statuses of [CONTACT_STATUSES, ["PENDING"] as const]) {
      test(`${name}, ${statuses.length} statuses: a page walks one index range per status, and sorts nothing else`, () => {
        const plan = planOf(pageSql(set, statuses, true));
        const plain = planOf(pageSql(set, statuses, false));
        expect([plan, plain].map((lines) => lines.filter((line) => ATTRIBUTES.test(line)).length)).toEqual([
          1, 0,
        ]);
        const walked = plan.filter((line) =>
          /^SEARCH r USING .*(PRIMARY KEY|COVERING INDEX contacts_by_status)/.test(line),
        );
        expect(walked).toHaveLength(statuses.length);
        for (const line of walked) expect(line).toMatch(/status=\? AND (seq|contact)<\?/);
        // Only what the ranges were cut to is read in full: at most one page per status.
        for (const line of plan.filter((each) => each.startsWith("SCAN")))
          expect(line).toMatch(/^SCAN (newest|\(subquery-\d+\))$/);
        if (statuses.length === 1) expect(plan.join()).not.toContain("TEMP B-TREE");
      });

      test(`${name}, ${statuses.length} statuses: a total is read, not counted`, () => {
        for (const line of planOf(countSql(set, statuses)))
          expect(line).toMatch(/^SEARCH (contact|list)_counts USING PRIMARY KEY/);
      });

      test(`${name}, ${statuses.length} statuses: with q nobody outside the set is read, or only by the trigram index`, () => {
        const read = [walkSql, readThroughCountSql, floorSql].map((sqlOf) => sqlOf(set, statuses));
        for (const sql of [...read, ceilingSql(set)]) {
          expect(planOf(sql).filter((line) => /^SCAN (r|c)\b|^SEARCH r .*INTEGER/.test(line))).toEqual([]);
          for (const line of planOf(sql).filter((each) => each.startsWith("SEARCH r")))
            expect(line).toMatch(/status=\? AND (seq|contact)[<>]\?/);
        }
        for (const sql of [searchPageSql(set, statuses), searchCountSql(set)]) {
          const [found, ...verified] = planOf(sql);
          expect(found).toMatch(/^SCAN s VIRTUAL TABLE INDEX \d+:M/);
          for (const line of verified.filter((each) => !ATTRIBUTES.test(each)))
            expect(line).toMatch(/^(SEARCH (c|r)|CORRELATED)\b/);
        }
        const [candidates, ...verified] = planOf(foundSql(set, statuses));
        expect(candidates).toMatch(/^SCAN json_each\b/);
        for (const line of verified) expect(line).toMatch(/^(SEARCH (c|r)|CORRELATED)\b/);
      });
    }
  }
});

test("a slice of a sequential count reads its range of the table and no more", () => {
  expect(planOf(SEQUENTIAL_COUNT_SQL)).toEqual(["SEARCH c USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]);
});

test("the last open of a contact is found in that contact's own messages", () => {
  const plan = sqlite
    .query<{ detail: string }, [number, number]>(`EXPLAIN QUERY PLAN ${OPENS}`)
    .all(1, 0)
    .map(({ detail }) => detail)
    .filter((line) => /^(SCAN|SEARCH|USE)/.test(line));
  expect(plan).toEqual([
    "SEARCH d USING INDEX deliveries_by_contact (contact=? AND rowid>?)",
    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
    "SCAN (subquery-2)",
  ]);
});

describe("the trigrams", () => {
  const TEXTS: [string, string[]][] = [
    ["ad", []],
    ["😀😀", []],
    ["ada", ["ada"]],
    ["ada@", ["ada", "da@"]],
    ["aaaa", ["aaa"]],
    ['a"b', ['a"b']],
    ["😀é日x", ["😀é日", "é日x"]],
  ];
  for (const [text, trigrams] of TEXTS) {
    test(`of ${JSON.stringify(text)} are ${JSON.stringify(trigrams)}`, () =>
      expect(trigramsOf(text)).toEqual(trigrams));
  }
});

describe("the trigram index", () => {
  const text = searchTextOf("o'neil+1@example.com", 'Ünï "q" *😀* %_', "two\nlines AND OR NOT");
  const index = trigramIndex(sqlite);
  sqlite.exec("INSERT INTO workspaces (seq, id, created_at) VALUES (1, 'ws_1', 0)");
  const insert = sqlite.query(
    `INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, status, search, created_at)
     VALUES (?1, 'ct_' || ?1, 1, ?1, '', '', 'SUBSCRIBED', ?2, 0)`,
  );
  insert.run(1, text);
  for (let seq = 2; seq <= 900; seq++) insert.run(seq, searchTextOf(`reader-${seq}@example.org`, "", ""));
  searchIndex(sqlite).advance(1000);

  test("has nothing for a term without trigrams", () => expect(index.candidates("ad", true)).toBeNull());

  test("names everybody who has a term, by every part of a text that has three characters", () => {
    const characters = Array.from(text);
    for (let from = 0; from < characters.length; from++)
      for (let to = from + 3; to <= characters.length; to++) {
        const { few } = index.candidates(characters.slice(from, to).join(""), true)!;
        if (few !== null) expect(few).toContain(1);
      }
    expect(index.candidates("neil", true)!.few).toEqual([1]);
  });

  test("names nobody where they are many, and then asks for them in pieces", () => {
    const { few, match } = index.candidates("reader-", true)!;
    expect(few).toBeNull();
    expect(index.candidateAfter(match, 0, 500)).toBe(501);
    expect(index.candidateAfter(match, 501, 500)).toBeNull();
  });

  test("is asked for few trigrams, the rarest, also for a long term", () => {
    expect(index.candidates("r-777@example.org", false)!.match).toMatch(/^"(777|77@|-77)"/);
    expect(index.candidates("r-777@example.org", false)!.match).not.toContain("exa");
    const term = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    expect(index.candidates(term, true)!).toMatchObject({ few: [] });
    expect(index.candidates(term, false)!.match.split(" AND ").length).toBeLessThanOrEqual(24);
  });
});

test("a term with a line break never spans two fields, and finds one inside a field", () => {
  const text = searchTextOf("ada@example.com", "Ada\nAugusta", "Lovelace");
  expect(text.includes(searchTermOf("ADA\nAug"))).toBe(true);
  expect(text.includes(searchTermOf("Augusta\nLove"))).toBe(false);
});
