import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SendingApi } from "../../support/sending/sending.ts";
import { deliveriesOf, numberOf, reportOf, SENDER, startSending } from "../../support/sending/sending.ts";
import { consentLog, contactOf, suppressions } from "../../support/people/people.ts";
import {
  arf,
  BOUNCE_DOMAIN,
  dsn,
  overSmtp,
  receipt,
  sendTo,
  vacation,
  type SentMessage,
} from "../../support/inbound/reports.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
});
afterAll(() => api.stop());

let number = 0;
/** One new person who got one campaign's message. */
async function mailed(): Promise<SentMessage & { id: string; campaignId: string; listId: string }> {
  const email = `reader-${++number}@example.com`;
  const { campaignId, listId, sent } = await sendTo(api, [email]);
  const { id } = await contactOf(api, email);
  return { ...sent.get(email)!, id, campaignId, listId };
}

const statusOf = async (id: string) => (await api.call("GET", `/contacts/${id}`)).body.data.status;
const bouncesOf = async (id: string) => {
  const { body } = await api.call("GET", `/contacts/${id}/timeline?limit=100`);
  return body.data.filter(({ kind }: any) => kind === "bounce");
};
const figures = async () => (await api.call("GET", "/stats")).body.data.totals;

describe("the envelope sender", () => {
  test("is a message's own at bounceDomain, short enough, and the same for nobody else", async () => {
    const { sent } = await sendTo(api, ["one@example.com", "two@example.com"]);
    const senders = [...sent.values()].map(({ sender }) => sender);
    for (const sender of senders) {
      expect(sender).toMatch(/^b-[a-z2-7]{39}@bounces\.shop\.example\.org$/);
      expect(sender.indexOf("@")).toBeLessThanOrEqual(64);
    }
    expect(new Set(senders).size).toBe(2);
  });

  test("is fromEmail where there is no bounceDomain", async () => {
    const other = await startSending();
    const { sent } = await sendTo(other, ["one@example.com"]);
    expect(sent.get("one@example.com")?.sender).toBe(SENDER.fromEmail);
    await other.stop();
  });

  test("is a message's own for transactional mail too", async () => {
    const before = api.relay.accepted.length;
    await api.call("POST", "/send", { to: "buyer@example.com", subject: "Receipt", text: "Thanks" });
    expect(api.relay.accepted[before]?.mailFrom).toMatch(/^b-[a-z2-7]{39}@/);
  });
});

type Row = {
  readonly name: string;
  readonly mail: Buffer;
  readonly status: string;
  readonly suppressed: string | undefined;
  readonly bounced: number;
  readonly text: string | null;
};

const HARD = { status: "BOUNCED", suppressed: "HARD_BOUNCE", bounced: 1 };
const NOTHING = { status: "SUBSCRIBED", suppressed: undefined, bounced: 0 };

const TABLE: readonly Row[] = [
  {
    name: "a permanent failure of the address",
    mail: dsn(),
    ...HARD,
    text: "Campaign Spring bounced: smtp; 550 5.1.1 No such user here",
  },
  {
    name: "a permanent failure that names another address (forwarding)",
    mail: dsn({ recipient: "forwarded@other.example" }),
    ...HARD,
    text: "Campaign Spring bounced: smtp; 550 5.1.1 No such user here",
  },
  {
    name: "a temporary failure, once",
    mail: dsn({ status: "4.2.2", diagnostic: "smtp; 452 4.2.2 Mailbox full" }),
    ...NOTHING,
    text: "Campaign Spring could not be delivered for now: smtp; 452 4.2.2 Mailbox full",
  },
  {
    name: "a refusal by policy",
    mail: dsn({ status: "5.7.1", diagnostic: "smtp; 554 5.7.1 Blocked by Spamhaus" }),
    ...NOTHING,
    text: "Campaign Spring was refused: smtp; 554 5.7.1 Blocked by Spamhaus",
  },
  {
    name: "a delay, whatever its words say",
    mail: dsn({ action: "delayed" }),
    ...NOTHING,
    text: "Campaign Spring is delayed: smtp; 550 5.1.1 No such user here",
  },
  {
    name: "a success",
    mail: dsn({ action: "delivered", status: "2.0.0", diagnostic: "" }),
    ...NOTHING,
    text: null,
  },
  {
    name: "an automatic reply, whatever its words say",
    mail: vacation(),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Out of office: Spring",
  },
  {
    name: "an automatic reply to a subject that sounds like a report",
    mail: vacation("Automatic reply: Returned to sender: why parcels come back"),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Automatic reply: Returned to sender: why parcels come back",
  },
  {
    name: "such a reply that repeats only the subject, and wants no answer",
    mail: vacation("Your delivery status: order shipped", "Return-Path: <>\nAuto-Submitted: auto-replied"),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Your delivery status: order shipped",
  },
  {
    name: "such a reply that only its subject gives away",
    mail: vacation("Automatische Antwort: Delivery report", "Return-Path: <grace@example.com>"),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Automatische Antwort: Delivery report",
  },
  {
    name: "a receipt that repeats a subject that sounds like a report",
    mail: receipt("Returned to sender: what 550 5.1.1 user unknown means"),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Not read: Returned to sender: what 550 5.1.1 user unknown means",
  },
  {
    name: "a receipt that a gateway wrapped",
    mail: receipt("Returned to sender: what 550 5.1.1 user unknown means", 'multipart/mixed; boundary="b"'),
    ...NOTHING,
    text: "Campaign Spring was answered automatically: Not read: Returned to sender: what 550 5.1.1 user unknown means",
  },
  {
    name: "a complaint",
    mail: arf("abuse"),
    status: "UNSUBSCRIBED",
    suppressed: "COMPLAINT",
    bounced: 0,
    text: "Campaign Spring was reported as spam: Feedback-Type: abuse",
  },
  { name: "a complaint taken back", mail: arf("not-spam"), ...NOTHING, text: null },
  { name: "a report about signatures", mail: arf("auth-failure"), ...NOTHING, text: null },
];

