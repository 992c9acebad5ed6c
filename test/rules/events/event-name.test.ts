import { describe, expect, test } from "bun:test";
import { codePoints } from "#core/text/text.ts";
import { normalizeEventName } from "#events/event-name.ts";
import { costMs, leastCostMs } from "../../support/common/cpu-time.ts";
import { dice } from "../../support/common/dice.ts";

describe("an event name is lower-case snake_case", () => {
  test.each([
    ["order_placed", "order_placed"],
    ["Order Placed", "order_placed"],
    ["ORDER PLACED", "order_placed"],
    ["orderPlaced", "order_placed"],
    ["OrderPlaced", "order_placed"],
    ["order-placed", "order_placed"],
    ["order.placed", "order_placed"],
    ["order::placed", "order_placed"],
    ["  order   placed  ", "order_placed"],
    ["__order__placed__", "order_placed"],
    ["order placed!", "order_placed"],
    ["step2Done", "step2_done"],
    ["step2done", "step2done"],
    ["step 2 done", "step_2_done"],
    ["HTTPRequest", "http_request"],
    ["myHTTPRequest", "my_http_request"],
    ["HTTP", "http"],
    ["HTTP2Request", "http2_request"],
    ["ABTest", "ab_test"],
    ["iOSLogin", "i_os_login"],
    ["A", "a"],
    ["42", "42"],
    ["order\tplaced\n", "order_placed"],
    ["order\0placed", "order_placed"],
    ["order 🎉 placed", "order_placed"],
  ])("%j gives %s", (text, name) => {
    expect(normalizeEventName(text)).toBe(name);
  });
});

describe("letters and digits of every script stay, without their marks", () => {
  test.each([
    ["Café", "cafe"],
    ["Cafe\u0301", "cafe"],
    ["ÉcoleFinie", "ecole_finie"],
    ["İstanbul", "istanbul"],
    ["straßeGesehen", "straße_gesehen"],
    ["заказОплачен", "заказ_оплачен"],
    ["ΑΓΟΡΑ", "αγορα"],
    ["注文 完了", "注文_完了"],
    ["طلب جديد", "طلب_جديد"],
    ["ｏｒｄｅｒＰｌａｃｅｄ", "order_placed"],
    ["ﬁnished", "finished"],
    ["step²", "step2"],
    ["①Start", "1_start"],
    ["٣ طلبات", "٣_طلبات"],
  ])("%j gives %s", (text, name) => {
    expect(normalizeEventName(text)).toBe(name);
  });

  test("one name in composed, decomposed and full-width spelling is one name", () => {
    const names = ["prêtÀPartir", "prêtÀPartir".normalize("NFD"), "Prêt à partir", "PRÊT-À-PARTIR"].map(
      normalizeEventName,
    );
    expect(new Set(names)).toEqual(new Set(["pret_a_partir"]));
  });
});

describe("nothing left", () => {
  test.each([[""], [" "], ["___"], ["!?"], ["🎉"], ["\u0301"], ["\ud800"], ["\0"]])(
    "%j gives the empty name",
    (text) => {
      expect(normalizeEventName(text)).toBe("");
    },
  );
});

describe("the cut to 64 characters", () => {
  test.each([
    ["a".repeat(64), "a".repeat(64)],
    ["a".repeat(65), "a".repeat(64)],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
    [`${"a".repeat(62)} bc`, `${"a".repeat(62)}_b`],
    ["𠮷".repeat(70), "𠮷".repeat(64)],
    ["é".repeat(70), "e".repeat(64)],
  ])("of %s leaves no underscore at the end and no half character", (text, name) => {
    expect(normalizeEventName(text)).toBe(name);
  });
});

describe("whatever comes in", () => {
  const SCRAPS = [
    "a",
    "Z",
    "ß",
    "İ",
    "ǅ",
    "2",
    "²",
    "_",
    "-",
    " ",
    "\u0301",
    "日",
    "가",
    "ΑΣ",
    "𐐀",
    "🎉",
    "\ud800",
    "ﬃ",
    "ϒ",
  ];

  test("the result is a name: one spelling, no outer or double underscore, and normalizing it again changes nothing", () => {
    const chance = dice(7);
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: chance.roll(70) }, () => chance.pick(SCRAPS)).join("");
      const name = normalizeEventName(text);
      expect([text, normalizeEventName(name)]).toEqual([text, name]);
      if (name !== "") expect(name).toMatch(/^[\p{L}\p{N}]+(_[\p{L}\p{N}]+)*$/u);
      expect(codePoints(name)).toBeLessThanOrEqual(64);
    }
  });

  test("every single character normalizes to something that stays as it is", () => {
    const restless: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const name = normalizeEventName(`a${String.fromCodePoint(point)}b`);
      if (normalizeEventName(name) !== name) restless.push(point.toString(16));
    }
    expect(restless).toEqual([]);
  });

  test("a name of a million characters is read in time", () => {
    expect(normalizeEventName("aB".repeat(500_000))).toHaveLength(64);
    expect(normalizeEventName("_ ".repeat(500_000))).toBe("");
  });

  test("many names of nothing but marks are read in time", async () => {
    const name = `${"\u0315".repeat(2_000)}${"\u0300".repeat(2_000)}`;
    const names = Array.from({ length: 40 }, (_, each) => `${name}a${each}`);
    const read = names.map(normalizeEventName);
    expect(read.slice(0, 2)).toEqual(["a0", "a1"]);
    expect(await costMs(() => names.map(normalizeEventName))).toBeLessThan(400);
  });

  test("characters that become eighteen take little longer than those that become three", async () => {
    const namesOf = (character: string) => Array.from({ length: 400 }, () => character.repeat(5_000));
    const [long, ordinary] = [namesOf("\uFDFA"), namesOf("\uAC01")];
    expect(normalizeEventName(long[0]!)).not.toBe("");
    const ordinaryMs = await leastCostMs(() => ordinary.map(normalizeEventName));
    expect(await leastCostMs(() => long.map(normalizeEventName))).toBeLessThan(4 * ordinaryMs);
  });

  test("marks are left out, whether a letter has them or they stand alone", () => {
    const marks = /\p{M}/u;
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const mark = String.fromCodePoint(point);
      if (marks.test(mark) && normalizeEventName(`a${mark}b`) !== "ab") wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
