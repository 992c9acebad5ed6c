import { describe, expect, test } from "bun:test";
import { parseScoringFlags, parseScoringRule } from "#scoring/scoring.ts";

describe("a rule as typed", () => {
  const parsed = (name: string | undefined, earned: string | undefined, minValueCents?: string) => {
    const rule = parseScoringFlags({ event: name, points: earned, minValueCents });
    return rule.ok ? rule.value : rule.refusal.message;
  };

  test.each([
    ["order_placed", "10", undefined, { event: "order_placed", minValueCents: null, points: 10 }],
    ["Order Placed", "-10", "5000", { event: "order_placed", minValueCents: 5000, points: -10 }],
    ["orderPlaced", "+10", "0", { event: "order_placed", minValueCents: 0, points: 10 }],
    ["a", "1000000", "-5", { event: "a", minValueCents: -5, points: 1_000_000 }],
  ] as const)("%s %s %p", (name, earned, min, rule) => {
    expect(parsed(name, earned, min)).toEqual(rule);
  });

  test.each([
    [undefined, "10", undefined, "--event"],
    ["", "10", undefined, "--event"],
    ["!!", "10", undefined, "--event"],
    ["a", undefined, undefined, "--points"],
    ["a", "", undefined, "--points"],
    ["a", "0", undefined, "--points"],
    ["a", "1.5", undefined, "--points"],
    ["a", "ten", undefined, "--points"],
    ["a", "1e3", undefined, "--points"],
    ["a", "0x10", undefined, "--points"],
    ["a", "1000001", undefined, "--points"],
    ["a", "-1000001", undefined, "--points"],
    ["a", "10", "", "--min-value-cents"],
    ["a", "10", "19.99", "--min-value-cents"],
    ["a", "10", "9007199254740992", "--min-value-cents"],
  ] as const)("%p %p %p is refused and says %s", (name, earned, min, flag) => {
    expect(parsed(name, earned, min)).toStartWith(`${flag} needs`);
  });
});

describe("a rule as JSON", () => {
  const parsed = (body: Parameters<typeof parseScoringRule>[0]) => {
    const rule = parseScoringRule(body);
    return rule.ok ? rule.value : rule.refusal.message;
  };

  test("is the same rule", () => {
    expect(parsed({ event: "Order Placed", points: -10 })).toEqual({
      event: "order_placed",
      minValueCents: null,
      points: -10,
    });
    expect(parsed({ event: "a", points: 1_000_000, minValueCents: -5 })).toEqual({
      event: "a",
      minValueCents: -5,
      points: 1_000_000,
    });
  });

  test.each([
    [{ event: "!!", points: 1 }, "`event`"],
    [{ event: "a", points: 0 }, "`points`"],
    [{ event: "a", points: 1.5 }, "`points`"],
    [{ event: "a", points: -1_000_001 }, "`points`"],
    [{ event: "a", points: 1, minValueCents: 2 ** 53 }, "`minValueCents`"],
  ] as const)("%j is refused and says %s", (body, named) => {
    expect(parsed(body)).toStartWith(`${named} needs`);
  });
});
