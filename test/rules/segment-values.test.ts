import { afterAll, describe, expect, test } from "bun:test";
import { holds } from "#segments/holds.ts";
import type { Person } from "#segments/person.ts";
import { storedRule } from "#segments/rules-input.ts";
import { CAMPAIGNS, DAY, event, LISTS, NOW, personWith, segmentWorld } from "../support/segment-world.ts";

/**
 * Every field with every op of the contract's table, and four kinds of people: whose value fits, whose value
 * does not, who has none, whose value is of another type. Each cell is asked of the rule in memory and of the
 * query.
 */

type Kind = "fits" | "doesNot" | "missing" | "wrongType";
/** `holdsFor`: for whom, where the contract's general rule does not say it. */
type Op = readonly [op: string, value: unknown, more?: object, holdsFor?: readonly Kind[]];
/** Null: there is nobody of that kind, because the field is always there and of one type. */
type Cell = {
  readonly ops: readonly Op[];
  readonly fits: Person;
  readonly doesNot: Person;
  readonly missing: Person | null;
  readonly wrongType: Person | null;
};

const CONTRARY = new Set(["notEquals", "notContains", "notExists", "notWithinDays", "atMost"]);
const ALL = ["fits", "doesNot"] as const;

const texts = (value: string): Op[] => [
  ["equals", value.toUpperCase()],
  ["contains", value.slice(1, 4).toUpperCase()],
  ["startsWith", value.slice(0, 3).toUpperCase()],
  ["endsWith", value.slice(-3).toUpperCase()],
];
const contraryTexts = (value: string): Op[] => [
  ["notEquals", value.toUpperCase()],
  ["notContains", value.slice(1, 4).toUpperCase()],
];

const contactWith = (contact: Partial<Person["contact"]>): Person => personWith({ contact });
const attribute = (plan: string | number | boolean | readonly string[]): Person =>
  personWith({ attributes: { plan } });
const NONE = personWith({});
const seen = (daysAgo: number, properties = {}): Person =>
  personWith({ events: [event("seen", daysAgo, properties)] });
const mailed = (mail: Partial<Person["mails"][number]>): Person =>
  personWith({
    mails: [{ mailId: CAMPAIGNS[0], receivedAt: null, openedAt: null, clickedAt: null, ...mail }],
  });

/** Of an event that has the property: who has another one, or none, has no such event. */
const where = (op: string, value: unknown): Op => [
  "atLeast",
  1,
  { name: "seen", where: [{ property: "a.b", op, value }] },
  ["fits"],
];

