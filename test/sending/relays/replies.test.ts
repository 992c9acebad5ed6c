import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sleep } from "#core/time/clock.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import {
  drop,
  reset,
  stall,
  type Behaviour,
  type Moment,
  type ServerStage,
} from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  deliveriesOf,
  driven,
  drivenUntil,
  headerOf,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";

/**
 * What happens to Ada's message, and the reason that the ledger keeps. `relay`: nobody is judged, and the
 * message is still owed.
 */
type Fate =
  | { sent: true }
  | { queued: string; strike?: true }
  | { bounced: string }
  | { failed: string; strike?: true }
  | { uncertain: string }
  | { relay: string };

type Case = [stage: ServerStage, says: Behaviour, fate: Fate];

const lost = { queued: "CONNECTION_LOST" };
const CASES: readonly Case[] = [
  ["CONNECT", "421 4.3.2 Too busy", { relay: "rate: 421" }],
  ["CONNECT", "450 4.3.2 Not now", { relay: "down: 450" }],
  ["CONNECT", "521 5.3.2 No mail here", { relay: "block: 521" }],
  ["CONNECT", "554 5.7.1 Go away", { relay: "block: 554" }],
  ["CONNECT", drop, { relay: "down" }],
  ["CONNECT", reset, { relay: "down" }],
  ["CONNECT", stall, { relay: "down" }],
  ["EHLO", "421 4.7.0 Slow down", { relay: "rate: 421" }],
  ["EHLO", "550 5.7.1 Bad name", { relay: "block: 550" }],
  ["EHLO", drop, { relay: "down" }],
  ["EHLO", stall, { relay: "down" }],
  ["MAIL", "421 4.7.0 Slow down", { relay: "rate: 421" }],
  ["MAIL", "451 4.3.0 Local error", { queued: "TEMPORARY" }],
  ["MAIL", "452 4.3.1 Disk full", { queued: "SYSTEM_FULL" }],
  ["MAIL", "454 4.7.0 Throttling failure: Maximum sending rate exceeded.", { relay: "rate: 454" }],
  ["MAIL", "530 5.7.0 Authentication required", { relay: "config: 530" }],
  ["MAIL", "550 5.7.1 Sender refused", { relay: "config: 550" }],
  ["MAIL", "552 5.3.4 Too large", { failed: "MESSAGE_TOO_LARGE" }],
  ["MAIL", "553 5.1.8 Bad sender", { relay: "config: 553" }],
  ["MAIL", drop, lost],
  ["MAIL", reset, lost],
  ["MAIL", stall, lost],
  ["RCPT", "250 2.1.5 Fine", { sent: true }],
  ["RCPT", "251 2.1.5 Will forward", { sent: true }],
  ["RCPT", "421 4.7.28 Too many from you", { relay: "rate: 421" }],
  ["RCPT", "450 4.2.1 Receiving mail too quickly", { queued: "MAILBOX_BUSY" }],
  ["RCPT", "451 4.7.1 Greylisted, try again later", { queued: "GREYLISTED" }],
  ["RCPT", "451 4.4.1 No answer from host", { queued: "TEMPORARY" }],
  ["RCPT", "452 4.2.2 Over quota", { queued: "MAILBOX_FULL", strike: true }],
  ["RCPT", "452 4.3.1 Insufficient system storage", { queued: "SYSTEM_FULL" }],
  ["RCPT", "550 5.1.1 No such user", { bounced: "USER_UNKNOWN" }],
  ["RCPT", "550 5.1.10 Null MX", { bounced: "NO_MAIL_HERE" }],
  ["RCPT", "550 5.7.1 Blocked, see spamhaus", { failed: "SPAM_BLOCK" }],
  ["RCPT", "550 5.7.26 Unauthenticated mail", { relay: "config: 550" }],
  ["RCPT", "550 No such user here", { bounced: "USER_UNKNOWN" }],
  ["RCPT", "550 No", { failed: "UNKNOWN_PERMANENT", strike: true }],
  ["RCPT", "552 5.2.2 Mailbox full", { queued: "MAILBOX_FULL", strike: true }],
  ["RCPT", "554 5.7.1 Policy", { failed: "SPAM_BLOCK" }],
  ["RCPT", drop, lost],
  ["RCPT", reset, lost],
  ["RCPT", stall, lost],
  ["DATA", "421 4.3.0 Closing", { relay: "rate: 421" }],
  ["DATA", "451 4.3.0 Local error", { queued: "TEMPORARY" }],
  ["DATA", "452 4.3.1 Disk full", { queued: "SYSTEM_FULL" }],
  ["DATA", "550 5.1.1 No such user", { bounced: "USER_UNKNOWN" }],
  ["DATA", "554 5.7.1 Spam", { failed: "SPAM_BLOCK" }],
  ["DATA", "554 No", { failed: "MESSAGE_REFUSED" }],
  ["DATA", drop, lost],
  ["DATA", reset, lost],
  ["DATA", stall, lost],
  ["DOT", "250 2.0.0 Queued as 4711", { sent: true }],
  ["DOT", { reply: "250 2.0.0 Queued", and: "reset" }, { sent: true }],
  ["DOT", "421 4.7.0 Closing", { relay: "rate: 421" }],
  ["DOT", "450 4.2.1 Too quickly", { queued: "MAILBOX_BUSY" }],
  ["DOT", "451 4.7.1 Greylisted", { queued: "GREYLISTED" }],
  ["DOT", "452 4.2.2 Over quota", { queued: "MAILBOX_FULL", strike: true }],
  ["DOT", "550 5.1.1 No such user", { bounced: "USER_UNKNOWN" }],
  ["DOT", "550 5.7.1 Looks like spam", { failed: "SPAM_BLOCK" }],
  ["DOT", "552 5.3.4 Too large", { failed: "MESSAGE_TOO_LARGE" }],
  ["DOT", "554 5.6.0 Bad content", { failed: "CONTENT_REFUSED" }],
  ["DOT", "554 Transaction failed", { failed: "MESSAGE_REFUSED" }],
  ["DOT", "550 No", { failed: "MESSAGE_REFUSED" }],
  ["DOT", "What did you say?", { uncertain: "CONNECTION_LOST" }],
  ["DOT", { and: "drop" }, { uncertain: "CONNECTION_LOST" }],
  ["DOT", { and: "drop", kept: true }, { uncertain: "CONNECTION_LOST" }],
  ["DOT", { and: "reset" }, { uncertain: "CONNECTION_LOST" }],
  ["DOT", { and: "stall", kept: true }, { uncertain: "CONNECTION_LOST" }],
];

