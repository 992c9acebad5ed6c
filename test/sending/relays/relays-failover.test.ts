/** Several relays: the next takes over from one that is in trouble, and while that one is tried again. */
import { afterEach, describe, expect, test } from "bun:test";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { freePort } from "../../support/server/postrider.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { drop, stall, type Script } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import type { Answer } from "../../support/server/api.ts";
import { outcomes, post } from "../../support/server/transactional.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const sentOf = (id: string): number => rowsOf(api, id).filter(({ state }) => state === "sent").length;

test("a first relay that says nothing holds up one message while it is tried again, and no other", async () => {
  const clock = manualClock();
  const mute = scriptedSmtp({ on: { CONNECT: stall } });
  api = await startSending({}, { clock });
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: `${mute.url} ${api.relay.url}` });
  const { listId, addresses } = await makeAudience(api, 12);
  const [first, second] = [await makeCampaign(api, listId), await makeCampaign(api, listId)];
  void send(api, first);
  await drivenUntil(clock, () => sentOf(first) === 12, 2_000);
  const pauseIsOverAt = clock.now() + 60_000;
  await drivenUntil(clock, () => clock.now() >= pauseIsOverAt, 5_000);
  expect(mute.open).toBe(0);
  void send(api, second);
  await drivenUntil(clock, () => sentOf(second) >= 11);
  // Without an answer for two minutes, the trial is over; it is still going on.
  expect(mute.open).toBe(1);
  expect(sentOf(second)).toBe(11);
  await drivenUntil(clock, () => sentOf(second) === 12, 2_000);
  const mailed = addressesMailed(api);
  expect(mailed.toSorted()).toEqual([...addresses, ...addresses].toSorted());
  mute.stop();
});

describe("a first relay that takes no mail at all for now", () => {
  const FULL = "452 4.3.1 Insufficient system storage";

  /** Behind it, there is one that works. */
  async function startBehindFull(clock: ManualClock) {
    const full = scriptedSmtp({ on: { MAIL: FULL } });
    api = await startSending({}, { clock });
    await api.services.workspaces.changeSettings(api.workspaceId, {
      smtpUrl: `${full.url} ${api.relay.url}`,
    });
    return full;
  }

  test("hands campaigns over to the second", async () => {
    const clock = manualClock();
    const full = await startBehindFull(clock);
    const { listId, addresses } = await makeAudience(api, 60);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    // Some were put off before it was clear that nobody is taken: two, and as many as there are other connections.
    expect(sentOf(id)).toBeWithin(48, 59);
    expect(api.logLines.some((line) => line.includes(FULL))).toBe(true);
    await drivenUntil(clock, () => sentOf(id) === 60, 1_000);
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
    full.stop();
  });

  test("hands a request over to the second, and is not blamed for it", async () => {
    const clock = manualClock();
    const full = await startBehindFull(clock);
    expect(outcomes(await driven(clock, post(api)))).toEqual([expect.stringMatching(/ SENT$/)]);
    expect(full.transactions).toBe(1);
    expect(api.sending.relayTroubles()).toEqual([]);
    full.stop();
  });
});

const GREY = "451 4.7.1 Greylisted";

