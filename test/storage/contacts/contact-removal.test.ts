import { afterAll, beforeAll, expect, test } from "bun:test";
import { contactRemoval, hasLongPast } from "#storage/sqlite/contacts/contact-removal.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const count = (sql: string, ...keys: string[]): number =>
  api.services.database.sqlite
    .query<{ n: number }, string[]>(`SELECT count(*) AS n FROM ${sql}`)
    .get(...keys)!.n;

/** Somebody with so many events, found by their index. */
async function withEvents(email: string, events: number): Promise<string> {
  const { id } = await person(api, email);
  for (let i = 0; i < events; i++)
    api.services.database.sqlite.exec(
      `INSERT INTO events (id, workspace, name, contact, properties, created_at)
       SELECT 'ev-' || seq || '-${i}', workspace, 'opened_app', seq, '{}', 0 FROM contacts WHERE email = '${email}'`,
    );
  api.services.database.sqlite.exec(
    `INSERT OR IGNORE INTO contact_events SELECT contact, seq, name, value_cents FROM events;
     INSERT OR IGNORE INTO workspace_events SELECT workspace, seq FROM events;
     INSERT OR IGNORE INTO named_events SELECT workspace, name, seq, contact, created_at, value_cents, properties FROM events;
     INSERT INTO record_counts SELECT workspace, 'event', '', ${events} FROM workspaces WHERE true LIMIT 1 ON CONFLICT DO UPDATE SET n = n + ${events};
     INSERT INTO record_counts SELECT workspace, 'event', 'opened_app', ${events} FROM workspaces WHERE true LIMIT 1 ON CONFLICT DO UPDATE SET n = n + ${events}`.replaceAll(
      "SELECT workspace, 'event'",
      "SELECT seq, 'event'",
    ),
  );
  return id;
}

test.each([3, 1_000])("somebody with %i events goes with all of them, and nobody else's", async (events) => {
  const stays = await withEvents(`stays-${events}@example.com`, 2);
  const goes = await withEvents(`goes-${events}@example.com`, events);
  const before = count("events");
  expect((await api.call("DELETE", `/contacts/${goes}`)).status).toBe(204);
  expect((await api.call("GET", `/contacts/${goes}`)).status).toBe(404);
  expect((await api.call("GET", `/contacts/${stays}`)).status).toBe(200);
  expect(count("events")).toBe(before - events);
  for (const table of ["contact_events", "workspace_events", "named_events"])
    expect(count(`${table} WHERE seq NOT IN (SELECT seq FROM events)`)).toBe(0);
  expect((await api.call("DELETE", `/contacts/${goes}`)).status).toBe(404);
  expect(derivedTablesAgree(api)).toBe(true);
});

test("somebody who got many messages goes in slices, with what was in their own links, and the messages stay", async () => {
  const { sqlite } = api.services.database;
  const MESSAGES = 1_000;
  const { id } = await person(api, "alerts@example.com");
  const other = await person(api, "other@example.com");
  const seqOf = (one: string) =>
    sqlite.query<{ seq: number }, [string]>("SELECT seq FROM contacts WHERE id = ?").get(one)!.seq;
  const [seq, its] = [seqOf(id), seqOf(other.id)];
  sqlite.run(`INSERT INTO mailings (workspace, kind, source_id, phase, created_at, started_at)
    VALUES (1, 'transactional', 'alerts', 'finished', 0, 0)`);
  sqlite.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES})
    INSERT INTO deliveries (mailing, contact, address, visit, state, settled_at)
    SELECT m.seq, iif(n.i % 10 = 0, ${its}, ${seq}), 'alerts-' || n.i || '@example.com', 0, 'sent', 0
    FROM n, mailings AS m WHERE m.source_id = 'alerts'`);
  sqlite.run(`INSERT INTO delivery_links (delivery, number, url)
    SELECT d.seq, 0, 'https://example.com/' || d.seq FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing
    WHERE m.source_id = 'alerts'`);
  expect(hasLongPast(sqlite, seq)).toBe(true);
  let slices = 0;
  const removal = { workspace: 1, id, suppressionToAdd: () => null, at: 0 };
  sqlite.run("BEGIN");
  for (const _ of contactRemoval(sqlite, removal)) slices++;
  // All of it is in the slices: the trigger finds nothing left.
  expect(slices).toBe(4);
  sqlite.run("ROLLBACK");
  expect(count("deliveries WHERE contact = ?", String(seq))).toBe(900);
  expect((await api.call("DELETE", `/contacts/${id}`)).status).toBe(204);
  const mine =
    "SELECT d.seq FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing WHERE m.source_id = 'alerts'";
  expect(count(`deliveries WHERE contact IS NULL AND seq IN (${mine})`)).toBe(900);
  expect(count(`delivery_links WHERE url = '' AND delivery IN (${mine})`)).toBe(900);
  expect(
    count(
      `deliveries AS d JOIN delivery_links AS l ON l.delivery = d.seq WHERE d.contact = ${its} AND l.url <> ''`,
    ),
  ).toBe(100);
});

test("somebody who is on many lists, and about whom many reports came, goes in slices", async () => {
  const { sqlite } = api.services.database;
  const { id } = await person(api, "everywhere@example.com");
  const rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
  sqlite.run(
    `${rows} INSERT INTO lists (id, workspace, name, search, created_at) SELECT 'list_every_' || i, 1, 'l', 'l', 1 FROM n`,
  );
  sqlite.run(`INSERT INTO list_members SELECT l.seq, 'SUBSCRIBED', c.seq, 1 FROM lists AS l, contacts AS c
    WHERE l.id LIKE 'list_every_%' AND c.email = 'everywhere@example.com'`);
  sqlite.run(`INSERT INTO mailings (workspace, kind, source_id, phase, created_at, started_at)
    VALUES (1, 'transactional', 'reported', 'finished', 0, 0)`);
  // The messages have lost the person already; their reports and kept values have not.
  sqlite.run(`${rows} INSERT INTO deliveries (mailing, address, visit, state, settled_at)
    SELECT m.seq, 'everywhere@example.com', n.i, 'sent', 0 FROM n, mailings AS m WHERE m.source_id = 'reported'`);
  const its =
    "deliveries AS d, contacts AS c WHERE d.address = c.email AND c.email = 'everywhere@example.com'";
  sqlite.run(`INSERT INTO bounce_reports (workspace, delivery, contact, address, kind, reason, status, words, way, at)
    SELECT 1, d.seq, c.seq, c.email, 'delayed', '', '4.0.0', '', 'smtp', 0 FROM ${its}`);
  sqlite.run(`INSERT INTO delivery_values SELECT d.seq, c.seq, 0, '{}' FROM ${its}`);
  const { seq } = sqlite.query<{ seq: number }, [string]>("SELECT seq FROM contacts WHERE id = ?").get(id)!;
  let slices = 0;
  sqlite.run("BEGIN");
  for (const _ of contactRemoval(sqlite, { workspace: 1, id, suppressionToAdd: () => null, at: 0 })) slices++;
  sqlite.run("ROLLBACK");
  expect([hasLongPast(sqlite, seq), slices]).toEqual([true, 12]);
  expect((await api.call("DELETE", `/contacts/${id}`)).status).toBe(204);
  for (const table of ["bounce_reports", "delivery_values", "list_members"])
    expect(count(`${table} WHERE contact = ?`, String(seq))).toBe(0);
  expect((await api.call("GET", "/lists")).body.data[0].contactCount).toBe(0);
  expect(derivedTablesAgree(api)).toBe(true);
});