let clock: ManualClock;
let api: SendingApi;
beforeEach(() => {
  clock = manualClock();
});
afterEach(() => api.stop({ graceMs: 0 }));

const BEFORE_RCPT: readonly ServerStage[] = ["CONNECT", "EHLO", "MAIL"];
const NAMES = {
  sent: "SENT",
  queued: "QUEUED",
  bounced: "BOUNCED",
  failed: "FAILED",
  uncertain: "UNCERTAIN",
  relay: "QUEUED",
};
type Kind = keyof typeof NAMES;

const nameOf = (says: Behaviour) =>
  typeof says === "string"
    ? says
    : [says.reply, says.and, says.kept && "but kept"].filter(Boolean).join(", ");

/** What a send must never touch, beside the ledger. */
const surroundings = () =>
  Object.fromEntries(
    ["suppressions", "consent_log", "list_members", "address_strikes"].map((table) => [
      table,
      numberOf(api, `SELECT count(*) AS n FROM ${table}`),
    ]),
  );

/** Everything the connections sent for one recipient: how often, and with which Message-IDs and Dates. */
function transmissionsTo(address: string) {
  const wires = Array.from({ length: api.relay.connections }, (_, i) => api.relay.wire(i + 1)).join("");
  const letters = wires
    .split(/^MAIL FROM/m)
    .filter((part) => part.includes(`RCPT TO:<${address}>`) && part.includes("\r\n\r\n"));
  return {
    times: letters.length,
    ids: new Set(letters.map((letter) => headerOf(letter, "Message-ID"))),
    dates: new Set(letters.map((letter) => headerOf(letter, "Date"))),
  };
}

const acceptedFor = (address: string) =>
  api.relay.accepted.filter(({ rcptTo }) => rcptTo.includes(address)).length;

async function sendToAda(stage: ServerStage, behaviour: () => Behaviour | undefined, people: string[]) {
  const isAda = (moment: Moment) => BEFORE_RCPT.includes(stage) || moment.rcptTo.includes(ADA);
  const on = { [stage]: (moment: Moment) => (isAda(moment) ? behaviour() : undefined) };
  api = await startSending(on, { clock, relay: { wire: true } });
  const { listId, contactIds } = await makeAudience(api, people);
  const id = await makeCampaign(api, listId);
  const before = surroundings();
  const answer = (await driven(clock, send(api, id))).body.data;
  return { id, before, answer, contactId: contactIds[0]! };
}

/** The row of the campaign follows those of its letters. */
const isSent = (id: string): boolean =>
  numberOf(api, `SELECT count(*) AS n FROM campaigns WHERE id = '${id}' AND status = 'SENT'`) === 1;