describe("a first relay that loses its connections before the dot", () => {
  /** Behind it, there is one that works. */
  async function startBehind(on: Script) {
    const clock = manualClock();
    const losing = scriptedSmtp({ on });
    api = await startSending({}, { clock });
    await api.services.workspaces.changeSettings(api.workspaceId, {
      smtpUrl: `${losing.url} ${api.relay.url}`,
    });
    return { clock, losing };
  }
  /** Meanwhile the clock stands still. */
  const outcomesOf = async (clock: ManualClock, posted: Promise<Answer>) => {
    const answer = await driven(clock, posted, 0);
    return answer.status === 200 ? outcomes(answer) : answer.body.error;
  };
  const SENT = [expect.stringMatching(/ SENT$/)];

  test.each([1, 60])("loses no campaign's message for good, of %p: the second works", async (count) => {
    const { clock, losing } = await startBehind({ MAIL: drop });
    const { listId, addresses } = await makeAudience(api, count);
    const id = await makeCampaign(api, listId);
    void send(api, id).catch(() => undefined);
    const dayIsOverAt = clock.now() + 24 * 3_600_000;
    await drivenUntil(clock, () => sentOf(id) === count || clock.now() >= dayIsOverAt, 1_000);
    expect(sentOf(id)).toBe(count);
    // The first pauses of a message are a minute and five.
    expect(clock.now()).toBeLessThan(dayIsOverAt - 23 * 3_600_000);
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
    losing.stop();
  });

  test.each(["MAIL", "RCPT", "DATA"] as const)(
    "by closing at %s: a request goes through the second at once, and campaigns are not stopped",
    async (stage) => {
      const { clock, losing } = await startBehind({ [stage]: drop });
      expect(await outcomesOf(clock, post(api))).toEqual(SENT);
      expect([losing.connections, api.relay.accepted.length]).toEqual([1, 1]);
      expect(api.sending.relayTroubles()).toEqual([]);
      losing.stop();
    },
  );

  test.each(["MAIL", "RCPT"] as const)(
    "by saying nothing at %s: a request that it kept waiting goes through the second",
    async (stage) => {
      const { clock, losing } = await startBehind({ [stage]: stall });
      const posted = post(api);
      await losing.reached(stage);
      clock.advance(6_000);
      expect(await outcomesOf(clock, posted)).toEqual(SENT);
      expect([losing.connections, api.relay.accepted.length]).toEqual([1, 1]);
      expect(api.sending.relayTroubles()).toEqual([]);
      losing.stop();
    },
  );

  test("by saying nothing on a connection that was kept: a request goes through the second", async () => {
    const { clock, losing } = await startBehind({ MAIL: ({ message }) => (message > 1 ? stall : undefined) });
    expect(await outcomesOf(clock, post(api))).toEqual(SENT);
    expect([losing.accepted.length, losing.open]).toEqual([1, 1]);
    const posted = post(api);
    await losing.reached("MAIL", 2);
    clock.advance(6_000);
    expect(await outcomesOf(clock, posted)).toEqual(SENT);
    expect([losing.connections, api.relay.accepted.length]).toEqual([1, 1]);
    expect(api.sending.relayTroubles()).toEqual([]);
    losing.stop();
  });

  test("where the second loses them too, a request fails, and is tried at a measured pace", async () => {
    const { clock, losing } = await startBehind({ RCPT: drop });
    const second = scriptedSmtp({ on: { DATA: drop } });
    await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: `${losing.url} ${second.url}` });
    const { status, body } = await driven(clock, post(api));
    // Its time may be over in a pause of both relays.
    const why = expect.stringMatching(/\((CONNECTION_LOST|RELAY_UNAVAILABLE)[:)]/);
    expect([status, body.error.message]).toEqual([502, why]);
    expect(losing.connections).toBeWithin(2, 10);
    expect(second.connections).toBeWithin(2, 10);
    expect(api.sending.relayTroubles()).toEqual([]);
    losing.stop();
    second.stop();
  });

  test.each<[string, Script, Script]>([
    [
      "the second puts it off once",
      { RCPT: drop },
      { RCPT: ({ message }) => (message === 1 ? GREY : undefined) },
    ],
    ["the first has put it off before", { RCPT: ({ message }) => (message === 1 ? GREY : drop) }, {}],
  ])("where %s, a request goes through the second", async (_, on, secondOn) => {
    const { clock, losing } = await startBehind(on);
    const second = scriptedSmtp({ on: secondOn });
    await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: `${losing.url} ${second.url}` });
    const answer = await driven(clock, post(api));
    expect([answer.status, second.accepted.length]).toEqual([200, 1]);
    losing.stop();
    second.stop();
  });

  test("where all lose one message only: it has its own pauses, however much other mail they take", async () => {
    let lost = 0;
    const RCPT: Script["RCPT"] = ({ rcptTo }) => {
      if (!rcptTo.at(-1)?.startsWith("lost")) return undefined;
      lost++;
      return drop;
    };
    // Without pipelining each loss comes after an answer. Otherwise one on a kept connection may be no try at all.
    const on: Script = { EHLO: "250 relay.example", RCPT };
    const { clock, losing } = await startBehind(on);
    const second = scriptedSmtp({ on });
    await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: `${losing.url} ${second.url}` });
    const posted = post(api, { to: "lost@example.com" });
    for (let n = 0; n < 40; n++) {
      expect(outcomes(await driven(clock, post(api, { to: `good-${n}@example.com` })))).toEqual(SENT);
      clock.advance(250);
    }
    expect((await driven(clock, posted)).status).toBe(502);
    // Five at once; then pauses of 3.2 to 4.8 seconds, and a last one that is shortened, until nine seconds are over.
    expect(lost).toBeWithin(4, 9);
    losing.stop();
    second.stop();
  });

  test("at the dot: the request is not sent a second time", async () => {
    const { clock, losing } = await startBehind({ DOT: drop });
    expect(await outcomesOf(clock, post(api))).toEqual([
      expect.stringMatching(/ UNCERTAIN CONNECTION_LOST$/),
    ]);
    expect([losing.connections, api.relay.connections]).toEqual([1, 0]);
    losing.stop();
  });
});

test("a request that the only relay puts off at MAIL fails for the relay's reason, and the relay is not called unreachable", async () => {
  const clock = manualClock();
  api = await startSending({ MAIL: "451 4.3.0 Temporary lookup failure" }, { clock });
  const { status, body } = await driven(clock, post(api));
  expect([status, body.error.message]).toEqual([502, expect.stringContaining("(TEMPORARY: ")]);
});

test("a relay that puts off one message in five at MAIL goes on", async () => {
  const clock = manualClock();
  let begun = 0;
  api = await startSending(
    { MAIL: () => (++begun % 5 === 0 ? "451 4.7.1 Service unavailable - try again later" : undefined) },
    { clock },
  );
  const id = await makeCampaign(api, (await makeAudience(api, 100)).listId);
  await driven(clock, send(api, id));
  expect(sentOf(id)).toBeWithin(75, 86);
  expect(api.logLines.filter((line) => line.includes('"message":"relay '))).toEqual([]);
  await drivenUntil(clock, () => sentOf(id) === 100, 1_000);
});

test("trouble with a workspace's own relay is not shown to everybody who asks for the service's health", async () => {
  const clock = manualClock();
  api = await startSending({}, { clock });
  const away = `smtp://127.0.0.1:${freePort()}`;
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: away });
  const id = await makeCampaign(api, (await makeAudience(api, 2)).listId);
  await driven(clock, send(api, id));
  expect(((await (await fetch(`${api.url}/health`)).json()) as { relays: unknown }).relays).toEqual([]);
  expect(rowsOf(api, id).some(({ state }) => state === "sent")).toBe(false);
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: api.relay.url });
  await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state === "sent"), 1_000);
  expect(api.sending.relayTroubles()).toEqual([]);
});
