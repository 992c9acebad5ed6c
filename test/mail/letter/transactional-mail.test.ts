import { describe, expect, test } from "bun:test";
import PostalMime, { decodeWords } from "postal-mime";
import { unwrap } from "#core/errors/errors.ts";
import { isWireFilename, isWireMediaType } from "#mail/mime/attachment-part.ts";
import { areFolded, checkMessage } from "#mail/mime/byte-check.ts";
import { oneLine } from "#mail/mime/headers.ts";
import type { TransactionalSource } from "#mail/letter/single/transactional-mail.ts";
import type { TransactionalRecipient } from "#mail/letter/single/transactional-message.ts";
import { unixLines } from "../../support/sending/marketing-fixture.ts";
import { naughtyStrings } from "../../support/common/corpora.ts";
import { compileTransactional, composedText } from "../../support/sending/letters.ts";

const ADA: TransactionalRecipient = {
  address: "ada@example.com",
  name: "",
  messageId: "4711@shop.example.org",
  date: Date.UTC(2026, 10, 21),
};

const source = (change: Partial<TransactionalSource> = {}): TransactionalSource => ({
  from: { name: "Shop", address: "news@shop.example.org" },
  replyTo: null,
  subject: "Your receipt",
  html: null,
  text: "Thank you",
  headers: [],
  attachments: [],
  feedbackId: "send:ws_1:transactional:postrider",
  ...change,
});

const compose = (
  change: Partial<TransactionalSource> = {},
  recipient: Partial<TransactionalRecipient> = {},
): string => composedText(unwrap(compileTransactional(source(change))).compose({ ...ADA, ...recipient }));

const received = (message: string) => PostalMime.parse(message);

describe("a header field of one's own", () => {
  const VALUES = [
    "42",
    "ä",
    "🎉",
    "Grüße aus 東京",
    "plain words ".repeat(20).trim(),
    "x".repeat(60),
    "x".repeat(61),
    "two  blanks",
    "=?utf-8?Q?no?=",
    "é".repeat(998),
    "🎉".repeat(499),
    "x".repeat(998),
  ];

  test.each(Array.from({ length: 74 }, (_, at) => at + 3))("with a name of %d arrives", async (length) => {
    const name = `X-${"n".repeat(length - 2)}`;
    for (const value of VALUES) {
      const message = compose({ headers: [{ name, value }] });
      const [header = ""] = message.split("\r\n\r\n");
      expect(areFolded(`${header}\r\n`)).toBe(true);
      const lines = header.split("\r\n");
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(line.includes("=?") ? 76 : 78);
        for (const [word] of line.matchAll(/=\?utf-8\?.*?\?.*?\?=/g))
          expect(word.length).toBeLessThanOrEqual(75);
      }
      const { headers } = await received(message);
      const arrived = headers.find(({ key }) => key === name.toLowerCase())?.value ?? "";
      expect(decodeWords(arrived)).toBe(value);
    }
  });

  test("stays readable where it is plain and only its name is long", () => {
    const name = `X-${"n".repeat(74)}`;
    expect(compose({ headers: [{ name, value: "42 of 43" }] })).toContain(`\r\n${name}:\r\n 42 of 43\r\n`);
  });
});

describe("a message of kind T", () => {
  test("has these fields and no others", () => {
    const header = compose({ replyTo: "help@example.net" }).split("\r\n\r\n")[0]!;
    expect(header.split(/\r\n(?![ \t])/)).toEqual([
      "To: ada@example.com",
      "Date: Sat, 21 Nov 2026 00:00:00 +0000",
      "Message-ID: <4711@shop.example.org>",
      "X-Postrider-Message: 4711",
      "From: Shop <news@shop.example.org>",
      "Subject: Your receipt",
      "Reply-To: help@example.net",
      "Feedback-ID: send:ws_1:transactional:postrider",
      "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: OOF, AutoReply",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: 7bit",
    ]);
  });

  test("is the same on every attempt", () => {
    const change = {
      html: "<p>Hi</p>",
      attachments: [{ filename: "a", contentType: "a/b", content: Buffer.from("x") }],
    };
    expect(compose(change)).toBe(compose(change));
  });

  test("with attachments: mixed around alternative, the text before the HTML", () => {
    const file = { filename: "a.txt", contentType: "text/plain; charset=utf-8", content: Buffer.from("x") };
    const types = compose({ html: "<p>Hi</p>", attachments: [file, file] }).match(/^Content-Type: [^;\r]+/gm);
    expect([...types!]).toEqual(
      ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/plain", "text/plain"].map(
        (type) => `Content-Type: ${type}`,
      ),
    );
  });
});

