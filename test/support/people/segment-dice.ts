/** Random people and random rules about them. There are few values, so that rules match often. */
import type { AttributeValue } from "#attributes/attribute.ts";
import type { Person } from "#segments/person.ts";
import type { Dice } from "../common/dice.ts";
import { CAMPAIGNS, LISTS, NOW, personWith, scoreOf, type ScoringRule } from "./segment-world.ts";
import { DAY } from "../common/durations.ts";

const NAMES = [
  "",
  "Ada",
  "ada lovelace",
  "Élodie",
  "STRASSE",
  "Straße",
  "Şule",
  "花子",
  "Σίσυφος",
  "a",
  "%",
  "Ad'a*?[",
];
const PIECES = ["a", "ADA", "é", "ss", "SS", "lo", "花", "σ", "ΣΊ", "%", "*", "?[", "zz", "", "example", "ı"];
const TAGS = ["vip", "VIP", "beta", ",", '"', "é"];
const TEXTS = [
  "pro",
  "Pro",
  "FREE",
  "größe",
  "GRÖSSE",
  "",
  "2026-11-01",
  "2026-11-20T10:00:00Z",
  "2026-11-20T10:00:00+09:00",
  "20",
  "true",
  "2026-13-01",
];
const NUMBERS = [0, 1, -3, 2.5, 20, 1e21, 2026];
const STATUSES = ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] as const;
const EVENTS = ["seen", "order_placed", "left"];
export const SEGMENTS = {
  seg_tag: { field: "tag", op: "equals", value: "vip" },
  seg_not: { not: { field: "segment", op: "equals", value: "seg_tag" } },
  seg_both: {
    any: [
      { field: "segment", op: "equals", value: "seg_not" },
      { field: "score", op: "greaterThan", value: 3 },
    ],
  },
};
export const SCORING: readonly ScoringRule[] = [
  { event: "seen", minValueCents: null, points: 1 },
  { event: "order_placed", minValueCents: 20, points: 3 },
  { event: "order_placed", minValueCents: null, points: -1 },
];

const some = <T>(of: Dice, from: readonly T[], most: number): T[] =>
  Array.from({ length: of.roll(most + 1) }, () => of.pick(from));

const value = (of: Dice): AttributeValue =>
  of.pick<() => AttributeValue>([
    () => of.pick(TEXTS),
    () => of.pick(NUMBERS),
    () => of.roll(2) === 0,
    () => some(of, TEXTS, 3),
  ])();

const property = (of: Dice) =>
  of.pick([value(of), value(of), null, { b: value(of) }, [of.pick(NUMBERS), of.pick(TEXTS)]]);

const at = (of: Dice): number => NOW - of.pick([0, 1, 3, 3.5, 10, 40, -1]) * DAY;
const maybeAt = (of: Dice): number | null => (of.roll(2) === 0 ? null : at(of));

export function randomPerson(of: Dice, place: number): Person {
  const events = Array.from({ length: of.roll(6) }, () => ({
    name: of.pick(EVENTS),
    at: at(of),
    properties: {
      a: property(of),
      n: { m: property(of) },
      cents: of.pick(NUMBERS.filter(Number.isInteger).filter((n) => n < 1e9)),
    },
  }));
  return {
    ...personWith({
      contact: {
        email: `${of.pick(["ada", "x.y", "example"])}${place}@${of.pick(["example.com", "mail.example.org", "xn--ada.de"])}`,
        firstName: of.pick(NAMES),
        lastName: of.pick(NAMES),
        tags: [...new Set(some(of, TAGS, 3))],
        status: of.pick(STATUSES),
        createdAt: at(of),
      },
      attributes: Object.fromEntries(
        ["plan", "Plan", "size"].filter(() => of.roll(3) > 0).map((name) => [name, value(of)]),
      ),
      listIds: some(of, LISTS, 2),
      events,
      mails: CAMPAIGNS.filter(() => of.roll(2) === 0).map((mailId) => ({
        mailId,
        receivedAt: maybeAt(of),
        openedAt: maybeAt(of),
        clickedAt: maybeAt(of),
      })),
    }),
    score: scoreOf(events, SCORING),
  };
}

