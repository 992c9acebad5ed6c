import { afterEach, describe, expect, test } from "bun:test";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person, suppressions } from "../../support/people/people.ts";
import { freePort } from "../../support/server/postrider.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  scriptedSmtp,
  stall,
  type Behaviour,
  type Moment,
  type Script,
} from "../../support/sending/scripted-smtp.ts";
import {
  makeAudience,
  makeCampaign,
  numberOf,
  send,
  startSending,
  type LedgerRow,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { usageOf } from "../../support/sending/sending-state.ts";
import { acceptedBy, outcomes, post } from "../../support/server/transactional.ts";
import { isDatabaseBusy, rowsFrom } from "../../support/server/services.ts";

let api: SendingApi;
const start = async (on: Script = {}, options: Parameters<typeof startSending>[1] = {}) =>
  (api = await startSending(on, options));
afterEach(() => api.stop({ graceMs: 0 }));

/**
 * The clock runs twenty times as fast as the real one until `holds()`. It never jumps, so sockets keep up
 * with it, and it stands while the database writes or answers.
 */
async function runUntil(clock: ManualClock, holds: () => boolean): Promise<void> {
  let lastMs = performance.now();
  await eventually(() => {
    const nowMs = performance.now();
    const byMs = Math.min(Math.floor(20 * (nowMs - lastMs)), 50);
    if (isDatabaseBusy()) lastMs = nowMs;
    else if (byMs > 0) {
      clock.advance(byMs);
      lastMs = nowMs;
    }
    return holds();
  });
}

async function driven<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  void promise.catch(() => undefined).finally(() => (isOver = true));
  await runUntil(clock, () => isOver);
  return promise;
}

const rows = () => rowsFrom<LedgerRow>(api, "SELECT * FROM deliveries ORDER BY seq");
const to =
  (address: string) =>
  ({ rcptTo }: Moment) =>
    rcptTo.includes(address);
/** What the script says for one address; everybody else is treated as usual. */
const forAddress = (table: Record<string, Behaviour>) => (moment: Moment) =>
  Object.entries(table).find(([address]) => to(address)(moment))?.[1];

describe("five recipients, five fates", () => {
  test("good, 550, 451, silent at the dot, good: exact for each, one RCPT a transaction, good ones once", async () => {
    const clock = manualClock();
    let most = 0;
    const fate = forAddress({
      "dead@example.com": "550 5.1.1 No such user",
      "busy@example.com": "451 4.3.0 Local error",
    });
    const count = (moment: Moment) => {
      most = Math.max(most, moment.rcptTo.length);
      return fate(moment);
    };
    await start({ RCPT: count, DOT: forAddress({ "silent@example.com": stall }) }, { clock });
    await person(api, "dead@example.com");
    const began = clock.now();
    const five = [
      "ada@example.com",
      "dead@example.com",
      "busy@example.com",
      "silent@example.com",
      "grace@example.com",
    ];
    const answer = await driven(clock, post(api, { to: five }));
    const tookMs = clock.now() - began;
    expect(answer.status).toBe(200);
    expect(outcomes(answer)).toEqual([
      "ada@example.com SENT",
      "dead@example.com FAILED USER_UNKNOWN",
      "busy@example.com FAILED TEMPORARY",
      "silent@example.com UNCERTAIN CONNECTION_LOST",
      "grace@example.com SENT",
    ]);
    expect(answer.body.data).toMatchObject({ sent: 2, failed: 3, skipped: 0 });
    expect(most).toBe(1);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1, "grace@example.com": 1 });
    expect(rows().map(({ state, attempts }) => [state, attempts > 2])).toEqual([
      ["sent", false],
      ["bounced", false],
      ["failed", true],
      ["uncertain", false],
      ["sent", false],
    ]);
    expect(tookMs).toBeLessThanOrEqual(24_000);
    // A hard bounce counts as one.
    expect(await suppressions(api)).toEqual({ "dead@example.com": "HARD_BOUNCE" });
    const { data } = (await api.call("GET", "/contacts?q=dead")).body;
    expect(data[0].status).toBe("BOUNCED");
    // Two sent, one perhaps: the two failures were given back.
    expect(Object.values(usageOf(api))).toEqual([3]);
  });

  test("all uncertain: 200, not 502, and a retry with the key sends nothing", async () => {
    await start({ DOT: { and: "drop", kept: true } });
    const two = ["ada@example.com", "grace@example.com"];
    const first = await post(api, { to: two }, "k");
    expect([first.status, first.body.data.sent, first.body.data.failed]).toEqual([200, 0, 2]);
    expect(first.body.data.recipients.map(({ status }: any) => status)).toEqual(["UNCERTAIN", "UNCERTAIN"]);
    expect((await post(api, { to: two }, "k")).body).toEqual(first.body);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1, "grace@example.com": 1 });
  });

  test("all definitely refused: 502, and what was reserved is given back", async () => {
    await start({ RCPT: "550 5.1.1 No such user" });
    const answer = await post(api, { to: ["ada@example.com", "grace@example.com"] });
    expect([answer.status, answer.body.error.code]).toEqual([502, "SEND_FAILED"]);
    expect(answer.body.error.message).toContain("USER_UNKNOWN");
    expect(usageOf(api)).toEqual({});
  });

  test("one skipped and the other refused is a 502 too", async () => {
    await start({ RCPT: "550 5.7.1 Blocked by policy" });
    await api.services.suppressions.add(api.workspaceId, "ada@example.com", "MANUAL");
    expect((await post(api, { to: ["ada@example.com", "grace@example.com"] })).status).toBe(502);
  });
});

