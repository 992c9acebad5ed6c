import { describe, expect, test } from "bun:test";
import { printable, printableJson, printableLines } from "#core/text/printable.ts";

/**
 * Clears a screen, returns to the start of the line, rings, and the same in C1. Then names that look like
 * others.
 */
const ATTACKS = [
  "\u001b[2J\u001b[H",
  "Ada\rEve",
  "\u0007",
  "\u009b2J",
  "\u007f",
  "a\u202Ecod.exe",
  "\u2066x\u2069",
  "\u200F",
  "\u061C",
  "\u2028",
];
const ACTS = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

describe("text that is shown", () => {
  test.each(ATTACKS)("holds nothing a terminal acts on: %j", (attack) => {
    for (const shown of [printable(attack), printableLines(attack), printableJson({ name: attack })])
      expect(shown).not.toMatch(ACTS);
  });

  test("says what was there", () => {
    expect(printable("\u001b[2J\r\n\t\u0007\u202e")).toBe("\\x1b[2J\\r\\n\\t\\x07\\u202e");
    expect(printable("Grace Hopper, מרים, 東京, 👩‍🚀")).toBe("Grace Hopper, מרים, 東京, 👩‍🚀");
  });

  test("keeps its lines where it has lines, but no carriage return that would overwrite one", () => {
    expect(printableLines("a\nb\r\nc\rd")).toBe("a\nb\r\nc\\rd");
  });

  test.each(ATTACKS)("as JSON means what it meant: %j", (attack) => {
    expect(JSON.parse(printableJson({ [attack]: [attack] }))).toEqual({ [attack]: [attack] });
  });
});
