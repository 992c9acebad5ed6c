import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { compileConfirmation } from "#mail/letter/single/confirmation-mail.ts";
import { CONFIRMATION_MJML } from "#mail/letter/single/confirmation-template.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { dkimSigner } from "#mail/dkim/dkim.ts";
import { parseDkimKey } from "#mail/dkim/dkim-key.ts";
import { replacedBy } from "#mail/letter/message-id.ts";
import { KEY, pemOf, verdictsOn } from "../../support/sending/dkim.ts";
import { grace, mailing } from "../../support/sending/marketing-fixture.ts";
import { compileMarketing, compileTransactional, composedText } from "../../support/sending/letters.ts";

const DOMAIN = "example.com";
const signOwn = dkimSigner({ domain: DOMAIN, selector: "s1", privateKey: KEY.privateKey });
const sign = async (message: string): Promise<string> => asciiText((await signOwn({ bytes: message })).bytes);

describe("a signed message", () => {
  test("is a copy where there is no room before it: the memory of the original is given back", async () => {
    for (const bytes of [receipt, Buffer.from(receipt)]) {
      let released = 0;
      const signed = await signOwn({ bytes, release: () => void released++, room: 100 });
      expect([released, signed.release]).toEqual([1, undefined]);
      expect(asciiText(signed.bytes)).toBe(await sign(receipt));
    }
  });

  test("lies in the memory of the original where there is room, and keeps what gives it back", async () => {
    const [room, release] = [2_000, () => undefined];
    const memory = Buffer.from(`${"!".repeat(room)}${receipt}`);
    const signed = await signOwn({ bytes: memory.subarray(room), release, room });
    expect((signed.bytes as Buffer).buffer).toBe(memory.buffer);
    expect([signed.release, signed.room]).toEqual([release, undefined]);
    expect(asciiText(signed.bytes)).toBe(await sign(receipt));
    expect(memory.toString()).toBe(
      `${"!".repeat(room + receipt.length - signed.bytes.length)}${await sign(receipt)}`,
    );
  });

  test("of a campaign needs no copy", async () => {
    const composed = compileMarketing(mailing()).compose(grace());
    const { bytes, release } = unwrap(composed);
    const signed = await signOwn(unwrap(composed));
    expect((signed.bytes as Buffer).buffer).toBe((bytes as Buffer).buffer);
    expect(signed.release).toBe(release);
    expect(await verdicts(asciiText(signed.bytes))).toEqual(["pass example.com"]);
  });
});

const verdicts = (message: string) => verdictsOn(message, DOMAIN, "s1");

const campaign = (change: Parameters<typeof mailing>[0] = {}): string =>
  composedText(compileMarketing(mailing(change)).compose(grace()));

const receipt = composedText(
  unwrap(
    compileTransactional({
      from: { name: "Ada", address: "ada@example.com" },
      replyTo: null,
      subject: "Your receipt",
      html: null,
      text: "Thank you",
      headers: [{ name: "X-Order", value: "4711" }],
      attachments: [],
      feedbackId: "send:ws_1:transactional:postrider",
    }),
  ).compose({ address: "grace@example.org", name: "", messageId: "1@example.com", date: 0 }),
);
const confirmation = composedText(
  compileConfirmation(
    {
      workspaceName: "Ada's Shop",
      from: { name: "Ada", address: "ada@example.com" },
      replyTo: "help@example.com",
      feedbackId: "frm_1:ws_1:confirmation:postrider",
      linkValidDays: 7,
    },
    unwrap(await compileMjml(CONFIRMATION_MJML, "https://mail.example.org")),
  )({
    address: "grace@example.org",
    messageId: "2@example.com",
    date: 0,
    confirmUrl: "https://mail.example.com/confirm/x",
  }),
);

const bare = (body: string): string =>
  `From: ada@example.com\r\nTo: grace@example.org\r\nSubject: Hi\r\nDate: Sat, 21 Nov 2026 00:00:00 +0000\r\nMessage-ID: <1@example.com>\r\n\r\n${body}`;

/** What stands in front of the message that was signed. */
const signatureOf = (signed: string): string => signed.slice(0, signed.search(/\r\n(?![\t ])/));
const tag = (signed: string, name: string): string =>
  new RegExp(`[ ;]${name}=([^;]*)`)
    .exec(signatureOf(signed).replaceAll("\r\n ", " "))![1]!
    .replaceAll(" ", "");

