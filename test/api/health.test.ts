import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { startApi, type TestApi } from "../support/server/api.ts";
import { VERSION } from "#version.ts";
import { isPostgres } from "../support/server/services.ts";
import { refuseWrites } from "../support/server/refused-writes.ts";

test("GET /health needs no key and says how mail goes out", async () => {
  const api = await startApi();
  const response = await fetch(`${api.url}/health`);
  expect(response.status).toBe(200);
  const { tasks, ...health } = (await response.json()) as any;
  expect(health).toEqual({
    status: "ok",
    version: VERSION,
    mail: "smtp",
    relays: [],
    ...(isPostgres && { nodes: 1 }),
  });
  expect(tasks.map(({ task }: any) => task)).toEqual([
    "campaigns",
    "automations",
    "sender",
    "imports",
    "webhooks",
  ]);
  await api.stop();
});

/** Another process holds SQLite's write lock. @returns ends it */
function lockSqlite({ services: { database } }: TestApi): () => Promise<void> {
  database.writes.lockWaitMs = 0;
  const other = new Database(database.sqlite.filename);
  other.run("BEGIN IMMEDIATE");
  return async () => {
    other.run("ROLLBACK");
    other.close();
  };
}

test("GET /health is 503 while the database cannot be written, and 200 again as soon as it can", async () => {
  const api = await startApi();
  const health = async (): Promise<number> => (await fetch(`${api.url}/health`)).status;
  const end = isPostgres ? await refuseWrites(api) : lockSqlite(api);
  expect((await api.call("POST", "/lists", { name: "Newsletter" })).status).toBe(500);
  expect([await health(), await health()]).toEqual([503, 503]);
  await end();
  expect(await health()).toBe(200);
  expect((await api.call("POST", "/lists", { name: "Newsletter" })).status).toBe(201);
  await api.stop();
});
