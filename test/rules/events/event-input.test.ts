import { describe, expect, test } from "bun:test";
import { codePoints } from "#core/text/text.ts";
import { parseEvent, type NewEvent } from "#events/event-input.ts";

const parse = (body: Record<string, unknown>): NewEvent | string => {
  const parsed = parseEvent(body);
  return parsed.ok ? parsed.value : `${parsed.refusal.code} ${parsed.refusal.message}`;
};
const event = (members: Record<string, unknown>) =>
  parse({ name: "order_placed", email: "ada@example.com", ...members });
const fromJson = (properties: string) => event({ properties: JSON.parse(properties) });
const PLAIN: NewEvent = {
  name: "order_placed",
  subject: { kind: "email", email: "ada@example.com" },
  properties: {},
  externalId: null,
  valueCents: null,
  currency: null,
};

describe("an event", () => {
  test("needs a name and an address, nothing else", () => {
    expect(event({})).toEqual(PLAIN);
  });

  test("takes null for every optional member as not sent", () => {
    const nothing = {
      contactId: null,
      properties: null,
      value: null,
      valueCents: null,
      currency: null,
      externalId: null,
    };
    expect(event(nothing)).toEqual(PLAIN);
  });

  test("has its name normalized", () => {
    expect(event({ name: "Order Placed!" })).toEqual(PLAIN);
  });

  test.each([[undefined], [null], [""], ["  "], ["!!"], ["🎉"], [7], [["a"]], [{}], [true]])(
    "is refused with the name %j",
    (name) => {
      expect(event({ name })).toStartWith("VALIDATION_ERROR `name`");
    },
  );
});

describe("whom it is about", () => {
  const subjectOf = (body: Record<string, unknown>) => {
    const parsed = parse({ name: "seen", ...body });
    return typeof parsed === "string" ? parsed : parsed.subject;
  };

  test.each([
    [{ email: " Ada@Example.COM " }, { kind: "email", email: "ada@example.com" }],
    [{ contactId: "ct_1" }, { kind: "id", contactId: "ct_1" }],
    [
      { contactId: "ct_1", email: "grace@example.com" },
      { kind: "id", contactId: "ct_1" },
    ],
    [
      { contactId: "ct_1", email: "not an address" },
      { kind: "id", contactId: "ct_1" },
    ],
    [
      { contactId: "ct_1", email: 5 },
      { kind: "id", contactId: "ct_1" },
    ],
    [
      { contactId: "", email: "ada@example.com" },
      { kind: "email", email: "ada@example.com" },
    ],
    [
      { contactId: null, email: "ada@example.com" },
      { kind: "email", email: "ada@example.com" },
    ],
  ] as const)("%j", (body, subject) => {
    expect(subjectOf(body)).toEqual(subject as never);
  });

  test.each([
    [{}],
    [{ email: "" }],
    [{ email: " " }],
    [{ email: null, contactId: null }],
    [{ email: "ada" }],
    [{ email: "ada@localhost" }],
    [{ email: 5 }],
    [{ email: ["ada@example.com"] }],
    [{ contactId: 5, email: "ada@example.com" }],
    [{ contactId: { id: "ct_1" } }],
  ])("%j is refused", (body) => {
    expect(subjectOf(body)).toStartWith("VALIDATION_ERROR");
  });
});