describe("a report to a message's own address", () => {
  test.each(TABLE)("$name", async ({ mail, status, suppressed, bounced, text }) => {
    const { id, email, sender, campaignId } = await mailed();
    await overSmtp(api, mail, sender);
    expect(await statusOf(id)).toBe(status);
    expect((await suppressions(api))[email]).toBe(suppressed as string);
    const { stat } = (await api.call("GET", `/campaigns/${campaignId}`)).body.data;
    expect(stat.bounced).toBe(bounced);
    expect((await reportOf(api, campaignId)).bounced).toBe(bounced);
    expect((await bouncesOf(id)).map((moment: any) => moment.text)).toEqual(text === null ? [] : [text]);
    // What the relay took was sent, whatever happened later.
    expect((await deliveriesOf(api, campaignId))[email].state).toBe(bounced === 1 ? "BOUNCED" : "SENT");
  });

  test("counts once, however often it comes and by whatever ways", async () => {
    const { id, sender, campaignId, raw } = await mailed();
    const before = await figures();
    const messageId = /^Message-ID: (.*)\r$/m.exec(raw)?.[1] ?? "";
    expect(await overSmtp(api, dsn(), sender)).toBe("applied");
    const again = await Promise.all(
      Array.from({ length: 20 }, () => overSmtp(api, dsn(), sender.toUpperCase())),
    );
    expect(new Set(again)).toEqual(new Set(["known"]));
    const event = { kind: "hard", messageId, recipient: null, status: "5.1.1", diagnostic: "gone" } as const;
    expect(await api.services.bounces.takeReport(api.workspaceId, event, "postmark")).toBe("known");
    expect((await reportOf(api, campaignId)).bounced).toBe(1);
    expect((await figures()).bounced).toBe(before.bounced + 1);
    expect(await bouncesOf(id)).toHaveLength(1);
    expect((await consentLog(api)).filter((line) => line.includes(` reader-${number}@`))).toEqual([
      `WITHDRAWN reader-${number}@example.com bounce`,
    ]);
  });

  test("never touches anybody else, not even the one that it names", async () => {
    const [victim, other] = [await mailed(), await mailed()];
    expect(await overSmtp(api, dsn({ recipient: victim.email }), other.sender)).toBe("applied");
    expect([await statusOf(victim.id), await statusOf(other.id)]).toEqual(["SUBSCRIBED", "BOUNCED"]);
  });

  test("of a complaint takes the person off every list, logged as a complaint, and counts once", async () => {
    const { id, sender, listId, email } = await mailed();
    const before = await figures();
    await overSmtp(api, arf("abuse"), sender);
    await overSmtp(api, arf("fraud"), sender);
    expect((await api.call("GET", `/lists/${listId}/contacts`)).body.pagination.total).toBe(0);
    expect((await consentLog(api)).filter((line) => line.includes(email))).toEqual([
      `WITHDRAWN ${email} complaint`,
    ]);
    expect((await figures()).complained).toBe(before.complained + 1);
    expect(await bouncesOf(id)).toHaveLength(1);
  });

  test("is told on the timeline beside the delivery, with its status, words and way", async () => {
    const { id, sender } = await mailed();
    await overSmtp(api, dsn(), sender);
    const { body } = await api.call("GET", `/contacts/${id}/timeline?limit=100`);
    const texts = body.data.map(({ text }: any) => text);
    expect(texts).toContain("Campaign Spring was delivered");
    const [bounce] = await bouncesOf(id);
    expect(bounce.details).toMatchObject({
      reason: "USER_UNKNOWN",
      report: { kind: "hard", status: "5.1.1", words: "smtp; 550 5.1.1 No such user here", way: "smtp" },
    });
  });
});

