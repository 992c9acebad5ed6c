/** People write to the mailbox that is read for reports. What is filed there is gone by POP3, so theirs is left. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { suppressions } from "../../support/people/people.ts";
import {
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
  api = await startSending();
});
afterAll(() => api.stop());

let number = 0;
async function mailed() {
  const email = `reader-${++number}@example.com`;
  const { sent } = await sendTo(api, [email]);
  return { email, raw: sent.get(email)?.raw ?? "", sender: sent.get(email)?.sender ?? "" };
}
const kept = async () => (await api.call("GET", "/bounces")).body.data;
const suppressed = async (email: string) => (await suppressions(api))[email];

/** What a reader writes who got a report about our letter. */
const QUOTING = (email: string): string =>
  `I got this, and why?\n> <${email}>: host mx.example.com said: 550 5.1.1 user unknown`;

/** A mail inside another, as mail programs forward it. */
const forwarded = (report: Buffer, from: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `From: ${from}\r\nSubject: Fwd: I got this from you\r\nContent-Type: multipart/mixed; boundary="f"\r\n\r\n` +
        "--f\r\nContent-Type: text/plain\r\n\r\nWhat is this?\r\n--f\r\nContent-Type: message/rfc822\r\n\r\n",
    ),
    report,
    Buffer.from("\r\n--f--\r\n"),
  ]);

describe("a person's mail in a mailbox is left, and kept nowhere else,", () => {
  test.each([
    ["Delivery status of order 4711", "Hello, my delivery is still delayed. When will it come? Grace"],
    ["Delivery status of order 4711", "Hello, the parcel has not arrived. Grace"],
    ["Delivery error", "I got the wrong item. Please write to another address, my mailbox is full. Grace"],
    ["Undelivered parcel", "It came back to you: 550 EUR are lost. Grace"],
    ["Returned to sender", ""],
  ])("if its subject is that of a report: %s", async (subject, text) => {
    expect(await fromMailbox(api, plainMail(subject, text))).toBe("ordinary");
    expect(await kept()).toEqual([]);
  });

  test("if it names somebody whom we mailed, who is not bounced by it", async () => {
    const { email } = await mailed();
    const text = `I wrote to ${email} and it came back: 550 5.1.1 <${email}> user unknown. Grace`;
    expect(await fromMailbox(api, plainMail("Delivery failed", text))).toBe("ordinary");
    expect(await suppressed(email)).toBeUndefined();
  });

  test("if it forwards a report about somebody's own mail", async () => {
    const { email } = await mailed();
    const theirs = dsn({ recipient: email });
    expect(await fromMailbox(api, forwarded(theirs, "Grace <grace@example.com>"))).toBe("ordinary");
    expect(await suppressed(email)).toBeUndefined();
    expect(await fromMailbox(api, forwarded(theirs, "MAILER-DAEMON@mx.example.net"))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });
});

describe("a report is a report", () => {
  test("whoever forwards it, if it returns the signed Message-ID of ours", async () => {
    const { email, raw } = await mailed();
    const returned = `Message-ID: ${headerOf(raw, "Message-ID")?.trim()}\n`;
    expect(await fromMailbox(api, forwarded(dsn({ returned }), "Ada <ada@example.org>"))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test.each([
    ["no return path", "Return-Path: <>\n"],
    ["the return path of a mail server", "Return-Path: <MAILER-DAEMON@mx.example.net>\n"],
    ["the form of a report", "Content-Type: multipart/report; boundary=none\n"],
    ["the field of a mail server", "X-Failed-Recipients: somebody@example.com\n"],
  ])("in words, if it has %s", async (_, headers) => {
    const { email } = await mailed();
    const text = `<${email}>: 550 5.1.1 user unknown`;
    expect(await fromMailbox(api, plainMail("Undeliverable: Spring", text, headers))).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("that is kept if it cannot be read", async () => {
    const mail = plainMail("Undeliverable: Spring", "Es ging schief.", "Return-Path: <>\n");
    expect(await fromMailbox(api, mail)).toBe("kept");
    expect(await kept()).toMatchObject([{ subject: "Undeliverable: Spring" }]);
  });
});

test("a person's mail to its address for opt-outs opts out, also with the subject of a report", async () => {
  await api.services.workspaces.changeSettings(api.workspaceId, {
    bounceDomain: BOUNCE_DOMAIN,
    bounceMailbox: "imaps://ada:secret@127.0.0.1:1/INBOX",
  });
  const { email, raw } = await mailed();
  const field = headerOf(raw, "List-Unsubscribe")?.replaceAll(/\s+/g, " ") ?? "";
  const [, mailbox = ""] = /<mailto:([^?>]+)\?/.exec(field) ?? [];
  const mail = plainMail("Delivery problem", "Stop this, my mailbox is full.");
  expect(await overSmtp(api, mail, mailbox)).toBe("applied");
  expect(await suppressed(email)).toBe("UNSUBSCRIBED");
});

describe("a reader whose own mail quotes a report about them is not bounced by it,", () => {
  const subject = "Re: Undelivered Mail Returned to Sender";

  test("but it is kept for a person where it came to their message's own address", async () => {
    await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
    const { email, sender } = await mailed();
    const reply = plainMail(subject, QUOTING(email), "Return-Path: <>\n", `Grace <${email.toUpperCase()}>`);
    expect(await overSmtp(api, reply, sender)).toBe("kept");
    expect(await suppressed(email)).toBeUndefined();
    const server = plainMail(subject, QUOTING(email), "", "MAILER-DAEMON@mx.example.com");
    expect(await overSmtp(api, server, sender)).toBe("applied");
    expect(await suppressed(email)).toBe("HARD_BOUNCE");
  });

  test("and it stays in the mailbox if it returns our Message-ID", async () => {
    const { email, raw } = await mailed();
    const text = `${QUOTING(email)}\n> Message-ID: ${headerOf(raw, "Message-ID")?.trim()}`;
    expect(await fromMailbox(api, plainMail(subject, text, "", `Grace <${email}>`))).toBe("ordinary");
    expect(await suppressed(email)).toBeUndefined();
  });
});
