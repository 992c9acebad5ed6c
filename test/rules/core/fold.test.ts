import { describe, expect, test } from "bun:test";
import { fold } from "#core/text/fold.ts";
import { costMs } from "../../support/common/cpu-time.ts";
import { dice } from "../../support/common/dice.ts";

const finds = (query: string, text: string): boolean => fold(text).includes(fold(query));

describe("a search finds a text in any case", () => {
  const found: [query: string, text: string][] = [
    ["ADA", "Ada Lovelace"],
    ["É", "café"],
    ["é", "CAFÉ"],
    ["caf\u00e9", "CAFE\u0301"],
    ["Straße", "STRASSE"],
    ["strasse", "Straße"],
    ["STRAẞE", "straße"],
    ["ẞ", "ss"],
    ["ΟΔΟΣ", "οδος"],
    ["οδός", "ΟΔΌΣ"],
    ["Σ", "ς"],
    ["οδοσ", "οδος και"],
    ["istanbul", "İSTANBUL"],
    ["İstanbul", "istanbul"],
    ["I\u0307stanbul", "ıstanbul"],
    ["ISPARTA", "ısparta"],
    ["ЖУК", "жук"],
    ["ǆ", "Ǆ"],
    ["ﬃ", "FFI"],
    ["K", "\u212a"],
    ["ꭰ", "Ꭰ"],
    ["𐐨", "𐐀"],
    ["100%", "100% off"],
    ["_", "a_b"],
    ["*", "2*3"],
  ];
  test.each(found)("%j finds %j", (query, text) => expect(finds(query, text)).toBe(true));

  test.each([
    ["e", "é"],
    ["o", "ö"],
    ["%", "abc"],
    ["_", "abc"],
    ["n", "ñ"],
    ["й", "и"],
  ])("%j does not find %j", (query, text) => expect(finds(query, text)).toBe(false));
});

describe("a folded text", () => {
  test("is well-formed and free of NUL", () => {
    expect(fold("A\0\ud83dB\0\ude00")).toBe("a\ufffdb\ufffd");
    expect(fold("")).toBe("");
    expect(fold("\0")).toBe("");
  });

  test("is the same for a character and its cases, and stays when folded again, for all of Unicode", () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const char = String.fromCodePoint(point);
      const folded = fold(char);
      const same =
        fold(folded) === folded && fold(char.toUpperCase()) === folded && fold(char.toLowerCase()) === folded;
      if (!same || folded !== folded.normalize("NFC")) throw new Error(`U+${point.toString(16)}`);
    }
  });

  test("stays when folded again, for every cased letter followed by any of the marks that case cares about", () => {
    const marks = [
      "\u0301",
      "\u0307",
      "\u0307\u0301",
      "\u0323\u0307",
      "\u0307\u0307",
      "\u0345",
      "\u0301\u0345",
      "\u030c",
      "\u0313\u0300",
    ];
    for (let point = 0; point <= 0xffff; point++) {
      const char = String.fromCodePoint(point);
      if (char.toLowerCase() === char.toUpperCase()) continue;
      for (const mark of marks) {
        const folded = fold(char + mark);
        const same = fold(folded) === folded && fold((char + mark).normalize("NFD")) === folded;
        if (!same) throw new Error(`U+${point.toString(16)} ${JSON.stringify(mark)}`);
      }
    }
  });

  test("contains the folded form of every part of the text", () => {
    const texts = [
      "Ada LOVELACE-Σίσυφος ΣΊΣΥΦΟΣ.",
      "İstanbul ISPARTA ısparta",
      "Größe GRÖẞE ﬃ ŉ ǰ",
      "Ὀδυσσεύς ᾳ ᾼ",
      "日本語 Ελλάς 😀𐐀 z",
    ];
    for (const text of texts) {
      const chars = [...text.normalize("NFC")];
      for (let start = 0; start < chars.length; start++) {
        for (let end = start + 1; end <= chars.length; end++) {
          const part = chars.slice(start, end).join("");
          if (!finds(part, text)) throw new Error(`${part} in ${text}`);
        }
      }
    }
  });

  test("stays when folded again, with more marks than any letter has", () => {
    const chance = dice(30);
    const scraps = ["ΐ", "İ", "ǰ", "ŉ", "ᾼ", "ß", "ẞ", "i", "a", "\u0345", "\u0307"];
    const marks = ["\u0301", "\u0307", "\u0323", "\u0344", "\u0345", "\u0f73"];
    for (let round = 0; round < 5_000; round++) {
      const text = Array.from(
        { length: 3 },
        () => chance.pick(scraps) + chance.pick(marks).repeat(chance.roll(35)) + chance.pick(marks).repeat(9),
      ).join("");
      expect([text, fold(fold(text))]).toEqual([text, fold(text)]);
    }
  });

  test.each([
    ["letters", "Σς İ ß\0\ud800e\u0301".repeat(70_000)],
    ["marks of one letter", `a${"\u0315".repeat(12_000)}${"\u0300".repeat(12_000)}`],
  ])("is made in linear time: %s", async (_, text) => {
    expect(await costMs(() => fold(text))).toBeLessThan(1000);
  });
});