describe("inside the request's ten seconds", () => {
  test("a refusal for now is tried again and then succeeds, also a greylisting one", async () => {
    const clock = manualClock();
    let refusals = 2;
    await start(
      { RCPT: () => (refusals-- > 0 ? "450 4.7.1 Greylisted, come back in 300 seconds" : undefined) },
      { clock },
    );
    const began = clock.now();
    const answer = await driven(clock, post(api));
    expect(outcomes(answer)).toEqual(["ada@example.com SENT"]);
    expect(clock.now() - began).toBeWithin(2_000, 9_000);
  });

  test("a refusal for now that lasts: FAILED after about nine seconds", async () => {
    const clock = manualClock();
    await start({ RCPT: "451 4.3.0 Local error" }, { clock });
    const began = clock.now();
    expect((await driven(clock, post(api))).status).toBe(502);
    expect(clock.now() - began).toBeWithin(8_000, 14_000);
    expect(rows()[0]).toMatchObject({ state: "failed", reason: "TEMPORARY", reply_code: 451 });
    expect(api.relay.transactions).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ["MAIL", "550 5.7.1 Sender not verified"],
    ["RCPT", "550 5.7.1 Relaying denied"],
  ] as const)(
    "a relay that refuses us at %s: its words are in the answer and in the record",
    async (stage, reply) => {
      const clock = manualClock();
      await start({ [stage]: reply }, { clock });
      const began = clock.now();
      const answer = await driven(clock, post(api, {}, "k"));
      expect([answer.status, answer.body.error.message]).toEqual([
        502,
        `The relay did not accept the message (REFUSED_BY_RELAY: ${reply}). Nothing was delivered: the request may be sent again.`,
      ]);
      // It may pass.
      expect(clock.now() - began).toBeWithin(8_000, 14_000);
      const { data } = (await api.call("GET", "/messages")).body;
      expect(data).toMatchObject([{ state: "FAILED", reason: "REFUSED_BY_RELAY", smtpReply: reply }]);
      expect(acceptedBy(api)).toEqual({});
    },
  );

  test("a relay that refuses the password: the answer tells its words", async () => {
    const clock = manualClock();
    const relay = scriptedSmtp({ auth: { user: "ada", pass: "right" } });
    await start({}, { clock, smtpUrl: relay.url.replace("//", "//ada:wrong@") });
    const answer = await driven(clock, post(api));
    expect(answer.body.error.message).toMatch(
      /^The relay did not accept the message \(RELAY_UNAVAILABLE: 127\.0\.0\.1:\d+: config: 535 5\.7\.8 Wrong user or password\)\./,
    );
    relay.stop();
  });

  test("a relay that cannot be reached: 502 after ten seconds, nothing left owed", async () => {
    const clock = manualClock();
    await start({}, { clock, smtpUrl: `smtp://127.0.0.1:${freePort()}` });
    const began = clock.now();
    const answer = await driven(clock, post(api, {}, "k"));
    expect([answer.status, answer.body.error.code]).toEqual([502, "SEND_FAILED"]);
    expect(answer.body.error.message).toMatch(
      /^The relay did not accept the message \(RELAY_UNAVAILABLE: 127\.0\.0\.1:\d+: down: .*ECONNREFUSED.*\)\. Nothing was delivered/,
    );
    expect(clock.now() - began).toBeWithin(10_000, 14_000);
    expect(rows()).toMatchObject([{ state: "failed", reason: "RELAY_UNAVAILABLE" }]);
    expect(usageOf(api)).toEqual({});
    expect(numberOf(api, "SELECT count(*) AS n FROM send_keys")).toBe(0);
  });

  test("a relay that comes back meanwhile gets it", async () => {
    const clock = manualClock();
    const port = freePort();
    await start({}, { clock, smtpUrl: `smtp://127.0.0.1:${port}` });
    const answer = post(api);
    await runUntil(clock, () => clock.now() - manualClock().now() > 3_000);
    const late = scriptedSmtp({ port });
    expect(outcomes(await driven(clock, answer))).toEqual(["ada@example.com SENT"]);
    expect(late.accepted).toHaveLength(1);
    late.stop();
  });

  test("the second relay takes over from one that is down, and from one that says nothing", async () => {
    const clock = manualClock();
    const mute = scriptedSmtp({ on: { CONNECT: stall } });
    const good = scriptedSmtp();
    await start({}, { clock, smtpUrl: `smtp://127.0.0.1:${freePort()} ${mute.url} ${good.url}` });
    expect(outcomes(await driven(clock, post(api)))).toEqual(["ada@example.com SENT"]);
    expect(good.accepted).toHaveLength(1);
    mute.stop();
    good.stop();
  });

  test("a sender the relay does not want: tried again, then 502; campaigns are not stopped by it", async () => {
    const clock = manualClock();
    await start(
      { MAIL: ({ mailFrom }) => (mailFrom.includes("bad@") ? "553 5.1.8 Sender refused" : undefined) },
      { clock },
    );
    const { status } = await driven(clock, post(api, { from: "bad@shop.example.org" }));
    expect(status).toBe(502);
    expect(api.sending.relayTroubles()).toEqual([]);
  });
});