describe("a reply means the same through the whole engine:", () => {
  for (const [stage, says, fate] of CASES) {
    const [[kind, reason]] = Object.entries(fate) as unknown as [[Kind, string]];
    test(`${stage} ${nameOf(says)} -> ${kind}`, async () => {
      let healed = false;
      const alone = kind === "relay" || BEFORE_RCPT.includes(stage);
      const others = alone ? 0 : 1;
      const stalls = typeof says !== "string" && says.and === "stall";
      const { id, before, answer, contactId } = await sendToAda(
        stage,
        () => (healed ? undefined : says),
        alone ? [ADA] : [ADA, GRACE],
      );

      const owed = kind === "queued" || kind === "relay";
      const isOver = () =>
        kind === "relay"
          ? api.logLines.some((line) => line.includes('"message":"relay down"'))
          : rowsOf(api, id)[0]!.attempts > 0 && (owed || isSent(id));
      if (stalls) await drivenUntil(clock, isOver, 250);
      else {
        const failed = kind === "bounced" || kind === "failed" || kind === "uncertain" ? 1 : 0;
        const remaining = owed ? 1 : 0;
        expect(answer).toEqual({
          sent: others + (kind === "sent" ? 1 : 0),
          failed,
          remaining,
          complete: remaining === 0,
        });
      }

      const rows = await deliveriesOf(api, id);
      const kept = typeof says !== "string" && says.kept === true;
      expect(rows[ADA]).toMatchObject({ state: NAMES[kind], attempts: kind === "relay" ? 0 : 1 });
      expect(rows[ADA].reason).toBe(kind === "relay" || kind === "sent" ? null : reason);
      if (others) expect(rows[GRACE].state).toBe("SENT");
      expect(acceptedFor(ADA)).toBe(kind === "sent" || kept ? 1 : 0);
      expect(acceptedFor(GRACE)).toBe(others);
      expect(await statusOf(api, id)).toBe(owed ? "DRAFT" : "SENT");
      const report = await reportOf(api, id);
      if (kind === "relay") expect(report.blocked).toContain(reason);
      else expect(report.blocked).toBeNull();

      const contact = (await api.call("GET", `/contacts/${contactId}`)).body.data;
      expect(contact.status).toBe(kind === "bounced" ? "BOUNCED" : "SUBSCRIBED");
      const after = surroundings();
      if (kind === "bounced") {
        expect(after).toMatchObject({
          suppressions: 1,
          list_members: before["list_members"]! - 1,
          address_strikes: 0,
        });
        expect(
          numberOf(
            api,
            `SELECT count(*) AS n FROM suppressions WHERE address = '${ADA}' AND reason = 'HARD_BOUNCE'`,
          ),
        ).toBe(1);
      } else expect(after).toEqual({ ...before, address_strikes: "strike" in fate ? 1 : 0 });

      healed = true;
      if (owed) {
        await drivenUntil(clock, () => rowOf(api, id).status === "SENT", 500);
        expect(rowsOf(api, id).every(({ state }) => state === "sent")).toBe(true);
        expect(acceptedFor(ADA)).toBe(1);
        expect((await deliveriesOf(api, id))[ADA].attempts).toBe(kind === "relay" ? 1 : 2);
        expect((await reportOf(api, id)).blocked).toBeNull();
        expect(numberOf(api, "SELECT count(*) AS n FROM address_strikes")).toBe(0);
        const { times, ids, dates } = transmissionsTo(ADA);
        expect(times).toBe(stage === "DOT" ? 2 : 1);
        expect([ids.size, dates.size]).toEqual([1, 1]);
      }
      if (kind === "uncertain") {
        api = await api.restart();
        const repeated = await driven(clock, send(api, id));
        expect(repeated.body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
        clock.advance(24 * 3_600_000);
        await driven(clock, sleep(clock, 10_000));
        expect(transmissionsTo(ADA).times).toBe(1);
      }
      const accepted = alone ? [ADA] : [ADA, GRACE];
      const expected =
        kind === "bounced" || kind === "failed" || (kind === "uncertain" && !kept)
          ? accepted.slice(1)
          : accepted;
      expect(addressesMailed(api)).toEqual(expected);
    });
  }
});

describe("the pause after a temporary refusal", () => {
  test.each(["451 4.3.0 Try again later", "450 4.2.1 Mailbox busy", "452 4.2.2 Over quota"])(
    "is a minute, give or take 20 %%: %s",
    async (says) => {
      const startedAt = clock.now();
      const { id } = await sendToAda("RCPT", () => says, [ADA]);
      const again = rowsOf(api, id)[0]!.next_attempt_at!;
      // The relay refused at some moment between the two: the clock went on while the answer came.
      expect(again - startedAt).toBeGreaterThanOrEqual(48_000);
      expect(again - clock.now()).toBeLessThanOrEqual(72_000);
    },
  );
});

describe("greylisting", () => {
  test("keeps its pause, whoever calls again", async () => {
    const startedAt = clock.now();
    const { id } = await sendToAda("RCPT", () => "451 4.7.1 Greylisted", [ADA]);
    const [row] = rowsOf(api, id);
    expect(row!.next_attempt_at! - startedAt).toBeGreaterThanOrEqual(5 * 60_000);
    for (let i = 0; i < 3; i++) {
      const again = await driven(clock, send(api, id));
      expect(again.body.data).toEqual({ sent: 0, failed: 0, remaining: 1, complete: false });
    }
    expect(api.relay.transactions).toBe(1);
    expect(rowsOf(api, id)[0]).toEqual(row);
  });

  test("gives up after 24 hours and says so", async () => {
    const startedAt = clock.now();
    const { id } = await sendToAda("RCPT", () => "451 4.7.1 Greylisted", [ADA]);
    await drivenUntil(clock, () => isSent(id), 20_000);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(rowsOf(api, id)[0]).toMatchObject({ reason: "GREYLISTED", attempts: api.relay.transactions });
    expect(await statusOf(api, id)).toBe("SENT");
    expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
  });
});
