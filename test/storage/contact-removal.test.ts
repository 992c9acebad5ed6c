import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../support/server/api.ts";
import { derivedTablesAgree, person } from "../support/people/people.ts";

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
