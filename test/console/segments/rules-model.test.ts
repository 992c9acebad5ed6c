import { describe, expect, test } from "bun:test";
import {
  addChip,
  addGroup,
  changeChip,
  lastKey,
  meantBy,
  removePiece,
  setMode,
} from "#console/ui/audience/rules/edit.ts";
import { EVERYBODY, piecesOf, type Json, type RuleDraft } from "#console/ui/audience/rules/model.ts";
import { readRules } from "#console/ui/audience/rules/read.ts";
import { sentenceOf, type Naming } from "#console/ui/audience/rules/sentence.ts";
import { germanRules } from "#console/ui/audience/rules/words-de.ts";
import { englishRules } from "#console/ui/audience/rules/words-en.ts";
import { writeRules } from "#console/ui/audience/rules/write.ts";

const VIP = { field: "tag", op: "equals", value: "vip" };
const RECENT = { field: "opened", op: "equals", value: "any", withinDays: 90 };
const ORDERED = {
  field: "event",
  op: "atLeast",
  name: "order_placed",
  value: 2,
  where: [{ property: "cart.total", op: "greaterThan", value: 50 }],
};

const naming: Naming = {
  nameOf: (kind, id) => (id === "gone" ? null : `${kind} ${id}`),
  number: String,
  date: (iso) => iso.slice(0, 10),
};
const locked = (draft: RuleDraft): number =>
  piecesOf(draft.root).filter(({ kind }) => kind === "locked").length;
const english = (rules: Json): string => sentenceOf(readRules(rules), englishRules, naming);
const german = (rules: Json): string => sentenceOf(readRules(rules), germanRules, naming);

describe("rules that nobody touched are written as they were read", () => {
  const cases: [string, Json, number][] = [
    ["a condition alone", VIP, 0],
    ["a group", { all: [VIP, RECENT] }, 0],
    ["groups in groups", { any: [{ all: [VIP, ORDERED] }, { not: { any: [RECENT] } }] }, 0],
    ["none at the top", { not: { any: [VIP, RECENT] } }, 0],
    ["members in an order of their own", { all: [{ value: "vip", op: "equals", field: "tag" }] }, 0],
    ["a value that exists does not need", { all: [{ field: "email", op: "exists", value: 5 }] }, 0],
    ["a limit that is null", { all: [{ ...RECENT, withinDays: null }] }, 0],
    [
      "numbers and truths of attributes",
      {
        all: [
          { field: "attributes.n", op: "equals", value: 1.5 },
          { field: "attributes.b", op: "notEquals", value: false },
        ],
      },
      0,
    ],
    ["a not of one condition", { all: [VIP, { not: RECENT }] }, 1],
    ["a not of all", { not: { all: [VIP, RECENT] } }, 1],
    ["an op that is not known here", { all: [VIP, { field: "email", op: "soundsLike", value: "a" }] }, 1],
    ["a field that is not known here", { all: [{ field: "phone", op: "equals", value: "1" }] }, 1],
    ["a member that is not known here", { all: [{ ...VIP, since: "x" }] }, 1],
    ["what is no rule at all", { all: [5, null, "x"] }, 3],
  ];
  test.each(cases)("%s", (_name, rules, lockedPieces) => {
    const draft = readRules(rules);
    expect(JSON.stringify(writeRules(draft).rules)).toBe(JSON.stringify(rules));
    expect(writeRules(draft).problems).toEqual([]);
    expect(locked(draft)).toBe(lockedPieces);
  });

  test("beside an edited chip", () => {
    const draft = readRules({ all: [VIP, { not: RECENT }, { value: 3, field: "score", op: "lessThan" }] });
    const edited = changeChip(draft, "k1", { value: "gold" });
    expect(JSON.stringify(writeRules(edited).rules)).toBe(
      JSON.stringify({
        all: [{ ...VIP, value: "gold" }, { not: RECENT }, { value: 3, field: "score", op: "lessThan" }],
      }),
    );
  });
});

