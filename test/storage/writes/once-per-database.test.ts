import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";

test("what stores share is made once for each connection, and no connection gets another's", () => {
  const [one, other] = [new Database(":memory:"), new Database(":memory:")];
  const nameOf = oncePerDatabase((sqlite) => ({ sqlite }));
  expect(nameOf(one)).toBe(nameOf(one));
  expect(nameOf(one).sqlite).toBe(one);
  expect(nameOf(other).sqlite).toBe(other);
  one.close();
  other.close();
});
