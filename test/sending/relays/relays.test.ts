/** Relays as they are: they close connections, take few, slow down, lose some, refuse an odd recipient. */
import { afterEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { drop, type Behaviour, type Moment } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { outcomes, post } from "../../support/server/transactional.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));
const linesOf = (text: string): string[] => api.logLines.filter((line) => line.includes(text));

describe("throttling counts against nobody:", () => {
  for (const says of [
    "421 4.7.28 Unusual rate of mail",
    "454 4.7.0 Throttling failure: Maximum sending rate exceeded.",
    "450 4.7.0 Slow down",
    "451 Too many messages from you this hour",
    "450 4.7.1 Error: too many recipients from 192.0.2.1",
    "450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.",
    "450 Too many requests. Try again later. #MS-ST-G",
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Cannot submit message.",
    "552 Message would take you over your relay quota of 500 Current quota used: 487",
  ])
    test(`a message that is told "${says}" five times, with others accepted between, is sent`, async () => {
      const clock = manualClock();
      let refusals = 0;
      const isAda = ({ rcptTo }: Moment): boolean => rcptTo.includes("ada@example.com");
      api = await startSending(
        { RCPT: (moment) => (isAda(moment) && refusals < 5 ? (refusals++, says) : undefined) },
        { clock, connections: 2 },
      );
      const people = ["ada@example.com", ...Array.from({ length: 20 }, (_, n) => `reader-${n}@example.com`)];
      const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
      await driven(clock, send(api, id));
      await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state === "sent"), 500);
      expect(refusals).toBe(5);
      expect((await deliveriesOf(api, id))["ada@example.com"]).toMatchObject({ state: "SENT", attempts: 1 });
      expect(addressesMailed(api)).toEqual(people.toSorted());
      expect(numberOf(api, "SELECT count(*) AS n FROM address_strikes")).toBe(0);
    });
});

test("a message that waited more than a day for the relay's quota is not given up at the first greylisting", async () => {
  const clock = manualClock();
  let [isUsedUp, greyUntil] = [true, Infinity];
  api = await startSending(
    {
      DOT: () => (isUsedUp ? "454 4.7.0 Daily quota exceeded" : undefined),
      RCPT: () => (isUsedUp || clock.now() >= greyUntil ? undefined : "450 4.7.1 Greylisted"),
    },
    { clock },
  );
  const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
  await driven(clock, send(api, id));
  const laterAt = clock.now() + 30 * 3_600_000;
  // It is asked again and again, and may be at its dot just now.
  const isOwed = () => rowsOf(api, id)[0]!.state === "queued";
  await drivenUntil(clock, () => clock.now() >= laterAt && isOwed(), 60_000);
  expect(rowsOf(api, id)).toMatchObject([{ state: "queued", attempts: 0 }]);
  isUsedUp = false;
  await drivenUntil(clock, () => rowsOf(api, id)[0]!.attempts === 1, 1_000);
  expect(rowsOf(api, id)).toMatchObject([{ state: "queued", reason: "GREYLISTED" }]);
  greyUntil = clock.now() + 4 * 60_000;
  await drivenUntil(clock, () => rowsOf(api, id)[0]!.state === "sent", 1_000);
  expect(rowsOf(api, id)).toMatchObject([{ attempts: 2 }]);
});

test("a message that was greylisted once is not given up because the server slept for a weekend", async () => {
  const clock = manualClock();
  let greyUntil = Infinity;
  api = await startSending(
    { RCPT: () => (clock.now() < greyUntil ? "450 4.7.1 Greylisted" : undefined) },
    { clock },
  );
  const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
  await driven(clock, send(api, id));
  expect(rowsOf(api, id)).toMatchObject([{ state: "queued", attempts: 1 }]);
  clock.advance(60 * 3_600_000);
  await drivenUntil(clock, () => rowsOf(api, id)[0]!.attempts === 2, 1_000);
  expect(rowsOf(api, id)).toMatchObject([{ state: "queued", reason: "GREYLISTED" }]);
  greyUntil = clock.now() + 60_000;
  await drivenUntil(clock, () => rowsOf(api, id)[0]!.state === "sent", 1_000);
  expect(rowsOf(api, id)).toMatchObject([{ attempts: 3 }]);
});