describe("a signature", () => {
  test.each<readonly [string, string]>([
    ["a campaign's message", campaign()],
    ["a subject that is not ASCII", campaign({ subject: "Grüße aus 東京 🎉" })],
    ["long headers", campaign({ subject: "é".repeat(400), list: { id: "lst_1", name: "ß".repeat(150) } })],
    ["long words and a long plain subject", campaign({ subject: `${"word ".repeat(60)}${"x".repeat(300)}` })],
    [
      "a reply-to and a body of many kinds of text",
      campaign({
        replyTo: "help@example.com",
        html: `<p>${"a  b\t c ".repeat(400)}</p><pre>\n\n  x \n\n</pre>`,
      }),
    ],
    ["a receipt", receipt],
    ["a confirmation", confirmation],
    ["an empty body", bare("")],
    ["a body of blank lines", bare("\r\n\r\n\r\n")],
    ["a body of blanks", bare(" \t \r\n  \r\n")],
    ["blank lines at the end", bare("Hello\r\n\r\n\r\n")],
    ["blanks at line ends and runs of them", bare("a \t  b  \r\n \r\n\tc\r\n")],
    ["long runs of blanks", bare(`${" ".repeat(900)}x\r\n`.repeat(500))],
  ])("of %s is verified by others, and the message passes the byte check", async (_, message) => {
    const signed = await sign(message);
    expect(await verdicts(signed)).toEqual(["pass example.com"]);
    expect(signed.endsWith(`\r\n${message}`)).toBe(true);
    expect(checkMessage(signed, "grace@example.org").ok).toBe(true);
  });

  test("says who signed what and how, folded, and is the same at every attempt", async () => {
    const message = campaign({ replyTo: "help@example.com" });
    const signed = await sign(message);
    expect(["v", "a", "c", "d", "s"].map((name) => tag(` ${signed}`, name))).toEqual([
      "1",
      "rsa-sha256",
      "relaxed/relaxed",
      "example.com",
      "s1",
    ]);
    expect(signatureOf(signed)).not.toMatch(/[ ;]l=/);
    const lines = signatureOf(signed).split("\r\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(await sign(message)).toBe(signed);
  });

  test("covers exactly these fields, and names some once more than they are there", async () => {
    const LIST = "list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post";
    expect(tag(await sign(campaign({ replyTo: "help@example.com" })), "h")).toBe(
      `from:from:to:to:subject:subject:date:date:message-id:mime-version:content-type:content-type:reply-to:list-id:${LIST}:feedback-id`,
    );
    expect(tag(await sign(receipt), "h")).toBe(
      "from:from:to:to:subject:subject:date:date:message-id:mime-version:content-type:content-type:content-transfer-encoding:list-unsubscribe:list-unsubscribe-post:feedback-id",
    );
  });

  test("of a long domain stays within the line limit of mail", async () => {
    const long = `${"a".repeat(60)}.`.repeat(4).slice(0, 240) + ".com";
    const signer = dkimSigner({ domain: long, selector: "s".repeat(63), privateKey: KEY.privateKey });
    const signed = asciiText((await signer({ bytes: bare("x\r\n") })).bytes);
    expect(await verdictsOn(signed, long, "s".repeat(63))).toEqual([`pass ${long}`]);
    expect(checkMessage(signed, "grace@example.org").ok).toBe(true);
  });
});

describe("a signature breaks", () => {
  const FIELDS =
    "From To Subject Date Message-ID MIME-Version Content-Type Reply-To List-Id List-Unsubscribe List-Unsubscribe-Post Feedback-ID";

  test.each(FIELDS.split(" "))("where %s is changed or taken out", async (name) => {
    const signed = await sign(campaign({ replyTo: "help@example.com" }));
    const field = new RegExp(`^${name}: ?(.*(?:\\r\\n[ \\t].*)*)\\r\\n`, "m");
    expect(signed).toMatch(field);
    const changed = signed.replace(field, (whole) => `${whole.slice(0, -2)}x\r\n`);
    for (const tampered of [changed, signed.replace(field, "")])
      expect((await verdicts(tampered)).some((verdict) => verdict.startsWith("pass"))).toBe(false);
  });

  test.each<readonly [string, string]>([
    ["From", "From: eve@example.net"],
    ["To", "To: eve@example.net"],
    ["Subject", "Subject: You have won"],
    ["Date", "Date: Sat, 21 Nov 2026 00:00:01 +0000"],
    ["Content-Type", "Content-Type: text/html"],
    ["List-Unsubscribe", "List-Unsubscribe: <https://example.net/u>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"],
  ])("where another %s is added, before or after, also to mail that had none", async (_, added) => {
    for (const message of [campaign(), receipt]) {
      const signed = await sign(message);
      for (const tampered of [`${added}\r\n${signed}`, signed.replace("\r\n\r\n", `\r\n${added}\r\n\r\n`)])
        expect((await verdicts(tampered)).some((verdict) => verdict.startsWith("pass"))).toBe(false);
    }
  });

  test("where the body is changed, cut or added to", async () => {
    const signed = await sign(bare("Pay 10\r\nThank you\r\n"));
    for (const tampered of [
      signed.replace("Pay 10", "Pay 90"),
      signed.replace("Thank you\r\n", ""),
      `${signed}More\r\n`,
    ])
      expect((await verdicts(tampered)).some((verdict) => verdict.startsWith("pass"))).toBe(false);
  });

  test("not where a relay adds fields of its own or folds anew", async () => {
    const signed = await sign(campaign());
    const relayed = `Received: by relay.example.net; Sat, 21 Nov 2026 00:00:00 +0000\r\nX-Relay: 1\r\n${signed.replace("Subject: News from Ada", "Subject:  News\r\n\tfrom Ada")}`;
    expect(await verdicts(relayed)).toEqual(["pass example.com"]);
  });
});

describe("a signature for a relay that replaces fields", () => {
  const signFor = async (host: string, message: string): Promise<string> =>
    asciiText((await signOwn({ bytes: message }, replacedBy(host))).bytes);
  const MESSAGE_ID = /^Message-ID: .*$/m;
  const withOwnId = (mail: string): string => mail.replace(MESSAGE_ID, "Message-ID: <1@relay.example.net>");
  const withOwnIdAndDate = (mail: string): string =>
    withOwnId(mail).replace(/^Date: .*$/m, "Date: Sun, 22 Nov 2026 08:00:00 +0000");

  const [ID, ID_AND_DATE] = [["message-id"], ["message-id", "date"]];
  const HOSTS: readonly (readonly [host: string, unsigned: readonly string[]])[] = [
    ["email-smtp.eu-central-1.amazonaws.com", ID_AND_DATE],
    ["email-smtp-fips.us-gov-west-1.amazonaws.com", ID_AND_DATE],
    ["vpce-0a1-2b3.email-smtp.us-east-1.vpce.amazonaws.com", ID_AND_DATE],
    ["smtp.resend.com", ID_AND_DATE],
    ["smtp.postmarkapp.com", ID],
    ["smtp-broadcasts.postmarkapp.com", ID],
    ["smtp-relay.brevo.com", ID],
    ["smtp-relay.sendinblue.com", ID],
    ["in-v3.mailjet.com", ID],
  ];

  test.each(HOSTS)("%s does not cover these, and survives it", async (host, unsigned) => {
    for (const message of [campaign({ replyTo: "help@example.com" }), receipt, confirmation]) {
      const signed = await signFor(host, message);
      const covered = tag(await sign(message), "h").split(":");
      expect(tag(signed, "h").split(":")).toEqual(covered.filter((name) => !unsigned.includes(name)));
      const relayed = unsigned.includes("date") ? withOwnIdAndDate(signed) : withOwnId(signed);
      expect(relayed).not.toBe(signed);
      expect(await verdicts(relayed)).toEqual(["pass example.com"]);
    }
  });

  test.each([
    "smtp.example.com",
    "amazonaws.com",
    "ec2-192-0-2-1.compute-1.amazonaws.com",
    "email-smtp.eu-central-1.amazonaws.com.example.org",
    "postmarkapp.com.example.org",
    "notbrevo.com",
    "smtp.resend.com.example.org",
    "127.0.0.1",
  ])("covers all fields for %s", async (host) => {
    expect(await signFor(host, receipt)).toBe(await sign(receipt));
  });

  test("is right for each message where they take turns", async () => {
    const hosts = ["smtp.example.com", ...HOSTS.map(([host]) => host)];
    const signed = await Promise.all([...hosts, ...hosts].map((host) => signFor(host, receipt)));
    for (const [at, host] of [...hosts, ...hosts].entries())
      expect(signed[at]).toBe(await signFor(host, receipt));
    expect(new Set(signed).size).toBe(3);
  });
});

describe("a key", () => {
  test.each<readonly [string, string, string]>([
    ["too short", pemOf(1024), "has only 1024 bits"],
    [
      "of another kind",
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }),
      "is no RSA key",
    ],
    ["that is none", "ada", "cannot be read as a key"],
    ["that is empty", "", "cannot be read as a key"],
  ])("%s is refused", (_, pem, why) => {
    const key = parseDkimKey(pem);
    expect(key.ok ? "" : key.refusal.message).toStartWith(why);
  });
});
