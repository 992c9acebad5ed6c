import { describe, expect, test } from "bun:test";
import { checkJsonValue, isJsonObject } from "#core/request/json-value.ts";

describe("free-form JSON", () => {
  test.each([
    ["null"],
    ["5"],
    ['"x"'],
    ["[]"],
    ["{}"],
    ['{"a":[1,{"b":null}]}'],
    ['{"toString":1,"hasOwnProperty":2}'],
    ['{"constructor":"Lotus","a":[{"prototype":1}]}'],
    ["-1e308"],
  ])("%s is taken", (json) => {
    const value: unknown = JSON.parse(json);
    expect(checkJsonValue(value, "style")).toEqual({ ok: true, value } as never);
  });

  test.each([
    ['{"__proto__":1}', "`style` has a key `__proto__`"],
    ['{"a":[0,{"__proto__":1}]}', "`style.a[1]` has a key `__proto__`"],
    ['{"a":[1e999]}', "`style.a[0]` is too large a number"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "lies more than 32 levels deep"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "lies more than 32 levels deep"],
  ])("is refused with its place: %.40s", (json, message) => {
    expect(checkJsonValue(JSON.parse(json), "style")).toMatchObject({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", message: expect.stringContaining(message) },
    });
  });

  test.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ["{}", false],
    [5, false],
    [undefined, false],
  ])("%j is an object: %p", (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});
