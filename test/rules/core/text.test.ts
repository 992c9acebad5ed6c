import { describe, expect, test } from "bun:test";
import { codePoints, hasControlCharacter, quoted } from "#core/text/text.ts";
import { isOneLine } from "../../support/common/one-line.ts";

describe("a character of the contract is a code point", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["Ada", 3],
    ["é", 1],
    ["e\u0301", 2],
    ["😀", 1],
    ["a😀b😀", 4],
    ["\ud83d", 1],
    ["\ude00\ud83d", 2],
    ["\ud83d\ude00\ude00", 2],
  ];
  test.each(cases)("%j has its code points", (text, count) => {
    expect(codePoints(text)).toBe(count);
    expect([...text].length).toBe(count);
  });
});

describe("control characters", () => {
  test("exactly C0, DEL, C1 and the two line separators are control characters", () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const expected = unit < 0x20 || (unit >= 0x7f && unit <= 0x9f) || unit === 0x2028 || unit === 0x2029;
      if (hasControlCharacter(`a${String.fromCharCode(unit)}b`) !== expected)
        throw new Error(`U+${unit.toString(16)}`);
    }
  });

  test("every character that ends a line is also a control character, a tab only the latter", () => {
    for (const end of ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
      expect([isOneLine(`a${end}b`), hasControlCharacter(end)]).toEqual([false, true]);
    }
    expect([isOneLine("a\tb"), hasControlCharacter("a\tb")]).toEqual([true, true]);
    expect(isOneLine("Grace Hopper")).toBe(true);
  });
});

test("what a person typed is quoted in a message on one short line, whatever it holds", () => {
  expect(quoted("colour")).toBe('"colour"');
  expect(quoted("a\nb\u2028c\u001b[31m\0")).toBe('"a\uFFFDb\uFFFDc\uFFFD[31m\uFFFD"');
  expect(quoted("x".repeat(40))).toBe(`"${"x".repeat(40)}"`);
  expect(quoted("x".repeat(41))).toBe(`"${"x".repeat(40)}…"`);
  expect(quoted("😀".repeat(1_000_000))).toBe(`"${"😀".repeat(40)}…"`);
  expect(quoted("\ud83d").isWellFormed()).toBe(true);
});
