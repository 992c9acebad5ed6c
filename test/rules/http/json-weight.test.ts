import { describe, expect, test } from "bun:test";
import { checkJsonWeight } from "#http/body/json-weight.ts";

const refusal = (text: string): string => {
  const checked = checkJsonWeight(text);
  return checked.ok ? "" : checked.refusal.message;
};
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("JSON that would take long to read", () => {
  test("is nested more than 100 deep", () => {
    expect(refusal(nested(100))).toBe("");
    expect(refusal(nested(101))).toBe(
      "The body has something nested more than 100 levels deep. Send less at once.",
    );
    expect(refusal("[".repeat(4_000_000))).toContain("100 levels");
    expect(refusal(`[${Array(110).fill(nested(90)).join()}]`)).toBe("");
  });

  test("has more than 10,000 objects and arrays", () => {
    expect(refusal(`[${Array(9_999).fill("{}").join()}]`)).toBe("");
    expect(refusal(`[${Array(10_000).fill("{}").join()}]`)).toContain("10000 objects and arrays");
  });

  test("has more than 10,000 members", () => {
    const members = (count: number): string =>
      `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`;
    expect(refusal(members(10_000))).toBe("");
    expect(refusal(members(10_001))).toContain("10000 members");
  });

  test("has more than 100,000 values", () => {
    expect(refusal(`[${Array(100_000).fill("1").join()}]`)).toBe("");
    expect(refusal(`[${Array(100_001).fill("1").join()}]`)).toContain("100000 values");
  });
});

test("What stands in strings does not count, whatever it is and however it is escaped", () => {
  for (const inside of [
    "[".repeat(1_000),
    "{,:}".repeat(100_000),
    '"['.repeat(50_000),
    '\\"['.repeat(500),
    "\\",
  ])
    expect(refusal(JSON.stringify({ html: inside, more: [inside] }))).toBe("");
  expect(refusal(`["a\\\\"${"[".repeat(101)}`)).toContain("100 levels");
});

test("What is no JSON is the parser's to refuse", () => {
  for (const text of ["", '"open', "]]]]]]", "nonsense", '"\\'])
    expect(checkJsonWeight(text)).toEqual({ ok: true, value: text });
});