test("a recipient to whom the relay always answers 421 slows the others down less and less often", async () => {
  const clock = manualClock();
  let refusals = 0;
  const isAda = ({ rcptTo }: Moment): boolean => rcptTo.includes("ada@example.com");
  const says = "421 4.7.0 Too many messages for this recipient";
  api = await startSending({ RCPT: (moment) => (isAda(moment) ? (refusals++, says) : undefined) }, { clock });
  const people = ["ada@example.com", ...Array.from({ length: 400 }, (_, n) => `reader-${n}@example.com`)];
  const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
  await driven(clock, send(api, id));
  const laterAt = clock.now() + 30 * 60_000;
  await drivenUntil(clock, () => clock.now() >= laterAt, 1_000);
  // Once, and after 1, 2, 4 and 8 minutes.
  expect(refusals).toBeWithin(4, 7);
  expect(rowsOf(api, id).filter(({ state }) => state === "sent")).toHaveLength(400);
  const ada = rowsOf(api, id).find(({ address }) => address === "ada@example.com");
  expect(ada).toMatchObject({ state: "queued", attempts: 0 });
});

describe("a recipient the relay refuses like a fault of ours", () => {
  const DENIED = "550 5.7.1 Relaying denied";
  const isOdd = ({ rcptTo }: Moment): boolean => rcptTo.some((address) => address.endsWith("@odd.example"));

  test("fails alone where others are accepted: the relay is never left alone for it", async () => {
    const clock = manualClock();
    api = await startSending({ RCPT: (moment) => (isOdd(moment) ? DENIED : undefined) }, { clock });
    const people = Array.from({ length: 300 }, (_, n) =>
      n % 100 === 50 ? `reader-${n}@odd.example` : `reader-${n}@example.com`,
    );
    const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
    const answer = await driven(clock, send(api, id));
    expect(answer.body.data).toEqual({ sent: 297, failed: 0, remaining: 3, complete: false });
    expect(linesOf('"message":"relay ')).toEqual([]);
    await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state !== "queued"), 500);
    const failed = rowsOf(api, id).filter(({ state }) => state === "failed");
    expect(failed.map(({ reason, attempts }) => `${reason} ${attempts}`)).toEqual(
      Array(3).fill("REFUSED_BY_RELAY 3"),
    );
    expect(addressesMailed(api)).toEqual(
      people.filter((address) => !address.endsWith("@odd.example")).toSorted(),
    );
    expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
    expect(linesOf('"message":"relay ')).toEqual([]);
  });

  test("with nobody to compare it with does not fail because the clock jumped ahead", async () => {
    const clock = manualClock();
    let [aheadMs, denials, isDenied] = [0, 0, true];
    api = await startSending(
      { RCPT: () => (isDenied ? (denials++, DENIED) : undefined) },
      { clock: { ...clock, now: () => clock.now() + aheadMs } },
    );
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await driven(clock, send(api, id));
    await drivenUntil(clock, () => denials > 0, 500);
    const before = denials;
    aheadMs = 30 * 86_400_000;
    await drivenUntil(clock, () => denials > before, 500);
    isDenied = false;
    await drivenUntil(clock, () => ["sent", "failed"].includes(rowsOf(api, id)[0]!.state), 500);
    expect(rowsOf(api, id)).toMatchObject([{ state: "sent" }]);
  });

  test("is one of all where nobody is accepted: the relay is paused, and nobody has failed", async () => {
    const clock = manualClock();
    let isBroken = true;
    api = await startSending({ RCPT: () => (isBroken ? DENIED : undefined) }, { clock });
    const { listId, addresses } = await makeAudience(api, 60);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    expect((await reportOf(api, id)).blocked).toContain(`config: ${DENIED}`);
    expect(api.relay.transactions).toBeLessThan(11);
    await drivenUntil(clock, () => api.relay.transactions > 15, 1_000);
    isBroken = false;
    await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state === "sent"), 500);
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
    expect(rowsOf(api, id).every(({ attempts }) => attempts === 1)).toBe(true);
    expect(linesOf('"message":"relay refusing our settings"')).toHaveLength(1);
    expect(linesOf('"message":"relay up again"')).toHaveLength(1);
  });

  test("ends a request quickly where others are accepted", async () => {
    const clock = manualClock();
    api = await startSending({ RCPT: (moment) => (isOdd(moment) ? DENIED : undefined) }, { clock });
    await driven(clock, post(api));
    const answer = await driven(clock, post(api, { to: ["ada@odd.example", "grace@example.com"] }));
    expect(outcomes(answer)).toEqual(["ada@odd.example FAILED REFUSED_BY_RELAY", "grace@example.com SENT"]);
  });
});

