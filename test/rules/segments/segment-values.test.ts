import { afterAll, describe, expect, test } from "bun:test";
import { holds } from "#segments/holds.ts";
import { storedRule } from "#segments/rules-input.ts";
import type { Kind } from "../../support/people/segment-cell.ts";
import { CONTACT_CELLS } from "../../support/people/segment-contact-cells.ts";
import { DOING_CELLS } from "../../support/people/segment-doing-cells.ts";
import { NOW, segmentWorld } from "../../support/people/segment-world.ts";

/**
 * Every field with every op of the contract's table, and four kinds of people: whose value fits, whose value
 * does not, who has none, whose value is of another type. Each cell is asked of the rule in memory and of the
 * query.
 */

const CONTRARY = new Set(["notEquals", "notContains", "notExists", "notWithinDays", "atMost"]);

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

describe.each(Object.entries({ ...CONTACT_CELLS, ...DOING_CELLS }))("%s", (field, cells) => {
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
