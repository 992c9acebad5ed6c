/** What is looked up once and kept in memory. */
import { expect, test } from "bun:test";
import { Remembered, remembering, putLast } from "#core/remembered.ts";

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

test("a value holds for the revision it was read under, however late it arrives", () => {
  const keys = new Remembered<string>(2);
  expect(keys.add("a", "live", 1)).toBe("live");
  expect(keys.get("a", 1)).toBe("live");
  // Looked up before the revocation, and arrived after it.
  expect(keys.get("b", 2)).toBeUndefined();
  expect(keys.add("a", "live", 1)).toBe("live");
  expect(keys.get("a", 2)).toBeUndefined();
});

test("nothing is remembered of a store that does not hear of changes and gives a new number each time", () => {
  const keys = new Remembered<string>(2);
  let revision = 0;
  for (let n = 0; n < 3; n++) {
    expect(keys.get("a", ++revision)).toBeUndefined();
    keys.add("a", "live", revision);
  }
});

test("what was put last is kept, and what was put longest ago is removed", () => {
  const values = new Map<string, number>();
  for (const key of ["a", "b", "a", "c"]) putLast(values, key, values.size, 2);
  expect([...values.keys()]).toEqual(["a", "c"]);
});