const CELLS: Readonly<Record<string, readonly Cell[]>> = {
  email: [
    {
      ops: [
        ...texts("élodie@example.org".replace("é", "e")),
        ...contraryTexts("elodie@example.org"),
        ["exists", undefined, {}, ALL],
      ],
      fits: contactWith({ email: "elodie@example.org" }),
      doesNot: contactWith({ email: "ada@example.net" }),
      missing: null,
      wrongType: null,
    },
  ],
  domain: [
    {
      ops: [...texts("example.org"), ...contraryTexts("example.org"), ["exists", "", {}, ALL]],
      fits: contactWith({ email: "ada@example.org" }),
      doesNot: contactWith({ email: "example.org@localhost.test" }),
      missing: null,
      wrongType: null,
    },
  ],
  firstName: [
    {
      ops: [...texts("Élodie"), ...contraryTexts("Élodie"), ["exists", undefined], ["notExists", undefined]],
      fits: contactWith({ firstName: "éLODIE" }),
      doesNot: contactWith({ firstName: "Ada", lastName: "Élodie" }),
      missing: contactWith({ lastName: "Élodie" }),
      wrongType: null,
    },
  ],
  lastName: [
    {
      ops: [...texts("Straße"), ...contraryTexts("Straße"), ["exists", undefined], ["notExists", undefined]],
      fits: contactWith({ lastName: "STRASSE" }),
      doesNot: contactWith({ lastName: "Ada", firstName: "Straße" }),
      missing: contactWith({ firstName: "Straße" }),
      wrongType: null,
    },
  ],
  status: [
    {
      ops: [
        ["equals", "SUBSCRIBED"],
        ["notEquals", "SUBSCRIBED"],
      ],
      fits: contactWith({ status: "SUBSCRIBED" }),
      doesNot: contactWith({ status: "UNSUBSCRIBED" }),
      missing: null,
      wrongType: null,
    },
  ],
  tag: [
    {
      ops: [
        ["equals", "VIP"],
        ["notEquals", "VIP"],
      ],
      fits: contactWith({ tags: ["beta", "VIP"] }),
      doesNot: contactWith({ tags: ["vip"] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  list: [
    {
      ops: [
        ["equals", LISTS[0]],
        ["notEquals", LISTS[0]],
      ],
      fits: personWith({ listIds: [...LISTS] }),
      doesNot: personWith({ listIds: [LISTS[1]] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  segment: [
    {
      ops: [
        ["equals", "seg_vip"],
        ["notEquals", "seg_vip"],
      ],
      fits: contactWith({ tags: ["VIP"] }),
      doesNot: contactWith({ tags: ["vip"] }),
      missing: NONE,
      wrongType: null,
    },
  ],
  createdAt: [
    {
      ops: [
        ["before", "2026-11-01T12:00:00Z"],
        ["notWithinDays", 21, {}, ["fits"]],
      ],
      fits: contactWith({ createdAt: NOW - 21 * DAY - 1 }),
      doesNot: contactWith({ createdAt: NOW - 21 * DAY }),
      missing: null,
      wrongType: null,
    },
    {
      ops: [
        ["after", "2026-11-01T11:59:59.999Z"],
        ["withinDays", 21],
      ],
      fits: contactWith({ createdAt: NOW - 21 * DAY }),
      doesNot: contactWith({ createdAt: NOW - 21 * DAY - 1 }),
      missing: null,
      wrongType: null,
    },
  ],
  "attributes.plan": [
    {
      ops: [
        ...texts("Größe Pro"),
        ...contraryTexts("Größe Pro"),
        ["exists", undefined],
        ["notExists", undefined],
      ],
      fits: attribute("GRÖSSE PRO"),
      doesNot: attribute("other"),
      missing: attribute(""),
      wrongType: attribute(5),
    },
    {
      ops: [
        ["contains", "PRO"],
        ["notContains", "PRO"],
      ],
      fits: attribute(["free", "Pro"]),
      doesNot: attribute(["professional"]),
      missing: NONE,
      wrongType: attribute(true),
    },
    {
      ops: [
        ["equals", 5],
        ["notEquals", 5],
        ["greaterThan", 4.5],
      ],
      fits: attribute(5),
      doesNot: attribute(4.5),
      missing: NONE,
      wrongType: attribute("5"),
    },
    {
      ops: [["lessThan", 5.5]],
      fits: attribute(5),
      doesNot: attribute(5.5),
      missing: NONE,
      wrongType: attribute("5"),
    },
    {
      ops: [
        ["equals", true],
        ["notEquals", true],
      ],
      fits: attribute(true),
      doesNot: attribute(false),
      missing: NONE,
      wrongType: attribute(1),
    },
    {
      ops: [
        ["before", "2026-11-01"],
        ["before", "2026-11-01T00:00:00+00:00"],
      ],
      fits: attribute("2026-11-01T00:59:59+01:00"),
      doesNot: attribute("2026-11-01"),
      missing: attribute(""),
      wrongType: attribute("yesterday"),
    },
    {
      ops: [["after", "2026-11-01T00:00:00Z"]],
      fits: attribute("2026-11-02"),
      doesNot: attribute("2026-11-01T01:00:00+01:00"),
      missing: NONE,
      wrongType: attribute(["2026-11-02"]),
    },
    {
      ops: [["withinDays", 1.5]],
      fits: attribute("2026-11-21T00:00"),
      doesNot: attribute("2026-11-22T12:00:00.001Z"),
      missing: NONE,
      wrongType: attribute(20_261_121),
    },
  ],
  score: [
    {
      ops: [
        ["equals", 5],
        ["greaterThan", 4, {}, ALL],
        ["lessThan", 6],
      ],
      fits: personWith({ events: [event("scored", 1)], score: 5 }),
      doesNot: personWith({
        events: [event("scored", 1), event("lowered", 1), event("scored", 2)],
        score: 10,
      }),
      missing: null,
      wrongType: null,
    },
  ],
  event: [
    {
      ops: [
        ["atLeast", 1, { name: "Seen!" }],
        ["exactly", 1, { name: "seen" }],
        ["atMost", 0, { name: "seen" }],
        ["atLeast", 1, { name: "seen", withinDays: 1 }],
        ["atMost", 0, { name: "seen", withinDays: 1 }],
      ],
      fits: seen(1),
      doesNot: personWith({ events: [event("seen_not", 1)] }),
      missing: NONE,
      wrongType: null,
    },
    {
      ops: [["atLeast", 1, { name: "seen", withinDays: 0.5 }]],
      fits: seen(0.5),
      doesNot: seen(0.51),
      missing: seen(-0.1),
      wrongType: null,
    },
    ...["equals", "contains", "startsWith", "endsWith"].map((op): Cell => ({
      ops: [where(op, "PRO")],
      fits: seen(1, { a: { b: "Pro" } }),
      doesNot: seen(1, { a: { b: "free" } }),
      missing: seen(1, { a: { c: "Pro" }, "a.b": "Pro" }),
      wrongType: seen(1, { a: { b: { pro: "Pro" } } }),
    })),
    {
      ops: [where("contains", 7)],
      fits: seen(1, { a: { b: ["x", 7] } }),
      doesNot: seen(1, { a: { b: ["7"] } }),
      missing: seen(1, { a: {} }),
      wrongType: seen(1, { a: { b: 7 } }),
    },
    ...(
      [
        ["equals", 3],
        ["greaterThan", 2],
        ["lessThan", 4],
      ] as const
    ).map(([op, value]): Cell => ({
      ops: [where(op, value)],
      fits: seen(1, { a: { b: 3 } }),
      doesNot: seen(1, { a: { b: op === "lessThan" ? 4 : 2 } }),
      missing: seen(1, { a: { b: null } }),
      wrongType: seen(1, { a: { b: "3" } }),
    })),
    {
      ops: [where("exists", undefined)],
      fits: seen(1, { a: { b: false } }),
      doesNot: seen(1, { a: { b: "" } }),
      missing: seen(1, { a: [] }),
      wrongType: seen(1, { a: "b" }),
    },
  ],
  received: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", CAMPAIGNS[0], { withinDays: 1 }],
        ["notEquals", CAMPAIGNS[0], { withinDays: 1 }],
      ],
      fits: mailed({ receivedAt: NOW - DAY }),
      doesNot: mailed({ mailId: CAMPAIGNS[1], receivedAt: NOW }),
      missing: mailed({}),
      wrongType: null,
    },
    {
      ops: [
        ["equals", "any"],
        ["notEquals", "any"],
      ],
      fits: mailed({ mailId: CAMPAIGNS[1], receivedAt: NOW }),
      doesNot: mailed({ clickedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
  opened: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", "any", { withinDays: 2 }],
        ["notEquals", "any", { withinDays: 2 }],
      ],
      fits: mailed({ receivedAt: NOW, openedAt: NOW - 2 * DAY }),
      doesNot: mailed({ receivedAt: NOW, clickedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
  clicked: [
    {
      ops: [
        ["equals", CAMPAIGNS[0]],
        ["notEquals", CAMPAIGNS[0]],
        ["equals", "any", { withinDays: 2 }],
      ],
      fits: mailed({ receivedAt: NOW, clickedAt: NOW - 2 * DAY }),
      doesNot: mailed({ receivedAt: NOW, openedAt: NOW }),
      missing: NONE,
      wrongType: null,
    },
  ],
};

const segments = { seg_vip: { field: "tag", op: "equals", value: "VIP" } };
const scoring = [
  { event: "scored", minValueCents: null, points: 5 },
  { event: "lowered", minValueCents: null, points: 0 },
];

/**
 * What the contract says of a cell: the contrary of an op holds for everybody for whom the op itself does
 * not.
 */
function expected(op: string, kind: Kind): boolean {
  if (op === "exists") return kind !== "missing";
  if (op === "notExists") return kind === "missing";
  return (kind === "fits") !== CONTRARY.has(op);
}

const KINDS = ["fits", "doesNot", "missing", "wrongType"] as const;

describe.each(Object.entries(CELLS))("%s", (field, cells) => {
  for (const cell of cells) {
    const kinds = KINDS.filter((kind) => cell[kind] !== null);
    const people = kinds.map((kind, at) => {
      const person = cell[kind]!;
      const email =
        person.contact.email === "somebody@example.com" ? `somebody${at}@example.com` : person.contact.email;
      return { ...person, contact: { ...person.contact, email } };
    });
    const world = segmentWorld(people, { segments, scoring });
    afterAll(() => world.close());
    for (const [op, value, more, holdsFor] of cell.ops) {
      const rules = { field, op, ...(value === undefined ? {} : { value }), ...more };
      test(`${JSON.stringify(rules)} holds as the contract says`, () => {
        const rule = storedRule(rules);
        const { ruleOf } = world;
        const should = kinds.filter((kind) => holdsFor?.includes(kind) ?? expected(op, kind));
        expect(kinds.filter((_, at) => holds(rule, people[at]!, { now: NOW, ruleOf }))).toEqual(should);
        expect(world.query(rule).map((at) => kinds[at]!)).toEqual(should);
      });
    }
  }
});
