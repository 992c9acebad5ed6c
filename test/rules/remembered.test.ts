/** What is looked up once and kept in memory. */
import { expect, test } from "bun:test";
import { remembering } from "#core/remembered.ts";

test("what was found is not looked up again, what was not found is, and a full memory begins anew", () => {
  const stored = new Map([
    ["a", 0],
    ["b", 2],
    ["c", 3],
  ]);
  const looked: string[] = [];
  const find = remembering(2, (key: string) => {
    looked.push(key);
    return stored.get(key) ?? null;
  });
  const looksFor = (...keys: string[]): unknown => [keys.map(find), looked.splice(0)];

  expect(looksFor("a", "a", "b", "a")).toEqual([
    [0, 0, 2, 0],
    ["a", "b"],
  ]);
  expect(looksFor("d", "d")).toEqual([
    [null, null],
    ["d", "d"],
  ]);
  stored.set("d", 4);
  expect(looksFor("d", "d")).toEqual([[4, 4], ["d"]]);
  expect(looksFor("a", "d")).toEqual([[0, 4], ["a"]]);
  expect(looksFor("b", "a")).toEqual([
    [2, 0],
    ["b", "a"],
  ]);
});
