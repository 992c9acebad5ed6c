import type { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { holds } from "#segments/holds.ts";
import type { Person } from "#segments/person.ts";
import type { Rule, ValueTest } from "#segments/rule.ts";
import { storedRule } from "#segments/rules-input.ts";
import { dice } from "../../support/common/dice.ts";
import { randomPerson, randomRules, SCORING, SEGMENTS } from "../../support/people/segment-dice.ts";
import { event, NOW, personWith, segmentWorld } from "../../support/people/segment-world.ts";

/** The rule in memory and the query are two programs: they have to find the same people. */

const PEOPLE = 60;
const RULES = 500;

/** How the query asks for the properties of an event. */
const PROPERTIES = "coalesce(e.properties, (SELECT l.properties FROM events AS l WHERE l.seq = e.seq))";

const of = dice(15);
/** The last ones are for what chance meets too seldom. */
const people = [
  ...Array.from({ length: PEOPLE - 2 }, (_, place) => randomPerson(of, place)),
  personWith({ attributes: { size: ["größe"] }, events: [event("seen", 1, { a: "größe" })], score: 1 }),
  personWith({ contact: { email: "ada@shop.xn--bcher-kva.example" } }),
];
/** Rules for the same: folded texts in lists and in properties, pieces of a domain, also as people write it. */
const RARE: readonly unknown[] = [
  { field: "attributes.size", op: "contains", value: "GRÖSSE" },
  { field: "attributes.plan", op: "contains", value: "größe" },
  { field: "domain", op: "startsWith", value: "MAIL." },
  { field: "domain", op: "endsWith", value: ".BÜCHER.example" },
  { field: "domain", op: "notContains", value: "bücher" },
  { field: "email", op: "equals", value: "ada@shop.Bücher.example" },
  {
    field: "event",
    op: "atLeast",
    value: 1,
    name: "seen",
    where: [{ property: "a", op: "contains", value: "ss" }],
  },
];
const rules = [...RARE, ...Array.from({ length: RULES }, () => randomRules(of))];
const world = segmentWorld(people, { segments: SEGMENTS, scoring: SCORING });
afterAll(() => world.close());

type Sides = {
  /** What is asked in memory, and of whom. */
  readonly inMemory?: (rule: Rule) => Rule;
  readonly person?: (person: Person) => Person;
  /** What the query reads from. */
  readonly reader?: Database;
};

/** The first rules for which the two find different people. */
function disagreements(
  { inMemory = (rule) => rule, person = (each) => each, reader }: Sides,
  most = 1,
): unknown[] {
  const asked = { now: NOW, ruleOf: world.ruleOf };
  const seen = people.map(person);
  const found: unknown[] = [];
  for (const sent of rules) {
    const rule = storedRule(sent);
    const held = seen.flatMap((each, place) => (holds(inMemory(rule), each, asked) ? [place] : []));
    const queried = world.query(rule, reader);
    if (JSON.stringify(held) !== JSON.stringify(queried)) found.push({ sent, held, queried });
    if (found.length === most) break;
  }
  return found;
}

test(`${RULES} random rules find the same among ${PEOPLE} random people in memory and in the database`, () => {
  expect(RULES * PEOPLE).toBeGreaterThanOrEqual(20_000);
  expect(disagreements({}, 3)).toEqual([]);
});

test("nearly every rule that is tried has somebody, and somebody it leaves out", () => {
  const sizes = rules.map((sent) => world.query(storedRule(sent)).length);
  const telling = sizes.filter((size) => size > 0 && size < PEOPLE).length;
  expect(telling).toBeGreaterThan(RULES * 0.6);
});

describe("a rule in memory that means something else is caught", () => {
  const SWAPS: readonly (readonly [ValueTest["op"], ValueTest["op"]])[] = [
    ["equals", "contains"],
    ["notEquals", "notContains"],
    ["contains", "startsWith"],
    ["notContains", "notEquals"],
    ["startsWith", "endsWith"],
    ["endsWith", "contains"],
    ["exists", "notExists"],
    ["notExists", "exists"],
    ["greaterThan", "lessThan"],
    ["lessThan", "greaterThan"],
    ["before", "after"],
    ["after", "before"],
    ["withinDays", "notWithinDays"],
    ["notWithinDays", "withinDays"],
  ];
  test.each(SWAPS)("%s as %s", (op, wrong) => {
    expect(disagreements({ inMemory: (rule) => changed(rule, { [op]: wrong }) })).toHaveLength(1);
  });

  test.each([
    ["atLeast", "exactly"],
    ["atMost", "atLeast"],
    ["exactly", "atMost"],
    ["all", "any"],
    ["any", "all"],
    ["received", "opened"],
    ["opened", "clicked"],
    ["clicked", "received"],
    ["lastName", "firstName"],
    ["domain", "email"],
  ])("%s as %s", (word, wrong) => {
    expect(disagreements({ inMemory: (rule) => changed(rule, { [word]: wrong }) })).toHaveLength(1);
  });

  test("a negation that is left out; days that are not looked at", () => {
    const positive = (rule: Rule): Rule =>
      JSON.parse(JSON.stringify(rule).replaceAll('"is":false', '"is":true')) as Rule;
    expect(disagreements({ inMemory: positive })).toHaveLength(1);
    const ever = (rule: Rule): Rule =>
      JSON.parse(JSON.stringify(rule).replaceAll(/"withinDays":[\d.]+/g, '"withinDays":null')) as Rule;
    expect(disagreements({ inMemory: ever })).toHaveLength(1);
  });

  test("somebody whose list, tag or score is not seen", () => {
    const changes: readonly ((person: Person) => Person)[] = [
      (person) => ({ ...person, listIds: new Set() }),
      (person) => ({ ...person, score: person.score + 1 }),
      (person) => ({ ...person, contact: { ...person.contact, tags: [] } }),
    ];
    for (const person of changes) expect(disagreements({ person })).toHaveLength(1);
  });
});

describe("a query that means something else is caught", () => {
  test.each([
    ["NULs of the missing kind: a text that is no text", "= 'text'", "<> 'array'"],
    ["texts that SQLite does not fold", "a.folded ->> $path", "NULL"],
    ["lists that SQLite does not fold", "json_type(a.folded, $path) IS NULL", "1"],
    ["a number that is no number", "IN ('integer', 'real')", "IS NOT NULL"],
    ["empty texts that count as values", "<> ''", "IS NOT NULL"],
    ["the beginning for the end", "-length($value)", "1, length($value)"],
    ["a name that has it anywhere", "$value) = 1", "$value) > 0"],
    ["what comes later than now", "e.created_at <= $now", "1"],
    ["what came earlier", "e.created_at >= $since", "1"],
    ["just now, and not within the days", "c.created_at >= $since", "c.created_at > $since"],
    ["before or at", "c.created_at < $at", "c.created_at <= $at"],
    ["mail that was not accepted", "d.state = 'sent'", "1"],
    ["any campaign for one", "d.mailing = $mailing", "1"],
    ["mail of no campaign", "kind = 'campaign' AND", ""],
    ["another workspace's mail", "AND workspace = $workspace)", ")"],
    ["another workspace's events", "e.workspace = $workspace", "e.workspace > 0"],
    ["events that are not indexed yet", "FROM events AS e", "FROM (SELECT * FROM events WHERE 0) AS e"],
    ["another list", "list = $list", "list > 0"],
    ["another tag", "tag = $tag", "tag > ''"],
    ["what JSON has nowhere", `length(${PROPERTIES}) <> octet_length(${PROPERTIES})`, "0"],
    ["candidates by attribute: the next one", "ON a.contact = w.value", "ON a.contact = w.value + 1"],
    ["candidates by name: the next one", "ON c.seq = w.value", "ON c.seq = w.value + 1"],
    ["candidates by event: later ones too", "e.seq = k.seq", "e.seq >= k.seq"],
    ["candidates by event: those of the log twice", "k.seq <= $indexed", "k.seq > 0"],
    [
      "events with long properties",
      "coalesce(e.properties, (SELECT l.properties FROM",
      "coalesce(e.properties, (SELECT '{}' FROM",
    ],
  ])("%s", (_, right, wrong) => {
    const changedSql = readerWith(right, wrong);
    expect(disagreements({ reader: changedSql.reader })).toHaveLength(1);
    expect(changedSql.uses()).toBeGreaterThan(0);
  });
});

/** The database, with one text of every query in place of another. */
function readerWith(right: string, wrong: string): { reader: Database; uses: () => number } {
  let uses = 0;
  const reader = new Proxy(world.sqlite, {
    get: (sqlite, name) =>
      name === "query"
        ? (sql: string) => {
            if (sql.includes(right)) uses++;
            return sqlite.query(sql.replaceAll(right, wrong));
          }
        : (Reflect.get(sqlite, name) as unknown),
  });
  return { reader, uses: () => uses };
}

/** A rule with words in place of others: ops, kinds of groups, fields. */
const changed = (rule: Rule, words: Readonly<Record<string, string>>): Rule =>
  JSON.parse(JSON.stringify(rule), (_, value: unknown) =>
    typeof value === "string" && Object.hasOwn(words, value) ? words[value] : value,
  ) as Rule;
