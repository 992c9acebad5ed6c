import { afterAll, beforeAll, expect, test } from "bun:test";
import { usedTokens } from "#inbound/hooks/used-tokens.ts";
import { startApi, type TestApi } from "../support/server/api.ts";
import { numberOf } from "../support/sending/sending.ts";
import { MINUTE } from "../support/common/durations.ts";

const NOW = Date.UTC(2026, 10, 22);
const SOON = NOW + MINUTE;

let api: TestApi;
beforeAll(async () => void (api = await startApi()));
afterAll(() => api.stop());

/** As a server has them that was just started. */
const afterStart = () => usedTokens(api.services.engine.stores.hookTokens);

test("a token is taken by one request at a time, and by none after one that was carried out", async () => {
  const tokens = afterStart();
  const one = { token: "one", expiresAt: SOON };
  const [first, second] = await Promise.all([
    tokens.take(api.workspaceId, one),
    tokens.take(api.workspaceId, one),
  ]);
  expect([first === null, second === null]).toEqual([false, true]);
  await first?.use(NOW);
  first?.release();
  expect(await tokens.take(api.workspaceId, one)).toBeNull();
  expect(await afterStart().take(api.workspaceId, one)).toBeNull();
});

test("a token whose request failed, or was cut off by the end of the server, is good again", async () => {
  const tokens = afterStart();
  const two = { token: "two", expiresAt: SOON };
  (await tokens.take(api.workspaceId, two))?.release();
  expect(await tokens.take(api.workspaceId, two)).not.toBeNull();
  expect(await afterStart().take(api.workspaceId, two)).not.toBeNull();
});

test("a token of one workspace says nothing about another's", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  expect(await afterStart().take(other.id, { token: "one", expiresAt: SOON })).not.toBeNull();
});

test("tokens that are too old are forgotten, and no others", async () => {
  const tokens = afterStart();
  const count = () => numberOf(api, "SELECT count(*) AS n FROM hook_tokens");
  const before = count();
  for (let n = 0; n < 12; n++)
    await (await tokens.take(api.workspaceId, { token: `n${n}`, expiresAt: SOON + n }))?.use(NOW);
  expect(count()).toBe(before + 12);
  const late = { token: "late", expiresAt: SOON + 16 * MINUTE };
  await (await tokens.take(api.workspaceId, late))?.use(SOON + 6);
  // Those that end at this moment are still refused by their age alone a millisecond later.
  expect(count()).toBe(12 - 6 + 1);
  expect(await afterStart().take(api.workspaceId, { token: "n6", expiresAt: SOON + 6 })).toBeNull();
});
