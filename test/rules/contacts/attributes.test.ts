import { describe, expect, test } from "bun:test";
import type { AttributeChange } from "#attributes/attribute-input.ts";
import { attributeOf, NO_ATTRIBUTES, type Attributes } from "#attributes/attribute.ts";
import { countHolders, mergeAttributes } from "#attributes/merge.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dice } from "../../support/common/dice.ts";

const SEED = 20_261_122;
const NAMES = ["city", "City", "age", "constructor", "toString", "a".repeat(64)];
const VALUES = ["", "Bern", 0, 1.5, true, false, [], ["a", "b"], null, null];

const none = new Map<string, number>();

test(`a merge is what each member's own change makes of it (seed ${SEED})`, () => {
  const { roll, pick } = dice(SEED);
  let current: Attributes = NO_ATTRIBUTES;
  for (let round = 0; round < 5_000; round++) {
    const change: AttributeChange = Object.fromEntries(
      Array.from({ length: roll(5) }, () => [pick(NAMES), pick(VALUES)]),
    );
    const before = JSON.stringify(current);
    const merged = unwrap(mergeAttributes(current, change, none));
    for (const name of NAMES) {
      const said = Object.hasOwn(change, name) ? (change[name] ?? undefined) : attributeOf(current, name);
      expect([round, name, attributeOf(merged, name)]).toEqual([round, name, said]);
    }
    expect(JSON.stringify(current)).toBe(before);
    current = merged;
  }
});

test(`holders counted change by change are those of a recount (seed ${SEED})`, () => {
  const { roll, pick } = dice(SEED);
  const holders = new Map<string, number>();
  const people: Attributes[] = Array.from({ length: 20 }, () => NO_ATTRIBUTES);
  for (let round = 0; round < 2_000; round++) {
    const who = roll(people.length);
    const before = people[who]!;
    const after = unwrap(mergeAttributes(before, { [pick(NAMES)]: pick(VALUES) }, none));
    countHolders(holders, before, after);
    people[who] = after;
    const recount = Map.groupBy(
      people.flatMap((attributes) => Object.keys(attributes)),
      (name) => name,
    );
    const expected = [...recount].map(([name, all]) => [name, all.length] as const);
    expect(Object.fromEntries(holders)).toEqual(Object.fromEntries(expected));
  }
});

describe("limits are those of what would be stored", () => {
  const full = (n: number, value = ""): Attributes =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`n${i}`, value]));

  test("a change that only removes is never refused, whatever is there", () => {
    const beyond = { ...full(150, "x".repeat(1_000)), left: 1 };
    expect(mergeAttributes(beyond, { left: null }, none).ok).toBe(true);
    expect(mergeAttributes(beyond, {}, none).ok).toBe(true);
    expect(mergeAttributes(beyond, { n0: "" }, none).ok).toBe(false);
  });

  test("a name in use adds none, however many there are", () => {
    const holders = new Map(Object.keys(full(500)).map((name) => [name, 1]));
    expect(mergeAttributes(NO_ATTRIBUTES, { n7: 1 }, holders).ok).toBe(true);
    expect(mergeAttributes(NO_ATTRIBUTES, { n500: 1 }, holders).ok).toBe(false);
    expect(mergeAttributes({ n7: 1 }, { n500: 1, n7: null }, holders).ok).toBe(true);
    holders.set("n7", 2);
    expect(mergeAttributes({ n7: 1 }, { n500: 1, n7: null }, holders).ok).toBe(false);
  });
});