const STRING_OPS = [
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "exists",
  "notExists",
];
const IS = ["equals", "notEquals"];
const DAYS = [0.5, 1, 3, 3.5, 10, 100];
const DATES = ["2026-11-01T00:00:00Z", "2026-11-20T10:00:00Z", "2026-11-22T12:00:00Z"];

const text = (of: Dice): string => of.pick([of.pick(PIECES), of.pick(NAMES), of.pick(TEXTS)]);
const scalar = (of: Dice): unknown => of.pick([text(of), text(of), of.pick(NUMBERS), of.roll(2) === 0]);

function valueTest(of: Dice, dated: boolean): object {
  const op = of.pick([
    ...STRING_OPS,
    "greaterThan",
    "lessThan",
    ...(dated ? ["before", "after", "withinDays"] : []),
  ]);
  if (op === "startsWith" || op === "endsWith") return { op, value: text(of) };
  if (op === "greaterThan" || op === "lessThan") return { op, value: of.pick(NUMBERS) };
  if (op === "withinDays") return { op, value: of.pick(DAYS) };
  return op === "before" || op === "after"
    ? { op, value: of.pick([...DATES, "2026-11-01"]) }
    : { op, value: scalar(of) };
}

const within = (of: Dice): object => (of.roll(2) === 0 ? {} : { withinDays: of.pick(DAYS) });

const CONDITIONS: readonly ((of: Dice) => object)[] = [
  (of) => ({
    field: of.pick(["email", "firstName", "lastName", "domain"]),
    op: of.pick(STRING_OPS),
    value: text(of),
  }),
  (of) => ({ field: of.pick(["firstName", "lastName"]), op: of.pick(STRING_OPS), value: text(of) }),
  (of) => ({ field: "status", op: of.pick(IS), value: of.pick(STATUSES) }),
  (of) => ({ field: "tag", op: of.pick(IS), value: of.pick(TAGS) }),
  (of) => ({ field: "list", op: of.pick(IS), value: of.pick([...LISTS, "list_gone"]) }),
  (of) => ({ field: "segment", op: of.pick(IS), value: of.pick([...Object.keys(SEGMENTS), "seg_gone"]) }),
  (of) =>
    of.roll(2) === 0
      ? { field: "createdAt", op: of.pick(["before", "after"]), value: of.pick(DATES) }
      : { field: "createdAt", op: of.pick(["withinDays", "notWithinDays"]), value: of.pick(DAYS) },
  (of) => ({ field: `attributes.${of.pick(["plan", "Plan", "size", "none"])}`, ...valueTest(of, true) }),
  (of) => ({ field: `attributes.${of.pick(["plan", "size"])}`, ...valueTest(of, true) }),
  (of) => ({
    field: "score",
    op: of.pick(["equals", "greaterThan", "lessThan"]),
    value: of.pick([-1, 0, 1, 2, 5]),
  }),
  (of) => ({
    field: "event",
    op: of.pick(["atLeast", "atMost", "exactly"]),
    name: of.pick([...EVENTS, "never"]),
    value: of.roll(3),
    ...within(of),
  }),
  (of) => ({
    field: "event",
    op: of.pick(["atLeast", "atMost", "exactly"]),
    name: of.pick(EVENTS),
    value: of.roll(3),
    ...within(of),
    where: Array.from({ length: 1 + of.roll(2) }, () => ({
      property: of.pick(["a", "n.m", "a.b", "a.0", "length", "a.length"]),
      ...valueTest(of, false),
    })),
  }),
  (of) => ({
    field: of.pick(["received", "opened", "clicked"]),
    op: of.pick(IS),
    value: of.pick([...CAMPAIGNS, "any", "cmp_gone"]),
    ...within(of),
  }),
];

/** A condition, or a group of some. */
export function randomRules(of: Dice, deep = 2): unknown {
  const kind = of.roll(deep === 0 ? 1 : 3);
  if (kind === 0 || deep === 0) return of.pick(CONDITIONS)(of);
  if (kind === 1 && of.roll(2) === 0) return { not: randomRules(of, deep - 1) };
  return {
    [of.pick(["all", "any"])]: Array.from({ length: 1 + of.roll(3) }, () => randomRules(of, deep - 1)),
  };
}