describe("beside a campaign", () => {
  test("a relay that holds a campaign holds no request", async () => {
    const clock = manualClock();
    const isReader = ({ rcptTo }: Moment) => rcptTo.some((address) => address.startsWith("reader-"));
    await start({ RCPT: (moment) => (isReader(moment) ? "421 4.7.0 Too fast" : undefined) }, { clock });
    const { listId } = await makeAudience(api, 20);
    const campaign = await makeCampaign(api, listId);
    await driven(clock, send(api, campaign));
    expect(api.sending.relayTroubles()).toHaveLength(1);
    const heldAt = clock.now();
    expect(outcomes(await post(api))).toEqual(["ada@example.com SENT"]);
    expect(clock.now()).toBe(heldAt);
  });

  test("a campaign that holds every connection it may have keeps no request waiting", async () => {
    const gate = Promise.withResolvers<void>();
    const isReader = ({ rcptTo }: Moment) => rcptTo.some((address) => address.startsWith("reader-"));
    await start(
      {
        DOT: (moment) =>
          isReader(moment) ? { reply: "250 2.0.0 Queued", and: "go on", after: gate.promise } : undefined,
      },
      { connections: 3 },
    );
    const { listId } = await makeAudience(api, 10);
    const running = send(api, await makeCampaign(api, listId));
    await api.relay.reached("DOT", 2);
    expect(
      outcomes(await post(api, { to: ["ada@example.com", "grace@example.com", "linus@example.org"] })),
    ).toEqual(["ada@example.com SENT", "grace@example.com SENT", "linus@example.org SENT"]);
    gate.resolve();
    expect((await running).body.data).toMatchObject({ sent: 10, remaining: 0 });
  });

  test("silent connections do not fill it up: they are cut, and later requests go out", async () => {
    const clock = manualClock();
    await start({ DOT: forAddress({ "silent@example.com": stall }) }, { clock });
    const silent = Array.from({ length: 6 }, (_, i) =>
      post(api, { to: "silent@example.com", subject: `No. ${i}` }),
    );
    await driven(clock, Promise.all(silent));
    await runUntil(clock, () => rows().every(({ state }) => state !== "dot"));
    expect(outcomes(await post(api))).toEqual(["ada@example.com SENT"]);
  });
});

