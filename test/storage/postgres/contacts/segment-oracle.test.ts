import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { parseDateOrTime } from "#core/time/date-time.ts";
import { DAY_MS } from "#core/time/time.ts";
import { holds } from "#segments/holds.ts";
import type { DateTest } from "#segments/rule.ts";
import { storedRule } from "#segments/rules-input.ts";
import { fits } from "#segments/value-test.ts";
import { jsonValueSql } from "#storage/postgres/segments/value-sql.ts";
import { StatementValues } from "#storage/postgres/segments/statement-values.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { dice, seededRandom } from "../../../support/common/dice.ts";
import { copySegmentWorld, queriedInPostgres } from "../../../support/people/postgres-segment-world.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";
import { randomPerson, randomRules, SCORING, SEGMENTS } from "../../../support/people/segment-dice.ts";
import { event, NOW, personWith, segmentWorld } from "../../../support/people/segment-world.ts";

/** The rule in memory and the statement for PostgreSQL are two programs: they have to find the same people. */

const RULES = 150;

const of = dice(16);
const people = [
  ...Array.from({ length: 48 }, (_, place) => randomPerson(of, place)),
  personWith({
    attributes: { size: ["größe"], date: "0000-02-29T23:59:59.9994+14:00" },
    events: [event("seen", 1, { a: "größe", "-1": 1, list: [1, ["x"]] })],
    score: 1,
  }),
  personWith({ contact: { email: "ada@shop.xn--bcher-kva.example" } }),
];
/** What chance meets too seldom. */
const seen = (property: string, op: string, value: unknown) => ({
  field: "event",
  op: "atLeast",
  value: 1,
  name: "seen",
  where: [{ property, op, value }],
});
const RARE: readonly unknown[] = [
  { field: "attributes.size", op: "contains", value: "GRÖSSE" },
  { field: "domain", op: "startsWith", value: "MAIL." },
  { field: "domain", op: "endsWith", value: ".BÜCHER.example" },
  { field: "domain", op: "notContains", value: "bücher" },
  { field: "email", op: "equals", value: "ada@shop.Bücher.example" },
  { field: "attributes.date", op: "before", value: "0000-03-01" },
  { field: "attributes.date", op: "after", value: "0000-02-29T09:59:59.998Z" },
  { field: "list", op: "equals", value: "\0" },
  { field: "attributes.size", op: "contains", value: "\0" },
  seen("a", "contains", "SS"),
  seen("-1", "equals", 1),
  seen("list.-1.0", "equals", "x"),
  seen("list.1.0", "equals", "X"),
  seen("list.01.0", "equals", "x"),
  seen("a\0", "exists", null),
];
const rules = [...RARE, ...Array.from({ length: RULES }, () => randomRules(of))].map(storedRule);

describe.skipIf(await lacksPostgres())("rules on PostgreSQL", () => {
  const world = segmentWorld(people, { segments: SEGMENTS, scoring: SCORING });
  let place: TestDatabase;
  let database: PostgresDatabase;
  beforeAll(async () => {
    place = await migratedDatabase();
    database = await openPostgres(place.url, { clock: systemClock, random: seededRandom(1) });
    await copySegmentWorld(world, database);
  });
  afterAll(async () => {
    world.close();
    await database.close();
    await place.drop();
  });

  test(`${rules.length} rules find the same people in memory and in the database`, async () => {
    const asked = { now: NOW, ruleOf: world.ruleOf };
    const disagreements: unknown[] = [];
    for (const rule of rules) {
      const held = people.flatMap((person, at) => (holds(rule, person, asked) ? [at] : []));
      const queried = await queriedInPostgres(database, rule);
      if (JSON.stringify(held) !== JSON.stringify(queried)) disagreements.push({ rule, held, queried });
    }
    expect(disagreements.slice(0, 3)).toEqual([]);
  });

  test("nearly every rule that is tried has somebody, and somebody it leaves out", () => {
    const asked = { now: NOW, ruleOf: world.ruleOf };
    const sizes = rules.map((rule) => people.filter((person) => holds(rule, person, asked)).length);
    const telling = sizes.filter((size) => size > 0 && size < people.length).length;
    expect(telling).toBeGreaterThan(rules.length * 0.6);
  });

  test("a day or a time at the edge of a range is in it for both", async () => {
    const texts = [
      "2026-11-21",
      "2024-02-29",
      "2023-02-29",
      "0000-01-01",
      "0000-02-28",
      "9999-12-28",
      "9999-12-31",
    ].flatMap((day) =>
      ["", "T00:00:00Z", "T00:00:00.001Z", "T23:59:59.999Z", "T00:30+23:59", "T23:30-23:59", " "].map(
        (rest) => day + rest,
      ),
    );
    const instants = [...new Set(texts.map(parseDateOrTime))].filter((at) => at !== null);
    const tests = instants.flatMap((at): { test: DateTest; now: number }[] => [
      ...[at - 1, at, at + 1].flatMap((edge) => [
        { test: { op: "before", at: edge } as const, now: NOW },
        { test: { op: "after", at: edge } as const, now: NOW },
      ]),
      ...["withinDays" as const, "notWithinDays" as const].flatMap((op) => [
        { test: { op, days: 1 }, now: at },
        { test: { op, days: 0.5 }, now: at + DAY_MS / 2 },
        { test: { op, days: 5_000_000 }, now: at - 1 },
      ]),
    ]);
    const answers = await Promise.all(
      tests.map(async ({ test: asked, now }) => {
        const values = new StatementValues();
        const cell = { value: "to_jsonb(t)", text: "t" };
        const where = jsonValueSql({ ...cell, folded: cell }, asked, now, values);
        const given = values.add(texts, "text[]");
        return await database.read((session) =>
          session.rows<{ fits: boolean }>(
            `SELECT ${where} AS fits FROM unnest(${given}) WITH ORDINALITY AS u (t, n) ORDER BY n`,
            values.all,
          ),
        );
      }),
    );
    const wrong = tests.flatMap(({ test: asked, now }, at) =>
      texts.flatMap((text, n) =>
        answers[at]![n]!.fits === fits(text, asked, now) ? [] : [{ text, asked, now }],
      ),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test("the database reads dates as the program does", async () => {
    const days = [
      "2026-11-21",
      "2024-02-29",
      "2023-02-29",
      "0000-02-29",
      "1900-02-29",
      "9999-12-31",
      "2026-13-01",
    ];
    const times = [
      "",
      "T09:30",
      "t23:59:60",
      "T00:00:00.1239",
      "T1:00",
      "T09:30:00,5",
      "T24:00",
      "T12:00:00.",
      " 12:00",
    ];
    const zones = ["", "Z", "z", "+09", "-0930", "+23:59", "+24:00", "+9", "-00:60", "Z "];
    const texts = [
      ...days.flatMap((day) => times.flatMap((time) => zones.map((zone) => day + time + zone))),
      "",
      "2026",
      "20261121",
      "2026-11-21\n",
      "\n2026-11-21",
      "２０26-11-21",
      "2026-00-10",
      "2026-01-00",
    ];
    const read = await database.read((session) =>
      session.rows<{ at: number | null }>(
        "SELECT instant_of(t) AS at FROM unnest($1::text[]) WITH ORDINALITY AS u (t, n) ORDER BY n",
        [texts],
      ),
    );
    expect(read.map(({ at }, n) => [texts[n], at])).toEqual(
      texts.map((text) => [text, parseDateOrTime(text)]),
    );
  });
});
