import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { listOf, person } from "../../support/people/people.ts";
import { spyOnStatements, type StatementSpy } from "../../support/storage/statement-spy.ts";

const MANY = 100_000;

let spy: StatementSpy;
let api: TestApi;
let id: string;

const seqOf = (contactId: string): number =>
  api.services.database.sqlite
    .query<{ seq: number }, [string]>("SELECT seq FROM contacts WHERE id = ?")
    .get(contactId)!.seq;

beforeAll(async () => {
  spy = spyOnStatements();
  api = await startApi();
  id = (await person(api, "ada@example.com")).id;
  const { sqlite } = api.services.database;
  sqlite.run(
    "INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (1, 'transactional', 'snd_1', 'finished', 0)",
  );
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO events (id, workspace, name, contact, properties, created_at) SELECT 'ev_' || i, 1, 'seen', ${seqOf(id)}, '{}', i FROM n`,
  );
  sqlite.run("INSERT INTO record_counts VALUES (1, 'event', '', ?)", [MANY]);
  await eventIndex(api.services.database).catchUp();
});
afterAll(async () => {
  spy.stop();
  await api.stop();
});

test("a page of somebody with 100,000 events reads as many of them as it shows", async () => {
  spy.take();
  const { body } = await api.call("GET", `/contacts/${id}/timeline?limit=10`);
  const statements = spy.take().filter((sql) => /\bevents AS e\b/.test(sql) && !sql.includes("count(*)"));
  expect([body.data.length, body.pagination.total]).toEqual([10, MANY]);
  expect(body.data[0].id).toBe(`ev_${MANY}`);
  expect(statements.length).toBeGreaterThan(0);
  for (const sql of statements) expect(sql).toMatch(/LIMIT/);
});

test("the last page is found as the first is", async () => {
  const { timeline } = api.services;
  const page = await timeline.page(api.workspaceId, id, { limit: 20, before: [11, 11, 0, 0] });
  expect(page.items.map((moment) => moment.id)).toEqual(Array.from({ length: 10 }, (_, i) => `ev_${10 - i}`));
  expect(page.nextPosition).toBeNull();
});

test("thousands of messages are read in slices, between which others have their turn", async () => {
  const { sqlite } = api.services.database;
  const grace = await person(api, "grace@example.com");
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO deliveries (mailing, contact, address, visit, state, settled_at)
     SELECT 1, ${seqOf(grace.id)}, 'grace@example.com', i, 'sent', i FROM n`,
  );
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const page = await api.services.timeline.page(api.workspaceId, grace.id, { limit: 3, before: null });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(page.total).toBe(5_000);
  expect(page.items.map(({ at }) => at)).toEqual([5_000, 4_999, 4_998]);
});

test("no statement of a page reads a table from end to end or sorts, whatever the person has", async () => {
  const { sqlite } = api.services.database;
  const { id: all } = await person(api, "everything@example.com", { consent: "explicit" });
  const list = await listOf(api, "Readers", [all]);
  await listOf(api, "Others", [all]);
  await api.call("DELETE", `/lists/${list}/contacts/${all}`);
  await api.call("POST", "/events", { contactId: all, name: "seen" });
  await api.services.suppressions.add(api.workspaceId, "everything@example.com", "MANUAL");
  await api.call("POST", "/automations", { name: "Welcome" });
  const contact = seqOf(all);
  sqlite.run(
    `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at, completed_at)
     VALUES ('enr_1', 1, ?, 0, 'COMPLETED', 'out', 0, 1, 2)`,
    [contact],
  );
  sqlite.run(
    "INSERT INTO deliveries (mailing, contact, address, state, settled_at, opened_at, clicked_at) VALUES (1, ?, 'everything@example.com', 'sent', 1, 2, 3)",
    [contact],
  );
  let items: readonly { readonly kind: string }[] = [];
  const statements = await spy.during(async () => {
    ({ items } = await api.services.timeline.page(api.workspaceId, all, { limit: 100, before: null }));
  });
  expect(new Set(items.map(({ kind }) => kind))).toEqual(
    new Set(["consent", "suppression", "list", "delivery", "opened", "clicked", "event", "enrollment"]),
  );
  expect(statements.length).toBeGreaterThan(15);
  const plans = statements.flatMap((sql) => {
    const explain = sqlite.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`);
    const nodes = explain.all();
    explain.finalize();
    return nodes.map(({ detail }) => `${detail}: ${sql}`);
  });
  expect(plans.length).toBeGreaterThan(statements.length / 2);
  // The latest events are named one by one: those are few, and may be sorted.
  const isFine = /^SCAN (json_each|\d* ?CONSTANT)|^(?!SCAN|USE TEMP)|\$recent/;
  expect(plans.filter((plan) => !isFine.test(plan))).toEqual([]);
});

test("who is skipped by a plan is told so once the send has begun, with its time", async () => {
  const { sqlite } = api.services.database;
  const { id: skipped } = await person(api, "skipped@example.com");
  const { mailing } = sqlite
    .query<{ mailing: number }, []>(
      "INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (1, 'campaign', 'cmp_x', 'planning', 0) RETURNING seq AS mailing",
    )
    .get()!;
  sqlite.run(
    "INSERT INTO deliveries (mailing, contact, address, state, reason) SELECT ?, seq, email, 'skipped', 'EXCLUDED' FROM contacts WHERE id = ?",
    [mailing, skipped],
  );
  const moments = async () =>
    (await api.services.timeline.page(api.workspaceId, skipped, { limit: 5, before: null })).items;
  expect(await moments()).toEqual([]);
  sqlite.run("UPDATE mailings SET phase = 'sending', started_at = 77 WHERE seq = ?", [mailing]);
  expect(await moments()).toMatchObject([{ kind: "delivery", at: 77, details: { state: "SKIPPED" } }]);
});