describe("properties", () => {
  test("come out as they went in", () => {
    const properties = {
      plan: "pro",
      seats: 3,
      trial: false,
      coupon: null,
      cart: [{ sku: "a", tags: [] }],
      "": "x",
      "1": 1,
    };
    expect(event({ properties })).toEqual({ ...PLAIN, properties });
  });

  test.each([[[]], ["{}"], [5], [true], [[["a", 1]]]])("%j is refused", (properties) => {
    expect(event({ properties })).toStartWith("VALIDATION_ERROR `properties`");
  });

  test("have at most 50 keys at the top", () => {
    const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));
    expect(event({ properties: keys(50) })).toHaveProperty("properties.k49", 49);
    expect(event({ properties: keys(51) })).toContain("51 keys; at most 50");
    expect(event({ properties: { nested: keys(51) } })).toHaveProperty("properties.nested.k50", 50);
  });

  test.each([
    ["one-byte characters", "a", 1],
    ["two-byte characters", "é", 2],
    ["three-byte characters", "日", 3],
    ["four-byte characters", "🎉", 4],
    ["characters JSON escapes", "\n", 2],
  ])("have at most 8,192 bytes as stored: %s", (_, character, bytes) => {
    const room = 8192 - '{"a":""}'.length;
    const full = character.repeat(Math.floor(room / bytes)) + "x".repeat(room % bytes);
    expect(event({ properties: { a: full } })).toHaveProperty("properties.a", full);
    expect(event({ properties: { a: `${full}x` } })).toContain("8193 bytes of JSON; at most 8192");
  });

  test("are kept without what no database can hold", () => {
    const sent = { "na\0me": ["a\0b", { half: "\ud800x" }] };
    expect(event({ properties: sent })).toHaveProperty("properties", { name: ["ab", { half: "\ufffdx" }] });
  });

  test("are counted as stored: white space and longer spellings of a number cost nothing", () => {
    expect(fromJson(`{${" ".repeat(10_000)}"a":1.${"0".repeat(9000)}}`)).toHaveProperty("properties", {
      a: 1,
    });
  });

  test.each([
    ['{"__proto__":{"polluted":true}}'],
    ['{"a":{"__proto__":1}}'],
    ['{"a":[[[{"__proto__":[]}]]]}'],
  ])("with a key that sets a prototype are refused: %s", (json) => {
    expect(fromJson(json)).toMatch(/^VALIDATION_ERROR `properties.* has a key `__proto__`/);
    expect(({} as any).polluted).toBeUndefined();
  });

  test.each([
    ['{"constructor":{"prototype":{"polluted":true}}}'],
    ['{"prototype":1}'],
    ['{"a":[{"b":{"constructor":1}}]}'],
  ])("keep a key that every object has, and change no prototype: %s", (json) => {
    expect(fromJson(json)).toHaveProperty("properties", JSON.parse(json));
    expect(({} as any).polluted).toBeUndefined();
  });

  test("may hold the words themselves, and keys that only look like them", () => {
    expect(fromJson('{"a":"__proto__","Constructor":1,"proto":["prototype"]}')).toHaveProperty(
      "properties.Constructor",
      1,
    );
  });

  test("are nested at most 32 deep", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(fromJson(nested(32))).toHaveProperty("name");
    expect(fromJson(nested(33))).toContain("more than 32 levels deep");
    expect(fromJson(`{"a":${"[".repeat(31)}${"]".repeat(31)}}`)).toHaveProperty("name");
    expect(fromJson(`{"a":${"[".repeat(32)}${"]".repeat(32)}}`)).toContain("more than 32 levels deep");
    expect(fromJson(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)).toContain(
      "more than 32 levels deep",
    );
  });

  test.each([['{"a":1e400}'], ['{"a":-1e400}'], ['{"a":[{"b":1e999}]}']])(
    "with a number too large are refused: %s",
    (json) => {
      expect(fromJson(json)).toContain("too large a number");
    },
  );

  test("of a repeated key the last one wins, as JSON.parse has it", () => {
    expect(fromJson('{"a":1,"a":2}')).toHaveProperty("properties", { a: 2 });
  });
});

describe("an external id", () => {
  const idOf = (externalId: unknown) => {
    const parsed = event({ externalId });
    return typeof parsed === "string" ? parsed.split(" ")[0] : parsed.externalId;
  };

  test.each([
    ["order-1", "order-1"],
    ["", null],
    [null, null],
    [undefined, null],
    [" a ", " a "],
    ["a\0b", "ab"],
    ["\0", null],
    ["\ud800", "\ufffd"],
    [42, "42"],
    [0, "0"],
    [-0, "0"],
    [-7, "-7"],
    [1.5, "1.5"],
    [9_007_199_254_740_991, "9007199254740991"],
    [-9_007_199_254_740_991, "-9007199254740991"],
    [1e21, "1000000000000000000000"],
    ["a".repeat(200), "a".repeat(200)],
    ["a".repeat(201), "a".repeat(200)],
    ["🎉".repeat(201), "🎉".repeat(200)],
    [Number.POSITIVE_INFINITY, "VALIDATION_ERROR"],
    [true, "VALIDATION_ERROR"],
    [["a"], "VALIDATION_ERROR"],
    [{}, "VALIDATION_ERROR"],
  ])("%j is taken as %j", (externalId, stored) => {
    expect(idOf(externalId)).toBe(stored as never);
  });

  test("is never longer than 200 characters", () => {
    expect(codePoints(String(idOf(`${"é".repeat(199)}${"日".repeat(500_000)}`)))).toBe(200);
  });
});

test("members the contract does not name are not taken over", () => {
  expect(event({ id: "ev_1", workspaceId: "ws_2", createdAt: "2026-11-21T09:30:00Z", orgId: "x" })).toEqual(
    PLAIN,
  );
});
