import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProviderReport } from "#bounces/incoming.ts";
import { suppressions } from "../../support/people/people.ts";
import {
  arf,
  BOUNCE_DOMAIN,
  dsn,
  fromMailbox,
  overSmtp,
  plainMail,
  sendTo,
} from "../../support/inbound/reports.ts";
import { headerOf, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending({}, { inboundSmtp: true });
});
afterAll(() => api.stop());

let number = 0;
async function mailed(times = 1) {
  const email = `reader-${++number}@example.com`;
  let last = await sendTo(api, [email]);
  for (let n = 1; n < times; n++) last = await sendTo(api, [email]);
  return { email, raw: last.sent.get(email)?.raw ?? "", sender: last.sent.get(email)?.sender ?? "" };
}
type Mailed = Awaited<ReturnType<typeof mailed>>;
const suppressed = async (email: string) => (await suppressions(api))[email];
const messageIdOf = (raw: string) => headerOf(raw, "Message-ID")?.trim() ?? "";

describe("without bounceDomain, a report in the mailbox is matched", () => {
  test.each([
    ["Message-ID", (raw: string) => `Message-ID: ${messageIdOf(raw)}\nSubject: Spring`],
    [
      "Message-ID in other letters",
      (raw: string) => `Message-Id: ${messageIdOf(raw).toUpperCase()}\nSubject: Spring`,
    ],
    [
      "X-Postrider-Message, where a relay wrote its own Message-ID",
      (raw: string) =>
        `Message-ID: <1@relay.example>\nX-Postrider-Message: ${headerOf(raw, "X-Postrider-Message")}`,
    ],
  ])("by %s, whatever address it names", async (_, returned) => {
    const { email, raw } = await mailed(2);
    expect(await fromMailbox(api, dsn({ returned: returned(raw) }))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("by Feedback-ID and recipient", async () => {
    const { email, raw } = await mailed(2);
    const returned = `Feedback-ID: ${headerOf(raw, "Feedback-ID")?.trim()}\n`;
    expect(await fromMailbox(api, dsn({ returned, recipient: "stranger@example.com" }))).toBe("unmatched");
    expect(await fromMailbox(api, dsn({ returned, recipient: email }))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("by recipient alone only where exactly one message went there, and no other mail is returned", async () => {
    const [one, two] = [await mailed(), await mailed(2)];
    expect(await fromMailbox(api, dsn({ recipient: two.email }))).toBe("unmatched");
    const foreign = "Message-ID: <private@mail.example>\nSubject: Lunch?\n";
    expect(await fromMailbox(api, dsn({ recipient: one.email, returned: foreign }))).toBe("unmatched");
    expect(await fromMailbox(api, dsn({ recipient: "stranger@example.com" }))).toBe("unmatched");
    expect(await fromMailbox(api, dsn({ recipient: one.email }))).toBe("applied");
    expect([await suppressed(one.email), await suppressed(two.email)]).toEqual([
      "HARD_BOUNCE",
      undefined as never,
    ]);
  });

  test("by the Message-ID that a report in words quotes", async () => {
    const { email, raw } = await mailed(2);
    const text = `Hi. This is the qmail-send program.\nI wasn't able to deliver your message.\n\n<${email}>:\nRemote host said: 550 5.1.1 no such user\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${messageIdOf(raw)}\n`;
    expect(await fromMailbox(api, plainMail("failure notice", text))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("a complaint too, whose recipient is made unreadable", async () => {
    const { email, raw } = await mailed(2);
    expect(
      await fromMailbox(api, arf("abuse", `Message-ID: ${messageIdOf(raw)}\nTo: redacted@redacted\n`)),
    ).toBe("applied");
    expect(await suppressed(email)).toBe("COMPLAINT");
  });

  test("never to a message of another workspace, whose own reader may find it", async () => {
    const { email, raw } = await mailed();
    const mail = {
      raw: dsn({ returned: `Message-ID: ${messageIdOf(raw)}\n`, recipient: email }),
      way: "mailbox",
    } as const;
    const other = await api.services.workspaces.create("Other");
    const { bounces, workspaces } = api.services;
    const take = () => bounces.takeMail({ ...mail, envelopeRecipients: [], workspaceIds: [other.id] });
    expect(await take()).toBe("unmatched");
    await workspaces.changeSettings(api.workspaceId, { bounceMailbox: "pop3://ada:secret@127.0.0.1:1" });
    expect(await take()).toBe("elsewhere");
    expect(await suppressed(email)).toBeUndefined();
    expect(await fromMailbox(api, mail.raw)).toBe("applied");
    await workspaces.changeSettings(api.workspaceId, { bounceMailbox: "" });
  });
});

describe("a complaint at a box for complaints whose returned mail has lost our Message-ID is matched", () => {
  const box = `abuse@${BOUNCE_DOMAIN}`;
  const bare = "Subject: Spring\n";
  beforeAll(() => settings({ bounceDomain: BOUNCE_DOMAIN, inboundComplaints: true }));
  afterAll(() => settings({ bounceDomain: "", inboundComplaints: false }));
  const settings = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);
  /** A field of the report itself. */
  const reported = (field: string) =>
    Buffer.from(arf("abuse", bare).toString().replace("Version: 1", `Version: 1\r\n${field}`));

  test.each([
    ["Original-Mail-From", ({ sender }: Mailed) => reported(`Original-Mail-From: <${sender}>`)],
    ["Return-Path", ({ sender }: Mailed) => arf("abuse", `Return-Path: <${sender}>\n${bare}`)],
    [
      "List-Unsubscribe",
      ({ raw }: Mailed) => arf("abuse", `List-Unsubscribe: <${/mailto:[^>]+/.exec(raw)?.[0]}>\n${bare}`),
    ],
  ])("by the address in its %s", async (_, complaint) => {
    const one = await mailed();
    expect(await overSmtp(api, complaint(one), box)).toBe("applied");
    expect(await suppressed(one.email)).toBe("COMPLAINT");
  });

  test("but not by an address that was not made here", async () => {
    const { email, sender } = await mailed();
    const forged = sender.replace(/^b-(.{30})./, (_, start: string) => `b-${start}a`);
    expect(await overSmtp(api, arf("abuse", `Return-Path: <${forged}>\n${bare}`), box)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });
});

describe("an event of a provider", () => {
  const event = (change: Partial<ProviderReport>): ProviderReport => ({
    kind: "failed",
    messageId: null,
    recipient: null,
    status: "5.1.1",
    diagnostic: "550 5.1.1 No such user",
    ...change,
  });
  const take = (change: Partial<ProviderReport>, workspaceId = api.workspaceId) =>
    api.services.bounces.takeReport(workspaceId, event(change), "mailgun");

  test("is matched by Message-ID, and judged by its status and words", async () => {
    const { email, raw } = await mailed(2);
    const messageId = messageIdOf(raw).slice(1, -1);
    expect(await take({ messageId, status: "5.7.1", diagnostic: "550 5.7.1 blocked" })).toBe("applied");
    expect(await suppressed(email)).toBeUndefined();
    expect(await take({ messageId })).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("without Message-ID is matched by address if one message went there", async () => {
    const [one, two] = [await mailed(), await mailed(2)];
    expect(await take({ recipient: two.email })).toBe("unmatched");
    expect(await take({ recipient: one.email, kind: "complaint" })).toBe("applied");
    expect(await suppressed(one.email)).toBe("COMPLAINT");
  });

  describe("about mail of POST /send to somebody who is no contact", () => {
    const single = async (): Promise<string> => {
      const email = `buyer-${++number}@example.com`;
      await api.call("POST", "/send", { to: email, subject: "Receipt", text: "Thanks" });
      return email;
    };

    test.each([
      ["failed", "HARD_BOUNCE"],
      ["complaint", "COMPLAINT"],
    ] as const)("is matched by address too: %s", async (kind, reason) => {
      const recipient = await single();
      expect(await take({ recipient, kind }, (await api.services.workspaces.create("Fourth")).id)).toBe(
        "unmatched",
      );
      expect(await take({ recipient, kind })).toBe("applied");
      expect(await suppressed(recipient)).toBe(reason);
      expect(await take({ recipient, kind })).toBe("known");
    });

    test("is nobody's where another message went there, also if they were a contact by then", async () => {
      const recipient = await single();
      await sendTo(api, [recipient]);
      expect(await take({ recipient })).toBe("unmatched");
      expect(await suppressed(recipient)).toBeUndefined();
    });

    test("is one message's, not two, where they were a contact before", async () => {
      const email = `buyer-${++number}@example.com`;
      await api.call("POST", "/contacts", { email });
      await api.call("POST", "/send", { to: email, subject: "Receipt", text: "Thanks" });
      expect(await take({ recipient: email })).toBe("applied");
      expect(await suppressed(email)).toBe("HARD_BOUNCE");
    });
  });

  test("with a Message-ID that is not ours is nobody's, whatever its address", async () => {
    const { email } = await mailed();
    expect(await take({ messageId: "<1@relay.example>", recipient: email })).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });

  test("opts somebody out like the link", async () => {
    const { email, raw } = await mailed();
    expect(await take({ kind: "unsubscribe", messageId: messageIdOf(raw), diagnostic: "" })).toBe("applied");
    expect(await suppressed(email)).toBe("UNSUBSCRIBED");
  });

  test("for the hook of another workspace changes nothing", async () => {
    const { email, raw } = await mailed();
    const other = await api.services.workspaces.create("Third");
    expect(await take({ messageId: messageIdOf(raw) }, other.id)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });
});

describe("with bounceDomain", () => {
  test("what anybody could have written matches nothing: only what proves itself", async () => {
    const { email, raw } = await mailed();
    await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
    const returned = `Feedback-ID: ${headerOf(raw, "Feedback-ID")?.trim()}\n`;
    expect(await fromMailbox(api, dsn({ recipient: email }))).toBe("unmatched");
    expect(await fromMailbox(api, dsn({ recipient: email, returned }))).toBe("unmatched");
    expect(await fromMailbox(api, dsn({ returned: `Message-ID: ${messageIdOf(raw)}\n` }))).toBe("applied");
  });

  test("a mailbox sees the token in Delivered-To", async () => {
    const { email, sender } = await mailed();
    const raw = Buffer.concat([Buffer.from(`Delivered-To: ${sender.toUpperCase()}\r\n`), dsn()]);
    expect(await fromMailbox(api, raw)).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
    expect(await overSmtp(api, dsn(), sender)).toBe("known");
  });
});
