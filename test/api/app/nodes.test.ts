/** GET /nodes where one process has the database; test/storage/postgres/nodes/between-nodes.test.ts has several. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { isPostgres } from "../../support/server/services.ts";
import { signedIn } from "../../support/server/signed-in.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test("the list of nodes is empty with SQLite, and for who owns every workspace", async () => {
  const owner = await signedIn(api);
  const answer = await owner.call("GET", "/nodes");
  expect([answer.status, answer.body.data.length]).toEqual([200, isPostgres ? 1 : 0]);
  const viewer = await signedIn(api, "viewer");
  expect((await viewer.call("GET", "/nodes")).status).toBe(403);
  expect((await api.call("GET", "/nodes")).status).toBe(403);
});
