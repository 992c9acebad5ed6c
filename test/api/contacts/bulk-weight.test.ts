/** Many people with long tags are not written in one piece: others wait for each write. Counted in rows, not timed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { longestWrite } from "../../support/storage/longest-write.ts";

const lacksSqlite = needsSqlite("only with it a write holds up the server");

let api: TestApi;
beforeAll(async () => void (api = await startApi()));
afterAll(() => api.stop());

const PEOPLE = 30;
const TAGS = 50;

test.skipIf(lacksSqlite)(
  "people with fifty tags of a hundred characters are written one by one",
  async () => {
    const longest = longestWrite(api);
    for (const letter of ["x", "y"]) {
      const contacts = Array.from({ length: PEOPLE }, (_, n) => ({
        email: `reader-${n}@example.com`,
        tags: Array.from({ length: TAGS }, (_tag, t) => `${n} ${t} `.padEnd(100, letter)),
      }));
      const { body } = await api.call("POST", "/contacts/bulk", { contacts });
      expect(body.data[letter === "x" ? "created" : "updated"]).toBe(PEOPLE);
    }
    // Each tag is a row and a count, and one that goes is, too.
    expect(longest.rows).toBeGreaterThan(2 * 2 * TAGS - 1);
    expect(longest.rows).toBeLessThan(2 * 2 * 2 * TAGS);
  },
);
