/** Numbers as people type them: none becomes another one than its person means. */
import { afterEach, describe, expect, test } from "bun:test";
import { addChip, changeChip } from "#console/ui/audience/rules/edit.ts";
import { EVERYBODY } from "#console/ui/audience/rules/model.ts";
import { readRules } from "#console/ui/audience/rules/read.ts";
import { writeRules } from "#console/ui/audience/rules/write.ts";
import { localeOf } from "#console/ui/frame/locale.ts";
import {
  markOf,
  numbersAreWrittenWith,
  readNumber,
  writeNumber,
} from "#console/ui/parts/typed/typed-number.ts";

afterEach(() => numbersAreWrittenWith("."));

describe.each([
  [
    "the point is the decimal mark",
    ".",
    { "12": 12, " -0.5 ": -0.5, ".5": 0.5, "1.000": 1, "12.408": 12.408, "+3": 3, "1e3": 1_000 },
    ["", "12,408", "1,000", "1,5", "1 000", "1.000.000", "1,000.5", "0x10", "Infinity", "1e999", "12 apples"],
  ],
  [
    "the comma is the decimal mark",
    ",",
    {
      "12": 12,
      "12,408": 12.408,
      " -0,5 ": -0.5,
      ",5": 0.5,
      "1,000": 1,
      "12.5": 12.5,
      "0.125": 0.125,
      "1e3": 1_000,
    },
    ["", "1.000", "12.408", "-999.000", "1.000.000", "1.000,5", "1,000.5", "1 000", "0x10", "1,5,5"],
  ],
] as const)("where %s", (_, mark, numbers, none) => {
  test.each(Object.entries(numbers))("%p is %p", (text, number) => {
    numbersAreWrittenWith(mark);
    expect(readNumber(text)).toBe(number);
  });

  test.each([...none])("%p is refused", (text) => {
    numbersAreWrittenWith(mark);
    expect(readNumber(text)).toBeNull();
  });

  test("what is shown is read as the same number", () => {
    numbersAreWrittenWith(mark);
    for (const number of [0, -1, 1_000, 12.408, 1.5, 1e21, 1.5e-7, Number.MAX_SAFE_INTEGER])
      expect(readNumber(writeNumber(number))).toBe(number);
  });

  test("a rule has the number that its person means, or none", () => {
    numbersAreWrittenWith(mark);
    const withScore = (value: string) =>
      writeRules(changeChip(addChip(EVERYBODY, "k0", "score"), "k1", { value }));
    expect(withScore(writeNumber(12.408)).rules).toMatchObject({ all: [{ field: "score", value: 12.408 }] });
    for (const text of none.filter((each) => each !== ""))
      expect(withScore(text).problems).toEqual([{ key: "k1", code: "noNumber" }]);
    const rule = { field: "score", op: "greaterThan", value: 12.5 };
    const read = readRules(rule);
    expect(writeRules(changeChip(read, "k1", { op: "lessThan" })).rules).toEqual({ ...rule, op: "lessThan" });
  });
});

test("the decimal mark is that of the numbers that are shown", () => {
  const marks = ["en", "en-US", "en-GB", "en-DE", "en-ZA", "de", "de-AT", "de-CH"].map(markOf);
  expect(marks).toEqual([".", ".", ".", ",", ",", ",", ",", ","]);
});

test("what a browser calls a language, but no format takes, is passed over", () => {
  const preferred = ["en-US@posix", "fr", "de", "en-ZA"];
  expect(["en", "de", "nl"].map((language) => localeOf(language, preferred))).toEqual(["en-ZA", "de", "nl"]);
});
