import { afterEach, beforeEach, expect, test } from "bun:test";
import { contactIndex } from "#storage/sqlite/search/search-index.ts";
import { searchMerges } from "#storage/sqlite/search/search-merges.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

const CONTACTS = 20_000;
const CHANGED = 1_000;

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  const { sqlite } = api.services.database;
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, i || '@example.com', '', '', 'SUBSCRIBED', hex(i * 7919 % 99991) || i, 0 FROM n`,
    [CONTACTS],
  );
  await contactIndex(api.services.database).catchUp();
});
afterEach(() => api.stop());

/** How many rows of all tables, those of the index too, `work` writes. */
const written = (work: () => unknown): number => {
  const { sqlite } = api.services.database;
  const changes = (): number => sqlite.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
  const before = changes();
  work();
  return changes() - before;
};

/** Each contact in a write of its own, as people change. Returns the most that one of them wrote. */
function changeNames(): number {
  const change = api.services.database.sqlite.query<null, [number]>(
    "UPDATE contacts SET first_name = 'Grace', search = 'grace' || seq || search WHERE seq = ?",
  );
  let most = 0;
  for (let seq = 1; seq <= CHANGED; seq++)
    most = Math.max(
      most,
      written(() => change.run(seq * 17)),
    );
  return most;
}

const parts = (): number =>
  api.services.database.sqlite
    .query<{ n: number }, []>("SELECT count(DISTINCT segid) AS n FROM contact_search_idx")
    .get()?.n ?? 0;

test("a changed name writes little of the index, whatever the number of contacts", () => {
  expect(changeNames()).toBeLessThan(150);
});

test("the server merges what such changes leave, a little at a time, until nothing is left; everybody is found", async () => {
  const merges = searchMerges(api.services.database);
  await merges.catchUp();
  merges.look();
  expect(merges.behind).toBe(0);
  changeNames();
  const before = parts();
  merges.look();
  expect(merges.behind).toBe(1);
  for (let n = 0; n < 100 && merges.behind > 0; n++) {
    await merges.catchUp();
    merges.look();
  }
  expect(merges.behind).toBe(0);
  expect(parts()).toBeLessThan(before);
  const found = await api.call("GET", "/contacts?q=grace17&limit=1");
  expect(found.body.pagination.total).toBeGreaterThan(0);
  expect((await api.call("GET", "/contacts?q=grace")).body.pagination.total).toBe(CHANGED);
});
