import { describe, expect, test } from "bun:test";
import { checkReferences, referencesOf } from "#segments/references.ts";
import { readRules, storedRule } from "#segments/rules-input.ts";
import { parseNewSegment, parseRules } from "#segments/segment-input.ts";
import { sentenceOf } from "#segments/sentence.ts";

const VIP = { field: "tag", op: "equals", value: "vip" };
const SEEN = { field: "event", op: "atLeast", name: "seen", value: 1 };

/** The places of everything that is wrong, or "fine". */
const places = (rules: unknown): unknown => {
  const rule = readRules(rules);
  return rule.ok ? "fine" : rule.problems.map(({ path }) => path);
};
const nested = (groups: number, inner: unknown = VIP): unknown =>
  groups === 0 ? inner : { [groups % 2 === 0 ? "all" : "any"]: [nested(groups - 1, inner)] };

describe("what is wrong in rules is named by its place", () => {
  test.each([
    [null, ["rules"]],
    ["vip", ["rules"]],
    [[], ["rules"]],
    [[VIP], ["rules"]],
    [{}, ["rules.field"]],
    [{ all: [] }, ["rules.all"]],
    [{ any: {} }, ["rules.any"]],
    [{ all: null }, ["rules.all"]],
    [{ not: [VIP] }, ["rules.not"]],
    [{ not: null }, ["rules.not"]],
    [{ all: [VIP], any: [VIP] }, ["rules.any"]],
    [{ all: [VIP], name: "x" }, ["rules.name"]],
    [{ all: [VIP], "a b": "x" }, ["rules"]],
    [{ all: [VIP, { any: [] }] }, ["rules.all[1].any"]],
    [{ all: [VIP, 5] }, ["rules.all[1]"]],
    [{ all: [VIP, { ...VIP, op: "contains" }] }, ["rules.all[1].op"]],
    [{ any: [{ not: { ...VIP, value: 5 } }] }, ["rules.any[0].not.value"]],
    [
      {
        all: [
          { field: "phone", op: "exists" },
          { ...VIP, value: " " },
        ],
      },
      ["rules.all[0].field", "rules.all[1].value"],
    ],
    [{ field: "constructor", op: "equals", value: "a" }, ["rules.field"]],
    [{ field: "attributes.", op: "exists" }, ["rules.field"]],
    [{ field: "attributes.a.b", op: "exists" }, ["rules.field"]],
    [{ field: "attributes.2nd", op: "exists" }, ["rules.field"]],
    [{ field: 5, op: "exists" }, ["rules.field"]],
    [{ ...VIP, withinDays: 3 }, ["rules.withinDays"]],
    [{ ...VIP, name: "x" }, ["rules.name"]],
    [{ field: "email", op: "is", value: "a" }, ["rules.op"]],
    [{ field: "email", op: "greaterThan", value: 1 }, ["rules.op"]],
    [{ field: "email", op: "equals" }, ["rules.value"]],
    [{ field: "email", op: "equals", value: 5 }, ["rules.value"]],
    [{ field: "email", op: "equals", value: "x".repeat(1_001) }, ["rules.value"]],
    [{ field: "status", op: "equals", value: "subscribed" }, ["rules.value"]],
    [{ field: "status", op: "exists" }, ["rules.op"]],
    [{ field: "tag", op: "equals", value: "x".repeat(101) }, ["rules.value"]],
    [{ field: "list", op: "equals", value: "" }, ["rules.value"]],
    [{ field: "segment", op: "contains", value: "seg_1" }, ["rules.op"]],
    [{ field: "createdAt", op: "before", value: "2026-11-21" }, ["rules.value"]],
    [{ field: "createdAt", op: "before", value: 5 }, ["rules.value"]],
    [{ field: "createdAt", op: "withinDays", value: 0 }, ["rules.value"]],
    [{ field: "createdAt", op: "withinDays", value: "3" }, ["rules.value"]],
    [{ field: "createdAt", op: "withinDays", value: 1e9 }, ["rules.value"]],
    [{ field: "createdAt", op: "equals", value: "2026-11-21T00:00:00Z" }, ["rules.op"]],
    [{ field: "attributes.plan", op: "equals", value: ["pro"] }, ["rules.value"]],
    [{ field: "attributes.plan", op: "equals", value: null }, ["rules.value"]],
    [{ field: "attributes.plan", op: "startsWith", value: 5 }, ["rules.value"]],
    [{ field: "attributes.plan", op: "greaterThan", value: "5" }, ["rules.value"]],
    [{ field: "attributes.plan", op: "before", value: "soon" }, ["rules.value"]],
    [{ field: "attributes.plan", op: "notWithinDays", value: 3 }, ["rules.op"]],
    [{ field: "score", op: "notEquals", value: 3 }, ["rules.op"]],
    [{ field: "score", op: "equals", value: "3" }, ["rules.value"]],
    [{ ...SEEN, op: "equals" }, ["rules.op"]],
    [{ ...SEEN, value: -1 }, ["rules.value"]],
    [{ ...SEEN, value: 1.5 }, ["rules.value"]],
    [{ ...SEEN, value: "1" }, ["rules.value"]],
    [{ ...SEEN, name: "!" }, ["rules.name"]],
    [{ ...SEEN, name: undefined }, ["rules.name"]],
    [{ ...SEEN, withinDays: -1 }, ["rules.withinDays"]],
    [{ ...SEEN, where: {} }, ["rules.where"]],
    [{ ...SEEN, where: ["a"] }, ["rules.where[0]"]],
    [{ ...SEEN, where: [{ property: "a..b", op: "exists" }] }, ["rules.where[0].property"]],
    [
      { ...SEEN, where: [{ property: "a", op: "before", value: "2026-11-21T00:00:00Z" }] },
      ["rules.where[0].op"],
    ],
    [{ ...SEEN, where: [{ property: "a", op: "equals" }] }, ["rules.where[0].value"]],
    [{ ...SEEN, where: [{ property: "a", op: "exists", name: 5 }] }, ["rules.where[0].name"]],
    [
      { ...SEEN, where: Array.from({ length: 21 }, () => ({ property: "a", op: "exists" })) },
      ["rules.where"],
    ],
    [{ field: "received", op: "equals" }, ["rules.value"]],
    [{ field: "opened", op: "atLeast", value: "any" }, ["rules.op"]],
    [{ field: "clicked", op: "equals", value: "any", withinDays: 0 }, ["rules.withinDays"]],
    [{ field: "clicked", op: "equals", value: "any", where: [] }, ["rules.where"]],
  ] as [unknown, string[]][])("%j is wrong at %j", (rules, wrong) => {
    expect(places(rules)).toEqual(wrong);
  });

  test("a message says what is possible", () => {
    const rule = readRules({ all: [VIP, { ...VIP, op: "contains" }] });
    expect(rule).toEqual({
      ok: false,
      problems: [
        {
          path: "rules.all[1].op",
          message: "`op` of a condition on `tag` must be one of equals, notEquals.",
        },
      ],
    });
  });
});