describe("a burst of requests", () => {
  const slow = (clock: ManualClock, takesMs: number): Script => ({
    DOT: () => ({
      reply: "250 2.0.0 Queued",
      and: "go on",
      after: new Promise<void>((resolve) => void clock.setTimer(takesMs, resolve)),
    }),
  });
  const burst = (size: number) =>
    Promise.all(Array.from({ length: size }, (_, n) => post(api, { to: `buyer-${n}@example.com` })));

  test("waits for its turn: the ten seconds run from a message's first try, not from the queue", async () => {
    const clock = manualClock();
    await start(slow(clock, 1_500), { clock, connections: 1 });
    const began = clock.now();
    const answers = await driven(clock, burst(8));
    expect(clock.now() - began).toBeGreaterThan(10_000);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(Object.values(acceptedBy(api))).toEqual(Array(8).fill(1));
    expect(api.relay.connections).toBe(1);
  });

  test("has as many connections as the relay may be given", async () => {
    const clock = manualClock();
    let most = 0;
    await start(
      { ...slow(clock, 400), CONNECT: () => void (most = Math.max(most, api.relay.open)) },
      { clock, connections: 8 },
    );
    expect((await driven(clock, burst(32))).map(({ status }) => status)).toEqual(Array(32).fill(200));
    expect(most).toBe(8);
  });

  test("ends all the same: who has no turn within twenty seconds is told so, and gets nothing later", async () => {
    const clock = manualClock();
    await start(slow(clock, 1_000), { clock, connections: 1 });
    const began = clock.now();
    const answers = await driven(clock, burst(40));
    expect(clock.now() - began).toBeLessThan(41_000);
    const sent = answers.filter(({ status }) => status === 200).length;
    const late = answers.filter(({ status }) => status === 502);
    expect(sent).toBeWithin(5, 25);
    expect(late).toHaveLength(40 - sent);
    for (const { body } of late) expect(body.error.message).toContain("RELAY_BUSY");
    const later = clock.now() + 60_000;
    await runUntil(clock, () => clock.now() >= later);
    expect(api.relay.accepted).toHaveLength(sent);
  });
});

test("who is suppressed while the request stands at its dot is skipped", async () => {
  const gate = Promise.withResolvers<void>();
  await start({ DATA: { reply: "354 Go ahead", and: "go on", after: gate.promise } });
  const answer = post(api);
  await api.relay.reached("DATA");
  await api.services.suppressions.add(api.workspaceId, "ada@example.com", "COMPLAINT");
  gate.resolve();
  expect(outcomes(await answer)).toEqual(["ada@example.com SKIPPED SUPPRESSED"]);
  expect(api.relay.accepted).toHaveLength(0);
  expect(usageOf(api)).toEqual({});
});

test("a server that ends answers what it has: nothing is sent after it", async () => {
  await start({ RCPT: stall });
  const answer = post(api);
  await api.relay.reached("RCPT");
  await api.sending.stop(1_000);
  expect((await answer).status).toBe(502);
  expect(rows()).toMatchObject([{ state: "failed", reason: "SERVER_STOPPED" }]);
});
