import { describe, expect, test } from "bun:test";
import { parseScoringRule, points, scoreOf, type ScoredEvent, type ScoringRule } from "#scoring/scoring.ts";

const RULES: readonly ScoringRule[] = [
  { event: "order_placed", minValueCents: null, points: 10 },
  { event: "order_placed", minValueCents: 5000, points: 40 },
  { event: "unsubscribed", minValueCents: null, points: -30 },
  { event: "refunded", minValueCents: -1000, points: -5 },
];
const event = (name: string, valueCents: number | null = null): ScoredEvent => ({ name, valueCents });

describe("the points of an event are the sum over every rule that fits", () => {
  test.each([
    [event("order_placed"), 10],
    [event("order_placed", 0), 10],
    [event("order_placed", 4999), 10],
    [event("order_placed", 5000), 50],
    [event("order_placed", 5001), 50],
    [event("order_placed", -9000), 10],
    [event("unsubscribed", 5000), -30],
    [event("refunded", null), 0],
    [event("refunded", -1000), -5],
    [event("refunded", -1001), 0],
    [event("Order_Placed", 5000), 0],
    [event("order"), 0],
  ])("%j earns %d", (given, expected) => {
    expect(points(given, RULES)).toBe(expected);
  });

  test("none without rules", () => {
    expect(points(event("order_placed", 5000), [])).toBe(0);
  });
});

describe("a contact's score is the sum over their events", () => {
  test.each([
    [[], 0],
    [[event("order_placed")], 10],
    [[event("order_placed"), event("order_placed", 6000), event("unsubscribed"), event("seen")], 30],
    [[event("unsubscribed"), event("unsubscribed")], -60],
  ])("%j: %d", (events, score) => {
    expect(scoreOf(events, RULES)).toBe(score);
    expect(scoreOf(events.toReversed(), RULES.toReversed())).toBe(score);
    expect(scoreOf(new Set(events), RULES)).toBe(score);
  });
});

describe("a rule as typed", () => {
  const parsed = (name: string | undefined, earned: string | undefined, minValueCents?: string) => {
    const rule = parseScoringRule({ event: name, points: earned, minValueCents });
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
