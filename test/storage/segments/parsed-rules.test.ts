import { expect, test } from "bun:test";
import { withParsedRules } from "#storage/common/segments/parsed-rules.ts";

test("the rules of a full page are parsed in several turns of the event loop, a few segments in one", async () => {
  const rules = { field: "email", op: "exists", value: "x".repeat(64_000) };
  const rows = Array.from({ length: 100 }, (_, seq) => ({ seq, rules: JSON.stringify(rules) }));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await withParsedRules(rows)).toEqual(rows.map(({ seq }) => ({ seq, rules })));
  expect(turns).toBeGreaterThanOrEqual(20);
  turns = 0;
  expect(await withParsedRules(rows.slice(0, 3))).toHaveLength(3);
  expect(turns).toBe(0);
  isOver = true;
});