describe("what may be written", () => {
  test.each([
    [VIP],
    [{ ...SEEN, value: 0, withinDays: 0.5, where: [] }],
    [{ ...SEEN, withinDays: null, where: null }],
    [{ field: "firstName", op: "exists" }],
    [{ field: "firstName", op: "notExists", value: "" }],
    [{ field: "createdAt", op: "after", value: "2026-11-21T09:30" }],
    [{ field: "attributes.plan", op: "after", value: "2026-11-21" }],
    [{ field: "received", op: "notEquals", value: "any", withinDays: 30 }],
    [{ not: { not: VIP } }],
  ])("%j", (rules) => {
    expect(places(rules)).toBe("fine");
  });

  test("groups lie five deep and not six; a condition alone has none", () => {
    expect(places(nested(5))).toBe("fine");
    expect(places(nested(6))).toEqual(["rules.all[0].any[0].all[0].any[0].all[0]"]);
    expect(places({ not: nested(4) })).toBe("fine");
    expect(places({ not: nested(5) })).not.toBe("fine");
  });

  test("fifty conditions and not fifty-one, wherever they are; a segment counts as one", () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, at) => (at % 2 ? VIP : { ...VIP, field: "segment" }));
    expect(places({ all: many(50) })).toBe("fine");
    expect(places({ all: many(51) })).toEqual(["rules"]);
    expect(places({ all: [{ any: many(30) }, { not: { all: many(20) } }] })).toBe("fine");
    expect(places({ all: [{ any: many(30) }, { not: { all: many(21) } }] })).toEqual(["rules"]);
  });

  const fifty = (letter: string) => ({
    any: Array.from({ length: 50 }, () => ({ field: "email", op: "equals", value: letter.repeat(1_000) })),
  });
  test.each([
    ["fifty texts of a thousand letters", fifty("a")],
    ["an event's name", { ...SEEN, name: "a".repeat(65_000) }],
  ])("a segment keeps %s", (_, rules) => {
    expect(parseNewSegment({ name: "A", rules }).ok).toBe(true);
  });

  // What is kept and not looked at is shown in pages as well.
  test.each([
    ["the rest of an event's name", { ...SEEN, name: "a".repeat(66_000) }],
    ["a value that is not looked at", { field: "email", op: "exists", value: ["a".repeat(66_000)] }],
    ["the space round an id", { field: "list", op: "equals", value: `list_1${" ".repeat(66_000)}` }],
    ["umlauts, which have two bytes", fifty("ä")],
    ["quotes, which JSON escapes", fifty('"')],
  ])("a segment keeps at most 64 KB of rules, with %s; a question may have more", (_, rules) => {
    expect(parseNewSegment({ name: "A", rules })).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", message: expect.stringMatching(/^`rules` has \d+ bytes of JSON/) },
    });
    expect(parseRules({ rules }).ok).toBe(true);
  });

  test("names of events and tags are read as they are stored", () => {
    expect(storedRule({ ...SEEN, name: "Order Placed" })).toMatchObject({
      condition: { name: "order_placed" },
    });
    expect(storedRule({ ...VIP, value: " vip " })).toMatchObject({ condition: { tag: "vip" } });
  });
});

