import { describe, expect, test } from "bun:test";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { grace, mailing } from "../../support/sending/marketing-fixture.ts";
import { compileMarketing } from "../../support/sending/letters.ts";

const TO = "grace@example.org";
const GOOD =
  "From: Ada <ada@example.com>\r\nTo: grace@example.org\r\nSubject: Hello\r\n there\r\n" +
  "Date: Sat, 21 Nov 2026 05:37:09 +0000\r\nMessage-ID: <1@example.com>\r\nMIME-Version: 1.0\r\n\r\nHello\r\n\r\n.\r\n";

const BAD: [string, string, string][] = [
  ["a character beyond ASCII", GOOD.replace("Hello\r\n\r\n.", "Hell\u00f6\r\n\r\n."), "ASCII"],
  ["a character beyond latin1", GOOD.replace("Hello", "🎉"), "ASCII"],
  ["NUL", GOOD.replace("Hello", "Hel\0lo"), "ASCII"],
  ["another control character", GOOD.replace("Hello", "Hel\u001blo"), "ASCII"],
  ["DEL", GOOD.replace("Hello", "Hel\u007flo"), "ASCII"],
  ["a bare LF", GOOD.replace("Hello\r\n\r\n", "Hello\n\r\n"), "CR or LF"],
  ["a bare CR", GOOD.replace("Hello\r\n\r\n", "Hello\r.\r\n"), "CR or LF"],
  ["CR CR LF", GOOD.replace("\r\n.", "\r\r\n."), "CR or LF"],
  ["a CR at the end", `${GOOD}\r`, "CR or LF"],
  ["no CRLF at the end", `${GOOD}x`, "last line"],
  ["nothing", "", "last line"],
  ["a line of 999 characters", `${GOOD}${"x".repeat(999)}\r\n`, "998"],
  [
    "a header line of 999 characters",
    GOOD.replace("Subject: ", `X-Long: ${"x".repeat(991)}\r\nSubject: `),
    "998",
  ],
  ["no end of the header", GOOD.slice(0, GOOD.indexOf("\r\n\r\n") + 2), "empty line"],
  ["a header line that is no field", GOOD.replace("MIME-Version", "MIME Version"), "no field"],
  ["a continuation at the start", ` ${GOOD}`, "no field"],
  ...["From", "To", "Subject", "Date", "Message-ID"].flatMap((name): [string, string, string][] => [
    [
      `no ${name}`,
      GOOD.replace(new RegExp(`^${name}:`, "m"), `X-${name}:`),
      `no ${name.toLowerCase()} field`,
    ],
    [`two ${name}`, `${name.toUpperCase()}: x\r\n${GOOD}`, `more than one ${name.toLowerCase()} field`],
  ]),
  ["two of another field", `Mime-Version: 1.0\r\n${GOOD}`, "more than one mime-version"],
  ["a Cc", `Cc: linus@example.com\r\n${GOOD}`, "cc field"],
  ["a Bcc", `bcc: linus@example.com\r\n${GOOD}`, "bcc field"],
  ["a Return-Path", `Return-Path: <>\r\n${GOOD}`, "return-path field"],
  ["another recipient", GOOD.replace("To: grace@", "To: linus@"), "recipient's address"],
  [
    "a second recipient",
    GOOD.replace("To: grace@example.org", "To: grace@example.org,\r\n linus@example.com"),
    "recipient's address",
  ],
  ["the recipient in another case", GOOD.replace("To: grace@", "To: Grace@"), "recipient's address"],
];

describe("checkMessage refuses", () => {
  test.each(BAD)("%s", (_, message, reason) => {
    for (const form of [message, Buffer.from(message, "utf8")]) {
      const result = checkMessage(form, TO);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.refusal.message).toContain(reason);
    }
  });
});

describe("checkMessage accepts", () => {
  test("a sound message, as text and as bytes, and hands back the same one", () => {
    expect(checkMessage(GOOD, TO)).toEqual({ ok: true, value: GOOD });
    expect(checkMessage(Buffer.from(GOOD), TO).ok).toBe(true);
  });

  test("lines of exactly 998 characters, a folded To and two signatures", () => {
    expect(checkMessage(`${GOOD}${"x".repeat(998)}\r\n`, TO).ok).toBe(true);
    expect(checkMessage(GOOD.replace("To: ", "To:\r\n "), TO).ok).toBe(true);
    expect(checkMessage(`DKIM-Signature: a\r\nDKIM-Signature: b\r\n${GOOD}`, TO).ok).toBe(true);
  });
});

describe("A message that cannot be composed is a refusal, never bytes", () => {
  const EVIL = [
    "a@example.com\r\nBcc: linus@example.com",
    "a@example.com\n",
    "a@example.com\0",
    "a b@example.com",
    "a@example.com,b@example.com",
    "<a@example.com>",
    "grüße@example.com",
    "a@exämple.com",
    "a@",
    "@b",
    "",
    '"a"@example.com',
    "a@[127.0.0.1]",
    `${"a".repeat(250)}@example.com`,
  ];

  test.each(EVIL)("address %j", (address) => {
    expect(compileMarketing(mailing()).compose(grace({ address })).ok).toBe(false);
    expect(compileMarketing(mailing({ from: { name: "Ada", address } })).compose(grace()).ok).toBe(false);
    expect(compileMarketing(mailing({ replyTo: address })).compose(grace()).ok).toBe(false);
    expect(compileMarketing(mailing()).compose(grace({ messageId: address })).ok).toBe(false);
  });

  const { tokens } = grace();
  test.each([
    { tokens: { ...tokens, open: "" } },
    { tokens: { ...tokens, click: `${tokens.click}x` } },
    { tokens: { ...tokens, unsubscribe: "\r\nBcc: linus@example.com".padEnd(32, "x") } },
    { tokens: { ...tokens, unsubscribe: `${tokens.unsubscribe.slice(0, 31)}=` } },
    { date: Number.NaN },
    { date: -1 },
    { date: 8.64e15 },
  ])("recipient %j", (change) => {
    expect(compileMarketing(mailing()).compose(grace(change)).ok).toBe(false);
  });

  test.each([
    { subject: "" },
    { subject: " \r\n\u0000 " },
    { feedbackId: "a\r\nBcc: linus@example.com" },
    { feedbackId: "é" },
    { workspaceId: "ws>\r\nX: y" },
    { list: { id: "a b", name: "Friends" } },
    { baseUrl: "https://mail.example.com/" },
    { baseUrl: "https://mail.example.com>\r\nX: y" },
    { baseUrl: 'https://mail.example.com/"' },
    { baseUrl: "javascript:alert(1)" },
  ])("mailing %j", (change) => {
    expect(compileMarketing(mailing(change)).compose(grace()).ok).toBe(false);
  });

  test("one bad recipient leaves the others alone", () => {
    const compiled = compileMarketing(mailing());
    expect(compiled.compose(grace({ address: "bad" })).ok).toBe(false);
    expect(compiled.compose(grace()).ok).toBe(true);
  });
});
