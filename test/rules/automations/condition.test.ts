import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { holds } from "../../support/automations/conditions.ts";
import { ABOUT_ADA, ADA } from "../../support/automations/flows.ts";

const one = (field: string, op: string, value?: JsonValue, more: JsonObject = {}): JsonObject => ({
  all: [value === undefined ? { field, op, ...more } : { field, op, value, ...more }],
});

describe("strings compare without case", () => {
  test.each([
    ["status", "equals", "SUBSCRIBED", true],
    ["status", "equals", "subscribed", true],
    ["status", "equals", "PENDING", false],
    ["status", "notEquals", "PENDING", true],
    ["status", "notEquals", "Subscribed", false],
    ["status", "contains", "SUB", true],
    ["status", "exists", undefined, true],
    ["email", "equals", "Ada@Example.com", true],
    ["email", "contains", "@EXAMPLE.", true],
    ["email", "contains", "@example.org", false],
    ["email", "exists", undefined, true],
    ["firstName", "equals", "aDA", true],
    ["firstName", "equals", "Ad", false],
    ["firstName", "notEquals", "Grace", true],
    ["lastName", "contains", "LOVE", true],
    ["lastName", "contains", "", true],
    ["lastName", "exists", undefined, true],
  ] as const)("%s %s %p is %p", (field, op, value, expected) => {
    expect(holds(one(field, op, value))).toBe(expected);
  });

  test("also outside ASCII", () => {
    const contact = { ...ADA, firstName: "ÉLODIE", lastName: "Straße" };
    expect(holds(one("firstName", "equals", "élodie"), { contact })).toBe(true);
    expect(holds(one("lastName", "contains", "STRASSE"), { contact })).toBe(true);
  });

  test("and a domain may be written as people write it", () => {
    const contact = { ...ADA, email: "ada@xn--bcher-kva.example" };
    expect(holds(one("email", "equals", "Ada@Bücher.example"), { contact })).toBe(true);
    expect(holds(one("email", "notEquals", "ada@bücher.example"), { contact })).toBe(false);
    expect(holds(one("email", "contains", "@bücher."), { contact })).toBe(true);
  });

  test("`exists` means not empty", () => {
    const contact = { ...ADA, firstName: "" };
    expect(holds(one("firstName", "exists"), { contact })).toBe(false);
    expect(holds(one("firstName", "equals", ""), { contact })).toBe(true);
    expect(holds(one("firstName", "notEquals", ""), { contact })).toBe(false);
  });
});

describe("`tag` and `list` mean has it, with `notEquals` lacks it", () => {
  test.each([
    ["tag", "equals", "vip", true],
    ["tag", "contains", "vip", true],
    ["tag", "exists", "vip", true],
    ["tag", "notEquals", "vip", false],
    ["tag", "equals", "VIP", false],
    ["tag", "notEquals", "VIP", true],
    ["tag", "contains", "vi", false],
    ["tag", "equals", "beta", false],
    ["tag", "equals", "Beta", true],
    ["list", "equals", "ls_news", true],
    ["list", "contains", "ls_news", true],
    ["list", "exists", "ls_news", true],
    ["list", "notEquals", "ls_news", false],
    ["list", "equals", "ls_other", false],
    ["list", "notEquals", "ls_other", true],
  ] as const)("%s %s %p is %p", (field, op, value, expected) => {
    expect(holds(one(field, op, value))).toBe(expected);
  });
});

describe("an attribute means what it means in a segment", () => {
  const contact = {
    ...ADA,
    attributes: { plan: "Größe Pro", orders: 3, beta: true, topics: ["Books"], since: "2026-11-20" },
  };
  test.each([
    ["plan", "equals", "GRÖSSE PRO", true],
    ["plan", "startsWith", "grö", true],
    ["plan", "notContains", "pro", false],
    ["orders", "equals", 3, true],
    // Nothing is converted, as it is for properties of the event.
    ["orders", "equals", "3", false],
    ["orders", "greaterThan", 2, true],
    ["beta", "equals", true, true],
    ["topics", "contains", "books", true],
    ["topics", "contains", "book", false],
    ["since", "withinDays", 2, true],
    ["since", "before", "2026-11-20", false],
    ["none", "notEquals", "x", true],
    ["none", "notExists", undefined, true],
    ["constructor", "exists", undefined, false],
  ] as const)("attributes.%s %s %p is %p", (name, op, value, expected) => {
    expect(holds(one(`attributes.${name}`, op, value), { contact })).toBe(expected);
  });
});

describe("the score is a number", () => {
  test.each([
    ["greaterThan", 49, true],
    ["greaterThan", 50, false],
    ["lessThan", 51, true],
    ["lessThan", 50, false],
    ["equals", 50, true],
    ["equals", "50", true],
    ["equals", 51, false],
    ["notEquals", 51, true],
    ["notEquals", 50, false],
    ["exists", undefined, true],
  ] as const)("50 %s %p is %p", (op, value, expected) => {
    expect(holds(one("score", op, value))).toBe(expected);
  });

  test("and 0 for who has none", () => {
    expect(holds(one("score", "equals", 0), { score: 0 })).toBe(true);
    expect(holds(one("score", "lessThan", 0), { score: -5 })).toBe(true);
  });
});

