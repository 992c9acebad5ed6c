import { describe, expect, test } from "bun:test";
import { holds } from "#segments/holds.ts";
import { storedRule } from "#segments/rules-input.ts";
import { NOW, personWith } from "../../support/people/segment-world.ts";

const fits = (email: string, field: string, op: string, value: string): boolean =>
  holds(storedRule({ field, op, value }), personWith({ contact: { email } }), {
    now: NOW,
    ruleOf: () => null,
  });

describe("a domain in a condition may be written as people write it", () => {
  test.each([
    ["domain", "equals", "bücher.example", true],
    ["domain", "equals", "Bücher.EXAMPLE", true],
    ["domain", "equals", "bu\u0308cher.example", true],
    ["domain", "equals", "bücher。example", true],
    ["domain", "equals", "XN--BCHER-KVA.example", true],
    ["domain", "notEquals", "bücher.example", false],
    ["domain", "equals", "bücher.example.org", false],
    ["domain", "equals", "bücher", false],
    ["domain", "startsWith", "bücher.", true],
    ["domain", "endsWith", "bücher.example", true],
    ["domain", "contains", "BÜCHER", true],
    ["domain", "notContains", "bücher", false],
    // A part of a label is not in the label's ASCII form.
    ["domain", "contains", "üch", false],
    ["email", "equals", "Ada@Bücher.example", true],
    ["email", "notEquals", "ada@bücher.example", false],
    ["email", "endsWith", "@bücher.example", true],
    ["email", "contains", "@bücher", true],
    ["email", "startsWith", "ada@bücher", true],
    ["email", "notContains", "@bücher", false],
    // Without an @ it may be of a local part.
    ["email", "contains", "bücher", false],
    ["email", "notContains", "bücher", true],
    ["email", "equals", "bücher.example", false],
    ["email", "startsWith", "bücher", false],
    ["email", "endsWith", "bücher.example", false],
  ] as const)("%s %s %p is %p", (field, op, value, expected) => {
    expect(fits("ada@xn--bcher-kva.example", field, op, value)).toBe(expected);
  });

  test.each([
    ["contains", "weiß", true],
    ["notContains", "weiß", false],
    ["startsWith", "WEIß", true],
    ["contains", "weiß@", true],
    ["equals", "weiß@example.com", true],
    ["endsWith", "weiß", false],
  ])("a local part is compared as before, without case: %s %p is %p", (op, value, expected) => {
    expect(fits("weiss@example.com", "email", op, value)).toBe(expected);
  });

  test("the letters are those of stored addresses, not those of names: ß is not ss, ı is not i", () => {
    expect(fits("ada@xn--strae-oqa.example", "domain", "equals", "straße.example")).toBe(true);
    expect(fits("ada@strasse.example", "domain", "equals", "straße.example")).toBe(false);
    expect(fits("ada@istanbul.example", "domain", "equals", "ıstanbul.example")).toBe(false);
  });

  test("what is no piece of a domain is compared as it is", () => {
    expect(fits("ada@example.com", "domain", "contains", "ü%b")).toBe(false);
    expect(fits("ada@example.com", "domain", "notContains", "\u00ad")).toBe(true);
    expect(fits("ada@example.com", "email", "contains", "é@")).toBe(false);
    expect(fits("ada@example.com", "domain", "contains", "ü".repeat(900))).toBe(false);
  });
});
