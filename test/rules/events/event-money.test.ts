import { describe, expect, test } from "bun:test";
import { centsOf, parseMoney } from "#events/money.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const bodyOf = (json: string): Record<string, unknown> => JSON.parse(json);
const money = (json: string) => {
  const parsed = parseMoney(bodyOf(json));
  return parsed.ok ? parsed.value : parsed.refusal.code;
};

describe("`value` in major units becomes whole minor units, half away from zero on its shortest decimal form", () => {
  test.each([
    [19.99, 1999],
    [1.005, 101],
    [-1.005, -101],
    [1.004, 100],
    [1.00499, 100],
    [2.675, 268],
    [8.345, 835],
    [0.005, 1],
    [0.0049, 0],
    [-0.005, -1],
    [-0.0049, 0],
    [0.1 + 0.2, 30],
    [0, 0],
    [-0, 0],
    [5, 500],
    [1e3, 100_000],
    [1e-7, 0],
    [5e-324, 0],
    [1.5e2, 15_000],
    [90_071_992_547_409.9, MAX - 1],
    [-90_071_992_547_409.9, 1 - MAX],
    [90_071_992_547_410, null],
    [-90_071_992_547_410, null],
    [1e21, null],
    [Number.MAX_VALUE, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.NaN, null],
  ])("%d gives %p", (value, cents) => {
    expect(centsOf(value)).toBe(cents);
  });

  test("every amount of cents up to 100,000 comes back from its decimal form", () => {
    for (let cents = 0; cents <= 100_000; cents++) expect(centsOf(cents / 100)).toBe(cents);
  });
});

describe("which of the amounts counts", () => {
  test.each([
    ["{}", { valueCents: null, currency: null }],
    ['{"value":19.99,"currency":"eur"}', { valueCents: 1999, currency: "EUR" }],
    ['{"valueCents":1999}', { valueCents: 1999, currency: null }],
    ['{"valueCents":5,"value":19.99}', { valueCents: 5, currency: null }],
    ['{"valueCents":5,"value":"not looked at"}', { valueCents: 5, currency: null }],
    ['{"valueCents":0,"value":19.99}', { valueCents: 0, currency: null }],
    ['{"valueCents":null,"value":19.99}', { valueCents: 1999, currency: null }],
    ['{"valueCents":null,"value":null}', { valueCents: null, currency: null }],
    ['{"value":-20}', { valueCents: -2000, currency: null }],
    ['{"valueCents":-1}', { valueCents: -1, currency: null }],
    ['{"valueCents":-0}', { valueCents: 0, currency: null }],
    ['{"valueCents":1e2}', { valueCents: 100, currency: null }],
    ['{"valueCents":9007199254740991}', { valueCents: MAX, currency: null }],
    ['{"valueCents":-9007199254740991}', { valueCents: -MAX, currency: null }],
  ])("%s", (json, expected) => {
    expect(money(json)).toEqual(expected);
  });
});

describe("a bad amount is refused", () => {
  test.each([
    ['{"value":"19.99"}'],
    ['{"value":true}'],
    ['{"value":[1]}'],
    ['{"value":{}}'],
    ['{"value":1e400}'],
    ['{"value":90071992547409.92}'],
    ['{"valueCents":19.99}'],
    ['{"valueCents":"1999"}'],
    ['{"valueCents":1e400}'],
    ['{"valueCents":9007199254740992}'],
    ['{"valueCents":19.99,"value":20}'],
    ['{"valueCents":false}'],
  ])("%s", (json) => {
    expect(money(json)).toBe("VALIDATION_ERROR");
  });
});

describe("a currency is three letters, stored in upper case; anything else is ignored", () => {
  test.each([
    ["EUR", "EUR"],
    ["usd", "USD"],
    ["gBp", "GBP"],
    ["", null],
    ["EU", null],
    ["EURO", null],
    ["€", null],
    ["E1R", null],
    [" EUR", null],
    ["ÉUR", null],
    ["ﬁﬁﬁ", null],
    [978, null],
    [null, null],
    [["EUR"], null],
    [{}, null],
  ])("%j is stored as %p", (currency, stored) => {
    expect(money(JSON.stringify({ currency, value: 1 }))).toEqual({ valueCents: 100, currency: stored });
  });
});
