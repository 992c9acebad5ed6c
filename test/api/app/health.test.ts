import { expect, test } from "bun:test";
import { startApi } from "../../support/server/api.ts";
import { VERSION } from "#version.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { driven } from "../../support/sending/sending.ts";
import { isPostgres, needsSqlite } from "../../support/server/services.ts";
import { lockWrites, refuseWrites } from "../../support/server/refused-writes.ts";

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

test("GET /health is 503 while the database cannot be written, and 200 again as soon as it can", async () => {
  const api = await startApi();
  const health = async (): Promise<number> => (await fetch(`${api.url}/health`)).status;
  // A lock is no trouble of PostgreSQL: others can write.
  const end = isPostgres ? await refuseWrites(api) : await lockWrites(api);
  expect((await api.call("POST", "/lists", { name: "Newsletter" })).status).toBe(isPostgres ? 500 : 503);
  expect([await health(), await health()]).toEqual([503, 503]);
  await end();
  expect(await health()).toBe(200);
  expect((await api.call("POST", "/lists", { name: "Newsletter" })).status).toBe(201);
  await api.stop();
});

test.skipIf(needsSqlite("only there one writer keeps all others waiting"))(
  "GET /health says so within a second, however long the lock is kept, and however many ask",
  async () => {
    const clock = manualClock();
    const api = await startApi({ clock });
    const { sqlite, writes } = api.services.database;
    const tries = (): number =>
      sqlite.query<{ n: number }, []>("SELECT user_version AS n FROM pragma_user_version").get()!.n;
    const health = async (): Promise<number> => (await fetch(`${api.url}/health`)).status;
    const triedBefore = tries();
    const end = await lockWrites(api);
    expect((await api.call("POST", "/lists", { name: "Newsletter" })).status).toBe(503);
    // So long that the test would end first.
    writes.lockWaitMs = 10 * 60_000;
    const asked = Array.from({ length: 10 }, health);
    expect(await driven(clock, Promise.all(asked))).toEqual(asked.map(() => 503));
    await end();
    while ((await driven(clock, health())) !== 200);
    // One try of theirs, and one of the watch that tells the log.
    expect(tries() - triedBefore).toBeWithin(1, 3);
    await driven(clock, api.stop());
  },
);
