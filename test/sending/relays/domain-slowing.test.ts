import { afterEach, expect, test } from "bun:test";
import { rowOf } from "../../support/sending/campaigns.ts";
import { mailedOnce, people, sentTo, startLimited, wait } from "../../support/sending/domains.ts";
import type { ManualClock } from "../../support/common/manual-clock.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  type SendingApi,
} from "../../support/sending/sending.ts";
import type { Script } from "../../support/sending/smtp-script.ts";
import { MINUTE } from "../../support/common/durations.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

async function limited(domainLimits: object | null, script: Script = {}): Promise<ManualClock> {
  const started = await startLimited(domainLimits, script);
  api = started.api;
  return started.clock;
}

const SAYS = [
  "421 4.7.0 Too many messages from you",
  "450 4.7.0 Slow down",
  "451 4.7.1 Too many emails this hour",
  "452 4.7.0 Unusual rate of mail",
];
const OTHERS = ["a.example", "b.example", "c.example", "d.example"];
const everybody = (slow: number) => [
  ...people("slow.example", slow),
  ...OTHERS.flatMap((domain) => people(domain, 15)),
];
const linesOf = (part: string): string[] => api.logLines.filter((line) => line.includes(part));

test.each(SAYS)("is left alone for a while, by itself: %s", async (says) => {
  let isFast = true;
  let refusals = 0;
  let firstAt = 0;
  const script: Script = {
    RCPT: ({ rcptTo }) => {
      if (!isFast || !rcptTo[0]?.endsWith("@slow.example")) return undefined;
      if (refusals++ === 0) firstAt = clock.now();
      return says;
    },
  };
  const clock: ManualClock = await limited(null, script);
  const id = await makeCampaign(api, (await makeAudience(api, everybody(200))).listId);
  const answer = await driven(clock, send(api, id));
  expect(answer.body.data).toMatchObject({ sent: 60, failed: 0, remaining: 200 });
  // At most those that were on their way when the first was refused.
  expect(refusals).toBeWithin(1, 11);
  expect(api.sending.relayTroubles()).toEqual([]);
  expect(linesOf('"message":"relay ')).toEqual([]);
  expect(linesOf('"message":"domain slowing us down"')).toHaveLength(1);
  expect((await reportOf(api, id)).blocked).toBe(
    "The others wait for slow.example (says that our mail comes too fast).",
  );
  const before = refusals;
  // The pause counts from the first refusal, and the hands of the clock have moved since then: on a slow machine further.
  await wait(clock, firstAt + 57_000 - clock.now());
  expect(refusals).toBe(before);
  isFast = false;
  await drivenUntil(clock, () => rowOf(api, id).status === "SENT", 200);
  expect(rowsOf(api, id).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
  expect(sentTo(api, "slow.example")).toBe(200);
  mailedOnce(api);
});

const slowedFinding = ({ body }: { readonly body: any }): object | undefined =>
  body.data.find(({ id }: { readonly id: string }) => id === "slowed_domain");

test("waits longer each time it says so again, and recovers by itself", async () => {
  let isFast = true;
  const refusedAt: number[] = [];
  const script: Script = {
    RCPT: ({ rcptTo }) => {
      if (!isFast || !rcptTo[0]?.endsWith("@slow.example")) return undefined;
      refusedAt.push(clock.now());
      return SAYS[1];
    },
  };
  const clock: ManualClock = await limited(null, script);
  const id = await makeCampaign(api, (await makeAudience(api, everybody(60))).listId);
  await driven(clock, send(api, id));
  const until = clock.now() + 16 * MINUTE;
  await drivenUntil(clock, () => clock.now() >= until, 1_000);
  const pauses = refusedAt.flatMap((at, i) => {
    const pauseMs = at - (refusedAt[i - 1] ?? at);
    return pauseMs > 30_000 ? [pauseMs / MINUTE] : [];
  });
  // After 1, 2, 4 and 8 minutes, each up to 40 % longer.
  expect(pauses.length).toBeWithin(3, 5);
  for (const [i, minutes] of pauses.entries()) expect(minutes).toBeWithin(2 ** i - 0.5, 2 ** i * 1.4 + 1);
  expect(sentTo(api, "slow.example")).toBe(0);
  expect(slowedFinding(await api.call("GET", "/deliverability"))).toMatchObject({
    level: "warning",
    text: expect.stringContaining("mail to slow.example: slowed down since "),
  });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain("\npostrider_slowed_domains 1\n");
  isFast = false;
  await drivenUntil(clock, () => rowOf(api, id).status === "SENT", 1_000);
  expect(sentTo(api, "slow.example")).toBe(60);
  mailedOnce(api);
});

test("several domains that say so are the relay, and its own pause begins", async () => {
  const refused = new Set<string>();
  const script: Script = {
    RCPT: ({ rcptTo }) => {
      refused.add(rcptTo[0]?.split("@")[1] ?? "");
      return "421 4.7.0 Too many messages from you";
    },
  };
  const clock = await limited(null, script);
  const id = await makeCampaign(api, (await makeAudience(api, everybody(15))).listId);
  await driven(clock, send(api, id));
  expect(refused.size).toBeGreaterThan(2);
  expect(api.relay.transactions).toBeLessThan(25);
  expect(linesOf('"message":"relay slowing us down"')).toHaveLength(1);
  expect((await reportOf(api, id)).blocked).toContain("rate: 421");
  expect(rowsOf(api, id).every(({ attempts }) => attempts === 0)).toBe(true);
});

test.each(["454 4.7.0 Throttling failure: Maximum sending rate exceeded.", "454 4.7.0 Daily quota exceeded"])(
  "what a relay says of itself is never taken for a domain's: %s",
  async (says) => {
    const script: Script = {
      RCPT: ({ rcptTo }) => (rcptTo[0]?.endsWith("@slow.example") ? says : undefined),
    };
    const clock = await limited(null, script);
    const id = await makeCampaign(api, (await makeAudience(api, everybody(15))).listId);
    await driven(clock, send(api, id));
    expect(linesOf('"message":"relay slowing us down"')).toHaveLength(1);
    expect(linesOf('"message":"domain ')).toEqual([]);
  },
);

test("a domain that puts off several in a row gets less, and its messages' own pauses go on", async () => {
  const script: Script = {
    RCPT: ({ rcptTo }) => (rcptTo[0]?.endsWith("@slow.example") ? "451 4.3.0 Local error" : undefined),
  };
  const clock = await limited(null, script);
  const id = await makeCampaign(api, (await makeAudience(api, everybody(200))).listId);
  const answer = await driven(clock, send(api, id));
  expect(answer.body.data).toMatchObject({ sent: 60, remaining: 200 });
  const tried = rowsOf(api, id).filter(({ state, attempts }) => state === "queued" && attempts > 0);
  expect(tried.length).toBeWithin(5, 20);
  expect(linesOf('"message":"domain slowing us down"')).toHaveLength(1);
  expect(linesOf('"message":"relay ')).toEqual([]);
});

test("greylisting, a full mailbox or a busy one slow nobody down", async () => {
  const says = ["451 4.7.1 Greylisted, try again later", "452 4.2.2 Mailbox full", "450 4.2.1 Busy"];
  let n = 0;
  const script: Script = {
    RCPT: ({ rcptTo }) => (rcptTo[0]?.endsWith("@slow.example") ? says[n++ % 3] : undefined),
  };
  const clock = await limited(null, script);
  const id = await makeCampaign(api, (await makeAudience(api, everybody(40))).listId);
  await driven(clock, send(api, id));
  expect(n).toBe(40);
  expect(linesOf('"message":"domain ')).toEqual([]);
});

test("a request to such a domain ends by itself, and holds up no campaign", async () => {
  const script: Script = {
    RCPT: ({ rcptTo }) => (rcptTo[0]?.endsWith("@slow.example") ? SAYS[0] : undefined),
  };
  const clock = await limited(null, script);
  const first = await makeCampaign(api, (await makeAudience(api, people("a.example", 5))).listId);
  await driven(clock, send(api, first));
  const receipt = { to: "ada@slow.example", subject: "Your receipt", text: "Thanks" };
  const before = api.relay.transactions;
  const answer = await driven(clock, api.call("POST", "/send", receipt));
  expect(answer.body.data ?? answer.body.error).toMatchObject({});
  expect(api.relay.transactions - before).toBeWithin(2, 12);
  expect(linesOf('"message":"relay ')).toEqual([]);
  const second = await makeCampaign(api, (await makeAudience(api, people("b.example", 5))).listId);
  expect((await driven(clock, send(api, second))).body.data).toMatchObject({ sent: 5, complete: true });
});
