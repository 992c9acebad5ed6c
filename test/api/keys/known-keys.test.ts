/** Keys that were used are remembered: none opens anything for longer than the database says. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { callApi, startApi, type TestApi } from "../../support/server/api.ts";
import { isPostgres, needsSqlite } from "../../support/server/services.ts";

/** Servers that share PostgreSQL hear of each other's changes within a second (test/storage/postgres). */
const isOfOneServer = needsSqlite("with it nobody else answers requests");

let api: TestApi;
/** As a command beside the server changes the database. */
let setRevoked: (at: number | null, id: string) => void;
let endBeside = (): void => undefined;
beforeAll(async () => {
  api = await startApi();
  if (isPostgres) return;
  const beside = new Database(`${api.dataDir}/postrider.db`);
  beside.run("PRAGMA busy_timeout = 5000");
  setRevoked = (at, id) => void beside.run("UPDATE api_keys SET revoked_at = ? WHERE id = ?", [at, id]);
  endBeside = () => beside.close();
});
afterAll(async () => {
  endBeside();
  await api.stop({ graceMs: 0 });
});

const newKey = async () => (await api.call("POST", "/keys", {})).body.data;
const statusWith = async (key: string) => (await callApi(`${api.url}/api/v1/lists`, "GET", key)).status;

describe("a key that was just used", () => {
  test.skipIf(isOfOneServer)(
    "is refused at the next request once another process has revoked it, 50 times of 50, under load",
    async () => {
      const over = new AbortController();
      const load = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) await statusWith(api.key);
      });
      for (let i = 0; i < 50; i++) {
        const { id, key } = await newKey();
        expect(await statusWith(key)).toBe(200);
        setRevoked(1, id);
        expect(await statusWith(key)).toBe(401);
      }
      over.abort();
      await Promise.all(load);
    },
  );

  test("is refused at the next request once the API has revoked it", async () => {
    const { id, key } = await newKey();
    expect(await statusWith(key)).toBe(200);
    await api.call("DELETE", `/keys/${id}`);
    expect(await statusWith(key)).toBe(401);
  });

  test("opens no more than its own workspace, also beside another's", async () => {
    const other = await api.services.workspaces.create("Other");
    await api.call("POST", "/lists", { name: "Readers" });
    for (const [key, total] of [
      [api.key, 1],
      [other.key, 0],
      [api.key, 1],
    ] as const)
      expect((await api.call("GET", "/lists", undefined, key)).body.pagination.total).toBe(total);
  });
});

test.skipIf(isOfOneServer)("a key that was refused opens as soon as it is there", async () => {
  const { id, key } = await newKey();
  setRevoked(1, id);
  expect(await statusWith(key)).toBe(401);
  setRevoked(null, id);
  expect(await statusWith(key)).toBe(200);
});

test.skipIf(needsSqlite("it counts SQLite's commits"))(
  "uses at the same time are recorded once",
  async () => {
    const { id, key } = await newKey();
    const before = api.services.database.writes.commits;
    await Promise.all(Array.from({ length: 40 }, () => statusWith(key)));
    await api.services.database.writes.drain();
    const shown = (await api.call("GET", "/keys?limit=100")).body.data.find((one: any) => one.id === id);
    expect(shown.lastUsedAt).not.toBeNull();
    expect(api.services.database.writes.commits - before).toBeLessThanOrEqual(2);
  },
);