test("retries that are due behind a held relay do not wake the sender again and again", async () => {
  const clock = manualClock();
  let says: Record<string, Behaviour> = { "ada@example.com": "451 4.3.0 Later" };
  api = await startSending({ RCPT: ({ rcptTo }) => says[rcptTo[0]!] ?? says["everybody"] }, { clock });
  const people = ["ada@example.com", ...Array.from({ length: 30 }, (_, n) => `reader-${n}@example.com`)];
  const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
  await driven(clock, send(api, id));
  const [ada] = rowsOf(api, id);
  const second = await makeCampaign(api, (await makeAudience(api, ["grace@example.com"])).listId);
  await drivenUntil(clock, () => clock.now() > ada!.next_attempt_at! - 5_000, 500);
  says = { everybody: "421 4.7.0 Slow down" };
  await driven(clock, send(api, second));
  expect((await reportOf(api, second)).blocked).toContain("rate: 421");
  await drivenUntil(clock, () => clock.now() > ada!.next_attempt_at!, 5);
  const { ledger } = api.services;
  const sendable = ledger.sendable.bind(ledger);
  let looks = 0;
  Object.assign(ledger, { sendable: () => (looks++, sendable()) });
  const [begunAt, transactions] = [clock.now(), api.relay.transactions];
  await drivenUntil(clock, () => clock.now() >= begunAt + 20_000, 5);
  expect(looks).toBeWithin(10, 25);
  // On a busy machine the clock is further when the relay is held: the hold may end here, with one try.
  expect(api.relay.transactions - transactions).toBeWithin(0, 2);
  says = {};
  await drivenUntil(clock, () =>
    [id, second].every((of) => rowsOf(api, of).every(({ state }) => state === "sent")),
  );
});

test("the log has one line for each change of a relay's state, without a stack and without doubled words", async () => {
  const clock = manualClock();
  let says: Behaviour | undefined = drop;
  api = await startSending({ CONNECT: () => says }, { clock });
  const id = await makeCampaign(api, (await makeAudience(api, 30)).listId);
  await driven(clock, send(api, id));
  const laterAt = clock.now() + 20 * 60_000;
  await drivenUntil(clock, () => clock.now() >= laterAt, 500);
  says = undefined;
  await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state === "sent"), 500);
  const lines = api.logLines.map((line) => JSON.parse(line)).filter(({ relay }) => relay !== undefined);
  // It is said at the first try after five minutes: on a busy machine the clock is a little further by then.
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "warn relay down",
    expect.stringMatching(/^warn relay still down after (?:5|6|7|8|9) minutes$/),
    "info relay up again",
  ]);
  for (const { detail = "" } of lines) {
    expect(detail).not.toContain("\n");
    expect(detail).not.toMatch(/\b(\w{3,})\b:? (?:\w+ )?\1\b/);
  }
});