test("the parameters of an attachment's type arrive as they are, a semicolon in quotes too", () => {
  const contentType = 'text/plain; charset=utf-8;name="a;b; c=d"';
  const file = { filename: "a.txt", contentType, content: Buffer.from("x") };
  expect(compose({ attachments: [file] })).toContain(
    'Content-Type: text/plain;\r\n charset=utf-8;\r\n name="a;b; c=d"\r\n',
  );
});

describe("whatever naughty string it is made of", () => {
  const strings = naughtyStrings();

  test("texts, names, subjects and headers arrive, and nothing else does", async () => {
    for (const text of strings) {
      if (oneLine(text) === "") continue;
      const message = compose(
        {
          subject: text,
          text,
          html: `<p>${text}</p>`,
          from: { name: text, address: "news@shop.example.org" },
          headers: [{ name: "X-Note", value: oneLine(text) }],
        },
        { name: text },
      );
      const mail = await received(message);
      expect(mail.to?.map(({ address }) => address)).toEqual(["ada@example.com"]);
      expect([mail.from?.address, mail.cc, mail.bcc]).toEqual([
        "news@shop.example.org",
        undefined,
        undefined,
      ]);
      expect(mail.subject).toBe(oneLine(text));
      expect(unixLines(mail.html ?? "").trimEnd()).toBe(unixLines(`<p>${text.toWellFormed()}</p>`).trimEnd());
      expect(mail.attachments).toHaveLength(0);
    }
  });

  test("file names arrive as they are, or are refused", async () => {
    for (const filename of [...strings, "a\"b'c;d.txt", "ü".repeat(127), "x".repeat(255)]) {
      if (!isWireFilename(filename)) continue;
      const mail = await received(
        compose({ attachments: [{ filename, contentType: "text/plain", content: Buffer.from("file") }] }),
      );
      expect(mail.attachments.map((file) => file.filename)).toEqual([filename]);
    }
  });
});

describe("refused", () => {
  test.each([
    ["an empty subject", { subject: " \r\n " }],
    ["a sender that ends its line", { from: { name: "", address: "a@b.example\r\nBcc: eve@example.com" } }],
    ["a reply-to that ends its line", { replyTo: "a@b.example\r\nBcc: eve@example.com" }],
    ["a header that is there already", { headers: [{ name: "Subject", value: "Another" }] }],
    ["a header of two addresses", { headers: [{ name: "Bcc", value: "eve@example.com" }] }],
  ])("%s", (_name, change) => expect(compileTransactional(source(change)).ok).toBe(false));

  test("a recipient that would add another one", () => {
    const compiled = unwrap(compileTransactional(source()));
    for (const address of [
      "ada@example.com, eve@example.com",
      "ada@example.com\r\nBcc: eve@example.com",
      "é@example.com",
    ])
      expect(compiled.compose({ ...ADA, address }).ok).toBe(false);
    const message = composedText(compiled.compose({ ...ADA, name: "Ada\r\nBcc: eve@example.com" }));
    expect(message).not.toMatch(/^Bcc:/m);
    expect(checkMessage(message, "Ada Bcc: eve@example.com <ada@example.com>").ok).toBe(false);
  });

  test.each(["", ".", "..", "a/b", "a\\b", "a\nb", "a\u0000", "\ud800", "x".repeat(256), "ü".repeat(128)])(
    "the file name %j",
    (name) => expect(isWireFilename(name)).toBe(false),
  );

  test.each([
    "",
    "text",
    "text/",
    "text/plain;",
    "text/plain\r\nX: y",
    "multipart/mixed",
    "message/rfc822",
    'text/plain; a="""',
    "té/xt",
  ])("the media type %j", (type) => expect(isWireMediaType(type)).toBe(false));

  test.each([
    "text/plain",
    "application/vnd.ms-excel",
    'text/calendar; method=REQUEST; charset="utf-8"',
    "image/svg+xml",
  ])("but not %s", (type) => expect(isWireMediaType(type)).toBe(true));
});
