import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { sqliteStores } from "#app/sqlite-stores.ts";
import { hasManyRows, listRemoval } from "#storage/sqlite/lists/list-removal.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, listOf, person } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** A list with one person on it, who left it so often. */
async function leftBy(name: string, departures: number): Promise<string> {
  const { id } = await person(api, `${name}@example.com`);
  const list = await listOf(api, name, [id]);
  api.services.database.sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO list_departures (contact, list, joined_at, left_at) SELECT c.seq, l.seq, 1, 2
     FROM n, contacts AS c, lists AS l WHERE c.id = ? AND l.id = ?`,
    [departures, id, list],
  );
  return list;
}

const departures = (): number =>
  api.services.database.sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM list_departures").get()!.n;

test("a list that many have left is deleted in slices, between which others get their turn", async () => {
  const [stays, few, many] = [await leftBy("stays", 3), await leftBy("few", 3), await leftBy("many", 1_000)];
  const inSlices = spyOn(api.services.database.longWrites, "write");
  expect((await api.call("DELETE", `/lists/${few}`)).status).toBe(204);
  expect([inSlices.mock.calls.length, departures()]).toEqual([0, 1_003]);
  expect((await api.call("DELETE", `/lists/${many}`)).status).toBe(204);
  expect([inSlices.mock.calls.length, departures()]).toEqual([1, 3]);
  for (const list of [few, many]) expect((await api.call("GET", `/lists/${list}`)).status).toBe(404);
  expect((await api.call("GET", `/lists/${stays}`)).body.data).toMatchObject({ contactCount: 1 });
  expect(derivedTablesAgree(api)).toBe(true);
});

test("a list is deleted in slices also where the many are just being added to it", async () => {
  const { longWrites, sqlite } = api.services.database;
  const people = sqlite
    .query<{ id: string }, []>(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'con_of_many_' || i, 1, 'of-many-' || i || '@example.com', '', '', 'SUBSCRIBED', '', 1 FROM n RETURNING id`,
    )
    .all();
  const list = await listOf(api, "Crowd", []);
  const { lists } = sqliteStores(api.services.database);
  const ids = people.map(({ id }) => id);
  const inSlices = spyOn(longWrites, "write").mockClear();
  const adding = lists.addContacts(api.workspaceId, list, ids, () => null, 1);
  const deleting = lists.delete(api.workspaceId, list);
  expect(await adding).toMatchObject({ ok: true });
  expect(await deleting).toBe(true);
  expect(inSlices.mock.calls.length).toBe(2);
  expect(derivedTablesAgree(api)).toBe(true);
});

test("a list of many campaigns and forms is deleted in slices, and taken off all of them", async () => {
  const { sqlite, longWrites } = api.services.database;
  const list = await listOf(api, "Named by many", []);
  const other = await listOf(api, "Named by one", []);
  const rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
  sqlite.run(
    `${rows} INSERT INTO campaigns (id, workspace, name, subject, search, status, list, scheduled_at, next_try_at, created_at)
     SELECT 'cmp_of_list_' || i, 1, 'c', 's', '', iif(i % 2, 'SCHEDULED', 'DRAFT'), l.seq, iif(i % 2, 4000000000000, NULL), iif(i % 2, 4000000000000, NULL), 1
     FROM n, lists AS l WHERE l.id = ?`,
    [list],
  );
  sqlite.run(
    `${rows} INSERT INTO forms (id, workspace, name, list, fields, style, success_message, created_at, updated_at)
     SELECT 'frm_of_list_' || i, 1, 'f', l.seq, '[]', '{}', '', 1, 1 FROM n, lists AS l WHERE l.id = iif(i = 1, ?, ?)`,
    [other, list],
  );
  const seq = sqlite.query<{ seq: number }, [string]>("SELECT seq FROM lists WHERE id = ?").get(list)!.seq;
  let slices = 0;
  sqlite.run("BEGIN");
  for (const _ of listRemoval(sqlite, 1, list)) slices++;
  sqlite.run("ROLLBACK");
  // 1,000 campaigns and 999 forms by 250: nothing is left for the row itself.
  expect([hasManyRows(sqlite, seq), slices]).toEqual([true, 8]);
  const inSlices = spyOn(longWrites, "write").mockClear();
  expect((await api.call("DELETE", `/lists/${list}`)).status).toBe(204);
  expect(inSlices.mock.calls.length).toBe(1);
  const { pagination } = (await api.call("GET", "/campaigns?status=SCHEDULED")).body;
  expect(pagination.total).toBe(0);
  const named = (table: string) =>
    sqlite.query<{ n: number }, []>(`SELECT count(list) AS n FROM ${table}`).get()!.n;
  expect([named("campaigns"), named("forms")]).toEqual([0, 1]);
  expect((await api.call("GET", "/campaigns/cmp_of_list_1")).body.data).toMatchObject({
    status: "DRAFT",
    listId: null,
    scheduledAt: null,
  });
});
