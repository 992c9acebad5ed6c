import { afterEach, expect, test } from "bun:test";
import { BOUNCE_DOMAIN, dsn, overSmtp, sendTo } from "../../support/inbound/reports.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import {
  addressesMailed,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { otherWorkspace, runUntil, standingClock } from "../../support/sending/sending-state.ts";
import { HOUR } from "../../support/common/durations.ts";

/** 21:00 in Berlin: the day of the workspace ends two hours before that of UTC. */
const NOW = Date.UTC(2026, 11, 1, 20);
const USED_UP = "Today's share of the warm-up is used up: the others go out from tomorrow on.";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const isOver = (id: string) => () => rowOf(api, id).status === "SENT";
const sent = () => api.relay.accepted.length;

async function warmingUp(warmUp: string, script = {}) {
  const clock = manualClock(NOW);
  api = await startSending(script, { clock });
  const set = await api.call("PATCH", "/settings", { warmUp, timezone: "Europe/Berlin" });
  expect([set.status, set.body.data.warmUp]).toEqual([200, warmUp]);
  const wait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    const at = clock.now();
    await runUntil(clock, () => clock.now() > at + 2_100);
  };
  return { clock, wait };
}

test("each day of a warm-up sends its share, the rest waits for the next, and the report says what is left", async () => {
  const { clock, wait } = await warmingUp("5 100% 3 2026-12-01");
  const id = await makeCampaign(api, (await makeAudience(api, 40)).listId);
  const call = await driven(clock, send(api, id));
  expect(call.body.data).toEqual({ sent: 5, failed: 0, remaining: 35, complete: false });
  expect(await reportOf(api, id)).toMatchObject({ sent: 5, blocked: USED_UP, warmUp: { limit: 5, left: 0 } });
  await wait(2 * HOUR);
  expect(sent()).toBe(5);
  await wait(HOUR);
  await drivenUntil(clock, () => sent() === 15);
  await wait(0);
  expect([sent(), (await reportOf(api, id)).warmUp]).toEqual([15, { limit: 10, left: 0 }]);
  await wait(24 * HOUR);
  await drivenUntil(clock, () => sent() === 35);
  await wait(HOUR);
  expect(sent()).toBe(35);
  await wait(24 * HOUR);
  await drivenUntil(clock, isOver(id));
  expect(sent()).toBe(40);
  expect((await reportOf(api, id)).warmUp).toBeUndefined();
  expect(new Set(addressesMailed(api)).size).toBe(40);
});

test("two campaigns share it, a restart does not begin it anew, and other workspaces and other mail have none", async () => {
  const { clock, wait } = await warmingUp("6 0% 30 2026-12-01");
  const first = await makeCampaign(api, (await makeAudience(api, 4)).listId);
  await driven(clock, send(api, first));
  expect(rowOf(api, first).status).toBe("SENT");
  const people = Array.from({ length: 9 }, (_, i) => `second-${i}@example.com`);
  const second = await makeCampaign(api, (await makeAudience(api, people)).listId);
  await driven(clock, send(api, second));
  expect([sent(), (await reportOf(api, second)).warmUp]).toEqual([6, { limit: 6, left: 0 }]);
  api = await api.restart();
  await wait(1_000);
  expect(sent()).toBe(6);
  const other = await otherWorkspace(api);
  const theirs = await makeCampaign(other, (await makeAudience(other, 8)).listId);
  await driven(clock, send(other, theirs));
  expect(sent()).toBe(14);
  const message = { to: "ada@example.com", subject: "Your receipt", text: "Thanks" };
  expect((await driven(clock, api.call("POST", "/send", message))).body.data.sent).toBe(1);
  expect((await reportOf(api, second)).warmUp).toEqual({ limit: 6, left: 0 });
});

test("messages that came to nothing are not counted: others go out in their place", async () => {
  let isFirst = true;
  const refusesOnce = () => {
    const reply = isFirst ? "451 4.3.0 Later" : undefined;
    isFirst = false;
    return reply;
  };
  const { clock, wait } = await warmingUp("3 0% 30 2026-12-01", { RCPT: refusesOnce });
  const id = await makeCampaign(api, (await makeAudience(api, 10)).listId);
  await driven(clock, send(api, id));
  await wait(5 * 60_000);
  expect(sent()).toBe(3);
  expect(numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'sent'")).toBe(3);
});

test("off, or in no such form, nothing is limited", async () => {
  const clock = manualClock(NOW);
  api = await startSending({}, { clock });
  const bad = await api.call("PATCH", "/settings", { warmUp: "200 a day" });
  expect([bad.status, bad.body.error.message]).toEqual([
    422,
    "`warmUp` must be messages on the first day, daily growth, days and first day, such as `200 30% 21 2026-12-01`, or null.",
  ]);
  const id = await makeCampaign(api, (await makeAudience(api, 10)).listId);
  expect((await driven(clock, send(api, id))).body.data).toMatchObject({ sent: 10, complete: true });
});

test("a message that bounces after the relay took it counts once", async () => {
  api = await startSending({}, { clock: standingClock(NOW) });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  await api.call("PATCH", "/settings", { warmUp: "5 1% 3 2026-12-01", timezone: "Europe/Berlin" });
  const { sent: taken } = await sendTo(api, ["a@example.com", "b@example.com", "c@example.com"]);
  for (const { sender } of [...taken.values()].slice(0, 2)) await overSmtp(api, dsn(), sender);
  const id = await makeCampaign(api, (await makeAudience(api, ["d@example.com", "e@example.com"])).listId);
  // Three of five were used.
  expect((await send(api, id)).body.data).toMatchObject({ sent: 2, complete: true });
});
