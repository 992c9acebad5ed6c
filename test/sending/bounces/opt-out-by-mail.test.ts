import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { consentLog, suppressions } from "../../support/people/people.ts";
import { BOUNCE_DOMAIN, dsn, overSmtp, plainMail, sendTo, vacation } from "../../support/inbound/reports.ts";
import { headerOf, reportOf, startSending, type SendingApi } from "../../support/sending/sending.ts";

const BOUNCES = `${import.meta.dir}/../../fixtures/bounces`;

let api: SendingApi;
beforeAll(async () => {
  api = await startSending({}, { inboundSmtp: true });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
});
afterAll(() => api.stop());

let number = 0;
async function mailed() {
  const email = `reader-${++number}@example.com`;
  const { campaignId, listId, sent } = await sendTo(api, [email]);
  const raw = sent.get(email)?.raw ?? "";
  const field = headerOf(raw, "List-Unsubscribe")?.replaceAll(/\s+/g, " ").trim() ?? "";
  const [, mailbox = ""] = /<mailto:([^?>]+)\?subject=unsubscribe>$/.exec(field) ?? [];
  return { email, campaignId, listId, field, mailbox };
}
const suppressed = async (email: string) => (await suppressions(api))[email];

describe("List-Unsubscribe", () => {
  test("names the link first, then a mailbox of the message's own", async () => {
    const { field, mailbox } = await mailed();
    expect(field).toMatch(/^<https:\/\/mail\.example\.org\/u\/[\w-]{22}>, <mailto:/);
    expect(mailbox).toMatch(/^u-[a-z2-7]{39}@bounces\.shop\.example\.org$/);
  });

  test("names the link alone where no mail comes in", async () => {
    const other = await startSending();
    await other.services.workspaces.changeSettings(other.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
    const { sent } = await sendTo(other, ["one@example.com"]);
    const field = headerOf(sent.get("one@example.com")?.raw ?? "", "List-Unsubscribe") ?? "";
    expect(field).toMatch(/^\s*<https:\/\/mail\.example\.org\/u\/[\w-]{22}>$/);
    await other.stop();
  });

  test("names both where a mailbox is read", async () => {
    const other = await startSending();
    const bounceMailbox = "imaps://ada:secret@127.0.0.1:1/INBOX";
    await other.services.workspaces.changeSettings(other.workspaceId, {
      bounceDomain: BOUNCE_DOMAIN,
      bounceMailbox,
    });
    const { sent } = await sendTo(other, ["one@example.com"]);
    expect(headerOf(sent.get("one@example.com")?.raw ?? "", "List-Unsubscribe")).toContain("<mailto:u-");
    await other.stop();
  });

  test("is in no transactional mail", async () => {
    const before = api.relay.accepted.length;
    await api.call("POST", "/send", { to: "buyer@example.com", subject: "Receipt", text: "Thanks" });
    expect(headerOf(api.relay.accepted[before]?.raw ?? "", "List-Unsubscribe")).toBeUndefined();
  });
});

describe("a mail to that mailbox", () => {
  test("opts the person out like the link, once, whatever it says and whoever writes it", async () => {
    const { email, mailbox, campaignId, listId } = await mailed();
    const mail = plainMail("Re: your mail", "Please take me off", "From: somebody@else.example\n");
    expect(await overSmtp(api, mail, mailbox.toUpperCase())).toBe("applied");
    await overSmtp(api, plainMail("unsubscribe", ""), mailbox);
    expect(await suppressed(email)).toBe("UNSUBSCRIBED");
    expect((await consentLog(api)).filter((line) => line.includes(email))).toEqual([
      `WITHDRAWN ${email} unsubscribe`,
    ]);
    expect((await api.call("GET", `/lists/${listId}/contacts`)).body.pagination.total).toBe(0);
    expect((await reportOf(api, campaignId)).unsubscribed).toBe(1);
  });

  test.each([
    ["an automatic reply", vacation()],
    ["a delivery report", dsn()],
  ])("from a program, %s, does nothing", async (_, mail) => {
    const { email, mailbox } = await mailed();
    expect(await overSmtp(api, mail, mailbox)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });

  const REAL_ANSWERS = ["rfc3834-01.eml", "rfc3834-02.eml", "rfc3834-03.eml", "rfc3834-04.eml"];
  test.each<readonly [string, Buffer]>([
    [
      "with a parameter",
      plainMail("Hello", "I am away", 'AUTO-Submitted: Auto-Replied; owner-email="g@x"\n'),
    ],
    ["with a comment", plainMail("Hello", "I am away", "Auto-Submitted: auto-replied (vacation)\n")],
    ["with X-Autoreply", plainMail("Hello", "I am away", "X-Autoreply: yes\n")],
    ["with Precedence", plainMail("Hello", "I am away", "Precedence: auto_reply\n")],
    ["with a failure's subject", plainMail("Undelivered mail", "", "Auto-Submitted: auto-generated\n")],
    ...REAL_ANSWERS.map((file) => [file, readFileSync(`${BOUNCES}/${file}`)] as const),
  ])("that is marked as an answer or a report, %s, does nothing", async (_, mail) => {
    const { email, mailbox } = await mailed();
    expect(await overSmtp(api, mail, mailbox)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });

  test.each([
    ["auto-generated", plainMail("unsubscribe", "", "Auto-Submitted: auto-generated\n")],
    ["auto-generated, with a parameter", plainMail("", "", "Auto-Submitted: auto-generated; by=x\n")],
    ["of a kind that is not known", plainMail("unsubscribe", "", "Auto-Submitted: auto-notified\n")],
    ["with the subject of an answer", plainMail("Re: Out of office: Spring", "Please take me off")],
    ["with both", plainMail("Automatic reply: Spring", "", "Auto-Submitted: auto-generated\n")],
  ])("that no program certainly answered, %s, opts the person out", async (_, mail) => {
    const { email, mailbox } = await mailed();
    expect(await overSmtp(api, mail, mailbox)).toBe("applied");
    expect(await suppressed(email)).toBe("UNSUBSCRIBED");
  });

  const [POSTMASTER, ADMINISTRATOR] = [
    "Jo <postmaster@firm.example>",
    "System Administrator <jo@firm.example>",
  ];
  test.each([
    [
      "a house number",
      plainMail("unsubscribe", "Please remove us.\nFirm Ltd, 450 Main Street", "", POSTMASTER),
    ],
    [
      "a house number, and another name",
      plainMail("unsubscribe", "--\nSmall Co, 450 Main Street", "", ADMINISTRATOR),
    ],
    [
      "a line about the message",
      plainMail("Unsubscribe", "-- This message is confidential --", "", POSTMASTER),
    ],
  ])("from an address of a server's name, with %s, opts the person out", async (_, mail) => {
    const { email, mailbox } = await mailed();
    expect(await overSmtp(api, mail, mailbox)).toBe("applied");
    expect(await suppressed(email)).toBe("UNSUBSCRIBED");
  });

  const REFUSED = "The message was not delivered.\n<jo@firm.example>: 550 5.1.1 user unknown";
  test.each([
    ["with a failure's subject", plainMail("Undeliverable: Spring", REFUSED, "", POSTMASTER)],
    ["by MAILER-DAEMON", plainMail("Spring", REFUSED, "", "MAILER-DAEMON@mx.firm.example")],
    ["without an address for answers", plainMail("Spring", REFUSED, "Return-Path: <>\n", POSTMASTER)],
  ])("that is a report in words, %s, does nothing", async (_, mail) => {
    const { email, mailbox } = await mailed();
    expect(await overSmtp(api, mail, mailbox)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });

  test("that cannot be taken apart opts nobody out, and is kept for a person", async () => {
    const { email, mailbox } = await mailed();
    const parts = Array.from(
      { length: 40 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
    );
    expect(await overSmtp(api, Buffer.from(`Subject: unsubscribe\r\n${parts.join("")}`), mailbox)).toBe(
      "kept",
    );
    expect(await suppressed(email)).toBeUndefined();
  });

  test("with a token that was made for something else, or for nobody, does nothing", async () => {
    const { email, mailbox } = await mailed();
    const mail = plainMail("unsubscribe", "");
    const forged = mailbox.replace(/^u-./, (start) => (start === "u-a" ? "u-b" : "u-a"));
    expect(await overSmtp(api, mail, forged)).toBe("unmatched");
    expect(await suppressed(email)).toBeUndefined();
  });
});
