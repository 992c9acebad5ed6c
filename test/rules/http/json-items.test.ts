import { describe, expect, test } from "bun:test";
import { cutItems } from "#http/body/json-items.ts";
import { atOnce } from "#core/time/event-loop.ts";
import { costMs } from "../../support/common/cpu-time.ts";
import { dice } from "../../support/common/dice.ts";

/** What the text holds, read by cutting it; undefined if it is not valid JSON. */
function readByCutting(text: string, field = "items", itemsMax = 1_000): unknown {
  const cut = atOnce(cutItems(text, field, itemsMax));
  if (!cut.ok) return cut.refusal;
  const { skeleton, items, isTwice } = cut.value;
  try {
    const rest = JSON.parse(skeleton);
    const read = items.map((item) => JSON.parse(item));
    if (isTwice) return "twice";
    return typeof rest === "object" && Array.isArray(rest?.[field]) ? { ...rest, [field]: read } : rest;
  } catch {
    return undefined;
  }
}

function readWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe("cutting a list out of JSON", () => {
  test.each([
    '{"items":[{"a":1},{"b":[1,2,{"c":"],"}]}],"x":"[,]"}',
    ' { "x" : { "items" : [9] } , "items" : [ 1 , "two" , null , [ 3 ] ] } ',
    '{"items":[]}',
    '{"items":[ ]}',
    '{"items":["\\"","\\\\","a\\\\\\"b"]}',
    '{"it\u0065ms":[1,2]}',
    '{"items":{"a":[1]},"y":[2]}',
    '{"items":null}',
    '{"y":"items","z":[1,2]}',
    '["items",[1,2]]',
    "[1,2]",
    "7",
    "null",
  ])("gives what reading it whole gives: %s", (text) => {
    expect(readByCutting(text)).toEqual(readWhole(text));
  });

  test.each([
    '{"items":[1 2]}',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[1}',
    '{"items":[1]',
    '{"items":[{"a":1]}',
    '{"items":[1}]',
    '{"items":[1]}}',
    '{"items" [1]}',
    '{"items":["a]}',
    '{"items":[1],}',
    "",
    "{",
  ])("finds unreadable what reading it whole finds unreadable: %s", (text) => {
    expect(readWhole(text)).toBeUndefined();
    expect(readByCutting(text)).toBeUndefined();
  });

  test("never reads what is no JSON, nor differently from a whole reading, whatever is broken (2,000 seeded)", () => {
    const of = dice(20261122);
    const whole = '{"a":"[\\",","items":[{"email":"a@b.example","t":["x","]"]},[],"\\\\"],"z":{"items":[1]}}';
    let readable = 0;
    for (let round = 0; round < 2_000; round++) {
      const at = of.roll(whole.length);
      const piece = of.pick(["", '"', "[", "]", "{", "}", ",", "\\", "1", " "]);
      const text = whole.slice(0, at) + piece + whole.slice(at + of.roll(2));
      const expected = readWhole(text);
      expect([text, readByCutting(text)]).toEqual([text, expected]);
      if (expected !== undefined) readable++;
    }
    expect(readable).toBeGreaterThan(100);
  });

  test("refuses more items than it may hold, and says when a list is there twice", () => {
    expect(readByCutting('{"items":[1,2,3]}', "items", 2)).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(readByCutting('{"items":[1,2]}', "items", 2)).toEqual({ items: [1, 2] });
    expect(readByCutting('{"items":[1],"items":[2]}')).toBe("twice");
  });

  test("a long string is not read again for every list behind it", async () => {
    const text = `{"${"\\u0061".repeat(170_000)}":${"[],".repeat(1_000)}1}`;
    expect(await costMs(() => Array.from(cutItems(text, "items", 1_000)))).toBeLessThan(400);
  });

  test("finds the list by its name in the longest spelling that JSON has", () => {
    expect(readByCutting(String.raw`{"\u0069\u0074\u0065\u006d\u0073":[1,2]}`)).toEqual({ items: [1, 2] });
  });

  test("works in pieces: a long text gives others their turn", () => {
    const text = `{"items":[${Array.from({ length: 1_000 }, () => `[${"1,".repeat(4_000)}1]`).join(",")}]}`;
    expect(Array.from(cutItems(text, "items", 1_000)).length).toBe(Math.floor(text.length / (1024 * 1024)));
  });

  test.each(["beside the list", "in it"])(
    "a long string full of quotes %s gives others theirs too",
    (place) => {
      const string = `"${'\\"'.repeat(2 * 1024 * 1024)}"`;
      const text = place === "in it" ? `{"items":[${string},1]}` : `{"items":[],"x":${string}}`;
      expect(Array.from(cutItems(text, "items", 1_000))).toHaveLength(4);
      expect(readByCutting(text)).toEqual(readWhole(text));
    },
  );
});