describe("`event` is an event name they have", () => {
  test.each([
    ["equals", "order_placed", null, true],
    ["equals", "Order Placed", null, true],
    ["exists", "order_placed", null, true],
    ["contains", "order_placed", null, true],
    ["notEquals", "order_placed", null, false],
    ["equals", "order", null, false],
    ["notEquals", "order", null, true],
    ["equals", "order_placed", 1, true],
    ["equals", "order_placed", 0.99, false],
    ["notEquals", "order_placed", 0.99, true],
    ["equals", "order_placed", 30, true],
  ] as const)("%s %s within %p days is %p", (op, value, withinDays, expected) => {
    expect(holds(one("event", op, value, { withinDays }))).toBe(expected);
  });

  test("`withinDays` counts days of 24 hours back from now, the edge included", () => {
    const at = Date.parse("2026-11-20T09:30:00Z");
    const within = (now: number) => holds(one("event", "equals", "order_placed", { withinDays: 2 }), {}, now);
    expect(within(at + 172_800_000)).toBe(true);
    expect(within(at + 172_800_001)).toBe(false);
  });
});

describe("`opened` and `clicked` name the automation mail", () => {
  test.each([
    ["opened", "equals", "mail-1", true],
    ["opened", "exists", "mail-1", true],
    ["opened", "notEquals", "mail-1", false],
    ["opened", "equals", "mail-2", false],
    ["opened", "notEquals", "mail-2", true],
    ["clicked", "equals", "mail-1", false],
    ["clicked", "notEquals", "mail-1", true],
  ] as const)("%s %s %s is %p", (field, op, value, expected) => {
    expect(holds(one(field, op, value))).toBe(expected);
  });
});

describe("`trigger.<path>` is a property of the event that started the run", () => {
  test.each([
    ["plan", "equals", "pro", true],
    ["plan", "equals", "free", false],
    ["plan", "contains", "PR", true],
    ["plan", "exists", undefined, true],
    ["empty", "exists", undefined, false],
    ["coupon", "exists", undefined, false],
    ["nothing", "exists", undefined, false],
    ["trial", "exists", undefined, true],
    ["trial", "equals", false, true],
    ["trial", "equals", "FALSE", true],
    ["trial", "equals", true, false],
    ["seats", "equals", 3, true],
    ["seats", "equals", "3", true],
    ["seats", "equals", "3.0", true],
    ["seats", "greaterThan", 2, true],
    ["seats", "greaterThan", "2", true],
    ["seats", "lessThan", 3, false],
    ["zip", "equals", "01234", true],
    ["zip", "equals", "1234", false],
    ["zip", "equals", 1234, true],
    ["plan", "greaterThan", 1, false],
    ["plan", "lessThan", 1, false],
    ["nothing", "greaterThan", 0, false],
    ["nothing", "lessThan", 0, false],
    ["nothing", "equals", "x", false],
    ["nothing", "notEquals", "x", true],
    ["coupon", "notEquals", "x", true],
    ["cart.items.0.sku", "equals", "a-1", true],
    ["cart.items.0.price", "lessThan", 10, true],
    ["cart.items.1.sku", "exists", undefined, false],
    ["cart.items.length", "exists", undefined, false],
    ["cart.items", "exists", undefined, true],
    ["cart.items", "equals", "x", false],
    ["cart.labels", "contains", "gift", true],
    ["cart.labels", "contains", 7, true],
    ["cart.labels", "contains", "gif", false],
    ["cart.labels.0.length", "exists", undefined, false],
    ["seats", "contains", "3", false],
    ["constructor", "exists", undefined, false],
    ["constructor.name", "exists", undefined, false],
    ["__proto__.toString", "exists", undefined, false],
    ["toString", "exists", undefined, false],
    ["cart.items.map", "exists", undefined, false],
  ] as const)("trigger.%s %s %p is %p", (path, op, value, expected) => {
    expect(holds(one(`trigger.${path}`, op, value))).toBe(expected);
  });

  test("a run that no event started has no property", () => {
    expect(holds(one("trigger.plan", "exists"), { event: null })).toBe(false);
    expect(holds(one("trigger.plan", "notEquals", "pro"), { event: null })).toBe(true);
  });
});

describe("a list has what one of its entries equals", () => {
  const VALUES = [
    1,
    0,
    7.5,
    "1",
    " 1 ",
    "7.50",
    "é",
    "É",
    "true",
    "TRUE",
    true,
    false,
    "x",
    "",
    null,
    [1],
    {},
  ];
  const asked = VALUES.filter((value) => ["string", "number", "boolean"].includes(typeof value));
  test.each(asked.map((value) => [value as string | number | boolean]))("%p", (wanted) => {
    const whenGiven = (x: JsonValue, op: string) =>
      holds(one("trigger.x", op, wanted), { event: { ...ABOUT_ADA.event!, properties: { x } } });
    const equal = VALUES.filter((value) => !Array.isArray(value) && whenGiven(value, "equals"));
    expect(VALUES.filter((value) => whenGiven([value], "contains"))).toEqual(equal);
    expect(whenGiven(["other", ...VALUES, "last"], "contains")).toBe(equal.length > 0);
    expect(whenGiven([], "contains")).toBe(false);
  });
});

describe("all and any", () => {
  const yes: JsonObject = { field: "tag", op: "equals", value: "vip" };
  const no: JsonObject = { field: "tag", op: "equals", value: "other" };
  test.each([
    [[yes], true, true],
    [[no], false, false],
    [[yes, yes], true, true],
    [[yes, no], false, true],
    [[no, yes], false, true],
    [[no, no], false, false],
  ])("%j", (tests, all, any) => {
    expect([holds({ all: tests }), holds({ any: tests })]).toEqual([all, any]);
  });
});