test("a report about a test of a campaign changes nothing", async () => {
  const { id, email, campaignId } = await mailed();
  const before = api.relay.accepted.length;
  await api.call("POST", `/campaigns/${campaignId}/test`, { to: email });
  expect(await overSmtp(api, dsn(), api.relay.accepted[before]?.mailFrom ?? "")).toBe("unmatched");
  expect(await statusOf(id)).toBe("SUBSCRIBED");
});

describe("what is no report about a message of ours", () => {
  const untouched = async (act: () => Promise<unknown>) => {
    const tables = "SELECT (SELECT count(*) FROM bounce_reports) + (SELECT count(*) FROM suppressions) AS n";
    const [rows, mails] = [numberOf(api, tables), api.relay.accepted.length];
    await act();
    expect([numberOf(api, tables), api.relay.accepted.length]).toEqual([rows, mails]);
  };

  test("10,000 forged reports suppress nobody, and nothing is sent", async () => {
    const { email, sender } = await mailed();
    const [token = ""] = sender.split("@");
    const forged = (n: number): string => {
      const at = 2 + (n % 39);
      const other = token[at] === "a" ? "b" : "a";
      return `${token.slice(0, at)}${other}${token.slice(at + 1)}@${BOUNCE_DOMAIN}`;
    };
    const raw = dsn({ recipient: email });
    await untouched(async () => {
      for (let n = 0; n < 10_000; n += 50) {
        const taken = await Promise.all(
          Array.from({ length: 50 }, (_, i) => overSmtp(api, raw, forged(n + i))),
        );
        expect(new Set(taken)).toEqual(new Set(["unmatched"]));
      }
    });
  });

  test("a report about a report changes nothing", async () => {
    const { id, sender } = await mailed();
    const returned =
      "From: MAILER-DAEMON@example.net\nContent-Type: multipart/report; boundary=x\nSubject: Undelivered\n";
    await untouched(() => overSmtp(api, dsn({ returned }), sender));
    expect(await statusOf(id)).toBe("SUBSCRIBED");
  });

  test("an address that was not made here is nobody's, whatever its domain", async () => {
    const { sender } = await mailed();
    const { bounces } = api.services;
    expect(await bounces.addressee(sender)).toEqual({ kind: "bounce" });
    expect(await bounces.addressee(sender.toUpperCase())).toEqual({ kind: "bounce" });
    expect(await bounces.addressee(`b-${"a".repeat(39)}@${BOUNCE_DOMAIN}`)).toBeNull();
    expect(await bounces.addressee(sender.replace(/^b-/, "u-"))).toBeNull();
    for (const address of [`postmaster@${BOUNCE_DOMAIN}`, `abuse@${BOUNCE_DOMAIN}`, "", "@", "b-@x"])
      expect(await bounces.addressee(address)).toBeNull();
  });

  test("abuse@ and fbl@ are taken only where inboundComplaints is on, and matched by the returned headers", async () => {
    const { id, raw, email } = await mailed();
    const { bounces, workspaces } = api.services;
    await workspaces.changeSettings(api.workspaceId, { inboundComplaints: true });
    expect(await bounces.addressee(`FBL@${BOUNCE_DOMAIN}`)).toEqual({ kind: "complaints" });
    expect(await bounces.addressee("abuse@elsewhere.example")).toBeNull();
    const box = `abuse@${BOUNCE_DOMAIN}`;
    await untouched(() => overSmtp(api, arf("abuse", `Message-ID: <${"0".repeat(32)}@x.example>\n`), box));
    const [, own] = /^X-Postrider-Message: (.*)\r$/m.exec(raw) ?? [];
    expect(await overSmtp(api, arf("abuse", `X-Postrider-Message: ${own}\nTo: ${email}\n`), box)).toBe(
      "applied",
    );
    expect(await statusOf(id)).toBe("UNSUBSCRIBED");
    await workspaces.changeSettings(api.workspaceId, { inboundComplaints: false });
  });
});