describe("a draft is built step by step", () => {
  test("from nothing to groups of chips", () => {
    const first = addChip(EVERYBODY, "k0", "status");
    const grouped = addGroup(first, "k0", "any");
    const inner = lastKey(grouped);
    const tagged = addChip(grouped, inner, "tag");
    const named = changeChip(tagged, lastKey(tagged), { value: "vip" });
    const opened = addChip(named, inner, "opened");
    const done = changeChip(opened, lastKey(opened), { withinDays: "90" });
    expect(writeRules(done)).toEqual({
      rules: { all: [{ field: "status", op: "equals", value: "SUBSCRIBED" }, { any: [VIP, RECENT] }] },
      problems: [],
    });
    expect(writeRules(setMode(done, inner, "none")).rules).toEqual({
      all: [{ field: "status", op: "equals", value: "SUBSCRIBED" }, { not: { any: [VIP, RECENT] } }],
    });
    expect(writeRules(EVERYBODY)).toEqual({ rules: null, problems: [] });
  });

  test("a condition alone becomes a group when it gets company, and is alone again without it", () => {
    const draft = readRules(VIP);
    const two = addChip(draft, "k0", "opened");
    expect(writeRules(two).rules).toEqual({ all: [VIP, { field: "opened", op: "equals", value: "any" }] });
    expect(writeRules(removePiece(two, lastKey(two))).rules).toEqual(VIP);
  });

  test("another op keeps what it still can use, another field nothing", () => {
    const draft = changeChip(addChip(EVERYBODY, "k0", "firstName"), "k1", { value: "Ada" });
    expect(writeRules(changeChip(draft, "k1", { op: "startsWith" })).rules).toEqual({
      all: [{ field: "firstName", op: "startsWith", value: "Ada" }],
    });
    const other = changeChip(draft, "k1", { field: "createdAt" });
    expect(writeRules(other).problems).toEqual([{ key: "k1", code: "noDays" }]);
  });

  test("the value of an attribute is what its values are, as long as nobody typed another", () => {
    const chipOf = (draft: RuleDraft) => piecesOf(draft.root).find(({ kind }) => kind === "chip");
    const fresh = addChip(EVERYBODY, "k0", "attribute");
    const customer = changeChip(fresh, "k1", { name: "customer" }, "yesNo");
    expect(writeRules(customer).rules).toEqual({
      all: [{ field: "attributes.customer", op: "equals", value: true }],
    });
    const age = changeChip(customer, "k1", { name: "age" }, "number");
    expect(chipOf(age)).toMatchObject({ value: "", meant: "number" });
    const older = changeChip(age, "k1", { op: "greaterThan" }, "number");
    expect(chipOf(changeChip(older, "k1", { op: "equals" }, "number"))).toMatchObject({ meant: "number" });
    const city = changeChip(age, "k1", { name: "city" }, "text");
    const typed = changeChip(city, "k1", { value: "Bern" }, "text");
    expect(chipOf(changeChip(typed, "k1", { name: "town" }, "number"))).toMatchObject({
      value: "Bern",
      meant: "text",
    });
  });

  test.each([
    [[], "text"],
    [["string"], "text"],
    [["number"], "number"],
    [["string", "number"], "number"],
    [["boolean"], "yesNo"],
    [["string", "boolean"], "yesNo"],
    [["number", "boolean"], "text"],
    [["list"], "text"],
  ] as const)("an attribute with values of the types %j is asked for as %s", (types, meant) => {
    expect(meantBy(types)).toBe(meant);
  });

  test("what is missing is said at its chip, and an empty group at the group", () => {
    const draft = addGroup(addChip(addChip(EVERYBODY, "k0", "tag"), "k0", "attribute"), "k0", "any");
    expect(writeRules(draft).problems).toEqual([
      { key: "k1", code: "valueMissing" },
      { key: "k2", code: "nameMissing" },
      { key: "k3", code: "emptyGroup" },
    ]);
  });

  test("more than 50 conditions, and groups more than five deep, are said before they are sent", () => {
    const many = { all: Array.from({ length: 51 }, () => VIP) };
    expect(writeRules(readRules(many)).problems).toEqual([{ key: "k0", code: "tooMany" }]);
    const deep = (n: number): Json => (n === 0 ? VIP : { any: [deep(n - 1)] });
    expect(writeRules(readRules(deep(5))).problems).toEqual([]);
    expect(writeRules(readRules(deep(6))).problems).toEqual([{ key: "k0", code: "tooDeep" }]);
  });
});

describe("rules are read back as a sentence", () => {
  const ALL: Json = { all: [{ field: "status", op: "equals", value: "SUBSCRIBED" }, VIP, RECENT] };

  test("in English", () => {
    expect(english(ALL)).toBe(
      "Everybody who is subscribed, who has the tag “vip” and who opened any campaign in the last 90 days.",
    );
    expect(sentenceOf(EVERYBODY, englishRules, naming)).toBe("Everybody.");
    expect(
      english({ all: [VIP, { any: [ORDERED, { field: "list", op: "notEquals", value: "gone" }] }] }),
    ).toBe(
      "Everybody who has the tag “vip” and (who did “order_placed” at least 2 times, where cart.total is above 50 or who is not on a list that was deleted).",
    );
    expect(english({ not: { all: [VIP, RECENT] } })).toBe(
      "Everybody for whom this does not hold: (who has the tag “vip” and who opened any campaign in the last 90 days).",
    );
    expect(english({ field: "attributes.plan", op: "notExists" })).toBe(
      "Everybody who has no attribute plan.",
    );
  });

  test("in German", () => {
    expect(german(ALL)).toBe(
      "Alle, die abonniert haben, die das Tag „vip“ haben und die in den letzten 90 Tagen irgendeine Kampagne öffneten.",
    );
    expect(sentenceOf(EVERYBODY, germanRules, naming)).toBe("Alle.");
    expect(
      german({
        any: [
          { field: "firstName", op: "startsWith", value: "A" },
          { field: "segment", op: "equals", value: "s" },
        ],
      }),
    ).toBe("Alle, deren Vorname mit „A“ beginnt oder die in dem Segment „segment s“ sind.");
    expect(german({ field: "createdAt", op: "before", value: "2026-11-21T00:00:00Z" })).toBe(
      "Alle, die vor dem 2026-11-21 hinzugefügt wurden.",
    );
  });

  test("an unfinished chip says what it will be about", () => {
    expect(sentenceOf(addChip(EVERYBODY, "k0", "tag"), englishRules, naming)).toBe("Everybody with tag ….");
  });
});
