/** The tags in a cell of a file, as we write them and as Mailchimp does. */
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { codePoints } from "#core/text/text.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { planColumns } from "#imports/rows/plan-columns.ts";
import { rowParser } from "#imports/rows/import-row.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";

describe("a cell of tags", () => {
  const parse = rowParser(
    unwrap(planColumns(["email", "tags"], { ...NO_OPTIONS, status: "PENDING" })),
    "PENDING",
    0,
  );
  test.each<[string, string[]]>([
    ["a; b", ["a", "b"]],
    ['"a"', ["a"]],
    ['"a","b"', ["a", "b"]],
    [' "a" ,\t"b c" , ', ["a", "b c"]],
    ['"a;b","c,d"', ["a;b", "c,d"]],
    ['"say ""hi""",""""', ['say "hi"', '"']],
    ['"","a"', ["a"]],
    ['"', ['"']],
    ['"a"b;c', ['"a"b', "c"]],
    ['"a",b;c', ['"a",b', "c"]],
    ['"a",,"b"', ['"a",,"b"']],
    ['"a"" ,"b;c', ['"a"" ,"b', "c"]],
    ['a,"b"', ['a,"b"']],
    ["", []],
  ])("%j", (cell, tags) => {
    expect(unwrap(parse(["ada@example.com", cell])).tags).toEqual(tags);
  });

  const byComma = rowParser(
    unwrap(
      planColumns(["Email", "Labels", "tags"], {
        ...NO_OPTIONS,
        status: "PENDING",
        mapping: { Labels: { kind: "tagsByComma" } },
      }),
    ),
    "PENDING",
    0,
  );
  test.each<[string, string, string[]]>([
    ["a, b", "", ["a", "b"]],
    ["a;b,c", "", ["a;b", "c"]],
    ['"a, b","c"', "", ["a, b", "c"]],
    ["Art, Music\\, classical", "", ["Art", "Music, classical"]],
    ["a, b", "b; c,d", ["b", "c,d", "a"]],
    ["", "", []],
  ])("with commas between tags, %j, beside %j of ours", (cell, ours, tags) => {
    expect(unwrap(byComma(["ada@example.com", cell, ours])).tags).toEqual(tags);
  });

  test.each([
    ["one long tag", `"${"a".repeat(600_000)}"`],
    ["quotes alone", '"'.repeat(600_001)],
  ])("that is as long as a line, %s, is no more work than to walk through it ten times", async (_, cell) => {
    const times = (count: number, read: () => unknown) =>
      leastCostMs(() => {
        for (let n = 0; n < count; n++) read();
      });
    const reference = await times(30, () => codePoints(cell));
    const cost = await times(3, () => parse(["ada@example.com", cell]));
    expect(cost / reference).toBeLessThan(15);
  });
});
