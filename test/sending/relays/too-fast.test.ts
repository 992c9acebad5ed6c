/** Recipients who are always told that our mail comes too fast: they fail after a day, and nobody else does. */
import { afterEach, expect, test } from "bun:test";
import { mailedOnce, people } from "../../support/sending/domains.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import {
  deliveriesOf,
  driven,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  steer,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { isDatabaseBusy, needsSqlite } from "../../support/server/services.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { Script } from "../../support/sending/smtp-script.ts";
import { HOUR } from "../../support/common/durations.ts";

const SLOW_STEPS = 20;
const SAYS = "421 4.7.0 Too many messages for this recipient";

const lacksSqlite = needsSqlite("it counts in memory, and days of a held clock take minutes over PostgreSQL");

let api: SendingApi;
let clock: ManualClock;
afterEach(() => (lacksSqlite ? undefined : api.stop({ graceMs: 0 })));

async function begin(script: Script, addresses: readonly string[]): Promise<string> {
  clock = manualClock();
  api = await startSending(script, { clock });
  const id = await makeCampaign(api, (await makeAudience(api, addresses)).listId);
  await driven(clock, send(api, id));
  return id;
}

/** Minutes pass at once; while a conversation is open or may begin, the clock runs slowly, so that none times out. */
async function hours(count: number): Promise<void> {
  const until = clock.now() + count * HOUR;
  let slowSteps = 0;
  await eventually(() => {
    slowSteps = api.relay.open > 0 || isDatabaseBusy() ? SLOW_STEPS : slowSteps - 1;
    if (!isDatabaseBusy()) clock.advance(slowSteps > 0 ? 500 : 60_000);
    if (slowSteps <= 0) slowSteps = SLOW_STEPS;
    return clock.now() >= until;
  });
}

const statesOf = (id: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of rowsOf(api, id)) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

test.skipIf(lacksSqlite).each([
  ["others of its domain are taken", people("example.com", 20)],
  ["other domains are taken", [...people("a.example", 10), ...people("b.example", 10)]],
  ["there are no others", []],
])("one who always hears it fails after a day, and the campaign ends: %s", async (_, others) => {
  const script: Script = { RCPT: ({ rcptTo }) => (rcptTo[0]?.startsWith("ada@") ? SAYS : undefined) };
  const id = await begin(script, [...others, "ada@example.com"]);
  await hours(22);
  expect(statesOf(id)).toEqual({ queued: 1, ...(others.length > 0 ? { sent: others.length } : {}) });
  await hours(5);
  expect((await deliveriesOf(api, id))["ada@example.com"]).toMatchObject({
    state: "FAILED",
    reason: "RATE_LIMITED",
    smtpReply: SAYS,
  });
  expect(rowOf(api, id).status).toBe("SENT");
  expect(await reportOf(api, id)).toMatchObject({ blocked: null });
  expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
  expect(numberOf(api, "SELECT count(*) AS n FROM address_strikes")).toBe(0);
  mailedOnce(api);
});

test.skipIf(lacksSqlite)(
  "a domain that always says it loses all its recipients after a day, however many",
  async () => {
    const script: Script = { RCPT: ({ rcptTo }) => (rcptTo[0]?.endsWith("@a.example") ? SAYS : undefined) };
    const id = await begin(script, [...people("b.example", 5), ...people("a.example", 30)]);
    await hours(22);
    expect(statesOf(id)).toEqual({ queued: 30, sent: 5 });
    await hours(6);
    expect(statesOf(id)).toEqual({ failed: 30, sent: 5 });
    expect(rowOf(api, id).status).toBe("SENT");
    const { state, reason } = (await deliveriesOf(api, id))["reader-29@a.example"] ?? {};
    expect([state, reason]).toEqual(["FAILED", "RATE_LIMITED"]);
    mailedOnce(api);
  },
);

test.skipIf(lacksSqlite)("a day in which a person pauses the campaign does not count", async () => {
  const script: Script = { RCPT: ({ rcptTo }) => (rcptTo[0]?.startsWith("ada@") ? SAYS : undefined) };
  const id = await begin(script, [...people("example.com", 5), "ada@example.com"]);
  await hours(2);
  await driven(clock, steer(api, id, "pause"));
  await hours(23);
  await driven(clock, steer(api, id, "resume"));
  await hours(4);
  expect(statesOf(id)).toEqual({ sent: 5, queued: 1 });
});

test.skipIf(lacksSqlite)("nobody fails because the relay says it to everybody for two days", async () => {
  let isFast = true;
  const addresses = [...people("a.example", 8), ...people("b.example", 8), ...people("c.example", 8)];
  const id = await begin({ RCPT: () => (isFast ? SAYS : undefined) }, addresses);
  await hours(50);
  expect(statesOf(id)).toEqual({ queued: 24 });
  isFast = false;
  await hours(2);
  expect(statesOf(id)).toEqual({ sent: 24 });
  mailedOnce(api);
});

test.skipIf(lacksSqlite)("a relay that is down for two days takes none of the day", async () => {
  let says: "too fast" | "down" | "fine" = "too fast";
  const script: Script = {
    MAIL: () => (says === "down" ? "451 4.3.0 Down" : undefined),
    RCPT: ({ rcptTo }) => (says === "too fast" && rcptTo[0]?.startsWith("ada@") ? SAYS : undefined),
  };
  const id = await begin(script, [...people("example.com", 5), "ada@example.com"]);
  await hours(2);
  says = "down";
  const other = await makeCampaign(api, (await makeAudience(api, people("b.example", 10))).listId);
  await driven(clock, send(api, other));
  await hours(50);
  says = "too fast";
  await hours(3);
  expect(statesOf(id)).toEqual({ sent: 5, queued: 1 });
  says = "fine";
  await hours(2);
  expect(statesOf(id)).toEqual({ sent: 6 });
});