describe("what rules name", () => {
  const rules = storedRule({
    any: [
      { field: "list", op: "equals", value: "list_1" },
      { all: [VIP, { not: { field: "segment", op: "notEquals", value: "seg_1" } }] },
      { field: "opened", op: "equals", value: "cmp_1" },
      { field: "clicked", op: "equals", value: "any" },
    ],
  });

  test("is found with its place", () => {
    expect(referencesOf(rules)).toEqual([
      { kind: "list", id: "list_1", path: "rules.any[0].value" },
      { kind: "segment", id: "seg_1", path: "rules.any[1].all[1].not.value" },
      { kind: "campaign", id: "cmp_1", path: "rules.any[2].value" },
    ]);
  });

  test("and must be there, and lead to no circle", () => {
    const references = referencesOf(rules);
    const uses = new Map([
      ["seg_1", ["seg_2"]],
      ["seg_2", ["seg_3"]],
      ["seg_3", ["seg_2"]],
    ]);
    const code = (ownId: string | null, missing = references.slice(0, 0)) => {
      const checked = checkReferences(ownId, references, { missing, uses });
      return checked.ok ? "fine" : checked.refusal.code;
    };
    expect([code(null), code("seg_4")]).toEqual(["fine", "fine"]);
    expect([code("seg_1"), code("seg_2"), code("seg_3")]).toEqual(Array(3).fill("VALIDATION_ERROR"));
    expect(code(null, references.slice(2))).toBe("NOT_FOUND");
  });
});

describe("rules in words", () => {
  const nameOf = (_kind: string, id: string) => (id.endsWith("gone") ? null : id.toUpperCase());
  test.each([
    [VIP, 'has the tag "vip"'],
    [{ ...VIP, op: "notEquals" }, 'does not have the tag "vip"'],
    [{ field: "list", op: "equals", value: "news" }, 'is on the list "NEWS"'],
    [{ field: "list", op: "notEquals", value: "gone" }, "is not on a list that was deleted"],
    [{ field: "segment", op: "equals", value: "s" }, 'is in the segment "S"'],
    [{ field: "firstName", op: "startsWith", value: "A" }, 'has a first name that starts with "A"'],
    [{ field: "lastName", op: "notExists" }, "has no last name"],
    [{ field: "email", op: "endsWith", value: ".org" }, 'has an address that ends with ".org"'],
    [{ field: "domain", op: "equals", value: "example.com" }, 'has a mail domain that is "example.com"'],
    [{ field: "status", op: "notEquals", value: "PENDING" }, 'has a status that is not "PENDING"'],
    [
      { field: "createdAt", op: "before", value: "2026-05-01T00:00:00Z" },
      "was added before 2026-05-01T00:00:00.000Z",
    ],
    [{ field: "createdAt", op: "withinDays", value: 1 }, "was added in the last day"],
    [{ field: "createdAt", op: "notWithinDays", value: 30 }, "was not added in the last 30 days"],
    [{ field: "attributes.plan", op: "notExists" }, "has no attribute plan"],
    [{ field: "attributes.size", op: "greaterThan", value: 5 }, "has an attribute size that is above 5"],
    [{ field: "attributes.paid", op: "equals", value: true }, "has an attribute paid that is true"],
    [
      { field: "attributes.born", op: "withinDays", value: 7 },
      "has an attribute born that lies in the last 7 days",
    ],
    [
      { field: "attributes.born", op: "after", value: "2026-05-01" },
      "has an attribute born that lies after 2026-05-01T00:00:00.000Z",
    ],
    [{ field: "score", op: "lessThan", value: 10 }, "has a score that is below 10"],
    [{ ...SEEN, value: 2, withinDays: 90 }, 'has at least 2 events "seen" in the last 90 days'],
    [
      {
        ...SEEN,
        op: "atMost",
        where: [
          { property: "cart.total", op: "greaterThan", value: 50 },
          { property: "b", op: "exists" },
        ],
      },
      'has at most 1 event "seen" whose cart.total is above 50 and whose b is there',
    ],
    [{ field: "opened", op: "equals", value: "any" }, "opened any campaign"],
    [
      { field: "clicked", op: "notEquals", value: "c", withinDays: 3 },
      'did not click in the campaign "C" in the last 3 days',
    ],
    [{ not: VIP }, 'does not fit this: (has the tag "vip")'],
    [{ all: [VIP] }, 'has the tag "vip"'],
    [
      {
        all: [
          VIP,
          {
            any: [
              { field: "opened", op: "equals", value: "any" },
              { field: "clicked", op: "equals", value: "any" },
            ],
          },
        ],
      },
      'has the tag "vip" and (opened any campaign or clicked in any campaign)',
    ],
  ])("%j", (rules, clause) => {
    expect(sentenceOf(storedRule(rules), nameOf)).toBe(`Everybody who ${clause}.`);
  });
});
