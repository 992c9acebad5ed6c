import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import {
  countContainingSql,
  countSql,
  OF_LIST,
  OF_TAG,
  OF_WORKSPACE,
  pageSql,
  searchCountSql,
  searchPageSql,
} from "#storage/sqlite/contact-page-sql.ts";
import { migrate } from "#storage/sqlite/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/migrations.gen.ts";
import { searchTermOf, searchTextOf, trigramQuery } from "#storage/sqlite/search-text.ts";

const sqlite = new Database(":memory:", { strict: true });
migrate(sqlite, MIGRATIONS, 0);
afterAll(() => sqlite.close());

const VALUES = { workspace: 1, tag: "vip", list: 1, before: 9, rows: 21, term: "ada", match: '"ada"' };

const planOf = (sql: string): string[] =>
  sqlite
    .query<{ detail: string }, [typeof VALUES]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(VALUES)
    .map(({ detail }) => detail);

describe("lists of contacts cost the same whatever the number of contacts", () => {
  for (const [name, set] of Object.entries({ OF_WORKSPACE, OF_TAG, OF_LIST })) {
    for (const statuses of [CONTACT_STATUSES, ["PENDING"] as const]) {
      test(`${name}, ${statuses.length} statuses: a page walks one index range per status, and sorts nothing else`, () => {
        const plan = planOf(pageSql(set, statuses, false));
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
        for (const sql of [pageSql(set, statuses, true), countContainingSql(set, statuses)]) {
          expect(planOf(sql).filter((line) => /^SCAN (r|c)\b|^SEARCH r .*INTEGER/.test(line))).toEqual([]);
        }
        for (const sql of [searchPageSql(set, statuses), searchCountSql(set, statuses)]) {
          const [found, ...verified] = planOf(sql);
          expect(found).toMatch(/^SCAN s VIRTUAL TABLE INDEX \d+:M/);
          for (const line of verified) expect(line).toMatch(/^SEARCH (c|r)\b/);
        }
      });
    }
  }
});

describe("the trigram query", () => {
  const QUERIES: [string, string | null][] = [
    ["ad", null],
    ["😀😀", null],
    ["ada", '"ada"'],
    ["ada@", '"ada" AND "da@"'],
    ["aaaa", '"aaa"'],
    ['a"b', '"a""b"'],
    ["😀é日x", '"😀é日" AND "é日x"'],
    ["a*b", '"a*b"'],
  ];
  for (const [term, query] of QUERIES) {
    test(`of ${JSON.stringify(term)} is ${query}`, () => expect(trigramQuery(term)).toBe(query));
  }

  test("stays small for a long term", () => {
    const term = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    expect(trigramQuery(term)!.split(" AND ")).toHaveLength(24);
  });

  test("finds a text by every part of it that has three characters", () => {
    const text = searchTextOf("o'neil+1@example.com", 'Ünï "q" *😀* %_', "two\nlines AND OR NOT");
    sqlite.query("INSERT INTO contact_search (rowid, search) VALUES (1, ?)").run(text);
    const hit = sqlite.query("SELECT rowid FROM contact_search WHERE contact_search MATCH ?");
    const characters = Array.from(text);
    for (let from = 0; from < characters.length; from++) {
      for (let to = from + 3; to <= characters.length; to++) {
        expect(hit.all(trigramQuery(characters.slice(from, to).join("")))).toHaveLength(1);
      }
    }
  });
});

test("a term with a line break never spans two fields, and finds one inside a field", () => {
  const text = searchTextOf("ada@example.com", "Ada\nAugusta", "Lovelace");
  expect(text.includes(searchTermOf("ADA\nAug"))).toBe(true);
  expect(text.includes(searchTermOf("Augusta\nLove"))).toBe(false);
});
