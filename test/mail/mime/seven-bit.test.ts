import { describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { bodyPart } from "#mail/mime/body-part.ts";
import { isSevenBit } from "#mail/mime/seven-bit.ts";
import { unwrap } from "#core/errors/errors.ts";
import { writeTransactional } from "#mail/letter/single/transactional-mail.ts";
import { readyTransactional } from "#mail/letter/single/transactional-message.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import { mailing, received, unixLines, withoutFooter } from "../../support/sending/marketing-fixture.ts";

const CASES: [string, string, boolean][] = [
  ["nothing", "", true],
  ["plain lines", "Hello,\nhow are you?\n", true],
  ["CRLF", "Hello,\r\nhow are you?", true],
  ["HTML with many equal signs", '<p style="a=b" class="=3D">=20</p>', true],
  ["a tab inside a line", "a\tb", true],
  ["a line of 900 characters", `a\n${"x".repeat(900)}\nb`, true],
  ["a line of 901 characters", `a\n${"x".repeat(901)}\nb`, false],
  ["a last line of 901 characters", "x".repeat(901), false],
  ["a letter with an accent", "Café", false],
  ["DEL", "a\x7fb", false],
  ["NUL", "a\0b", false],
  ["a CR alone", "a\rb", false],
  ["a CR at the end", "a\r", false],
  ["a space at the end of a line", "a \nb", false],
  ["a space before CRLF", "a \r\nb", false],
  ["a tab at the end", "a\t", false],
  ["a line with only a space", "a\n \nb", false],
  ["a dot at the start of a line", "a\n.b", false],
  ["a dot at the start", ".a", false],
  ["a line that From begins", "a\nFrom me to you", false],
  ["From at the start", "From me to you", false],
  ["From inside a line, and as a part of a word", "a From b\nFromage\nfrom me", true],
];

test.each(CASES)("%s: whether it may go without an encoding is known", (_, text, isPlain) => {
  expect(isSevenBit(text)).toBe(isPlain);
});

describe("a part", () => {
  test("that needs no encoding arrives as it was written, and so do its tokens", () => {
    const standIns = { open: "o".repeat(32), click: "c".repeat(32), unsubscribe: "u".repeat(32) };
    const { header, pieces } = bodyPart("text/html", `<a href="/c/${standIns.click}/0">x</a>\nb`, standIns);
    expect(header).toContain("Content-Transfer-Encoding: 7bit\r\n");
    expect(pieces).toEqual(['<a href="/c/', { name: "click", breakAt: -1 }, '/0">x</a>\r\nb']);
  });

  test("of a campaign is shorter so, and arrives byte for byte", async () => {
    const html = `<html>\n<body>\n${'<p class="a" style="margin:0">See <a href="https://shop.example.org/?a=b&amp;c=d">it</a>, =3D</p>\n'.repeat(40)}</body>\n</html>`;
    const { raw, html: arrived, email } = await received(mailing({ html, trackClicks: false }));
    expect(raw.match(/^Content-Transfer-Encoding: .*\r$/gm)).toEqual([
      "Content-Transfer-Encoding: 7bit\r",
      "Content-Transfer-Encoding: 7bit\r",
    ]);
    const { before, footer, after } = withoutFooter(arrived);
    expect(before + after).toBe(html);
    expect(footer.split("\n").every(({ length }) => length < 800)).toBe(true);
    expect(unixLines(email.html ?? "").trimEnd()).toBe(arrived.trimEnd());
    expect(raw).not.toContain("=3D3D");
  });

  test("with a line that is too long, or a letter outside ASCII, is encoded; the other is not", async () => {
    const long = await received(mailing({ html: `<p>${"word ".repeat(400)}end</p>` }));
    const accent = await received(mailing({ workspaceName: "Café" }));
    const encodings = (raw: string) =>
      [...raw.matchAll(/Content-Transfer-Encoding: (\S+)/g)].map(([, name]) => name);
    expect(encodings(long.raw)).toEqual(["7bit", "quoted-printable"]);
    expect(encodings(accent.raw)).toEqual(["quoted-printable", "quoted-printable"]);
  });

  test("cannot end its message, although it says so", async () => {
    const source = mailing({ html: "<p>a</p>" });
    const [, boundary = ""] = /boundary="([^"]+)"/.exec((await received(source)).raw) ?? [];
    const { raw, email, html } = await received(mailing({ html: `<p>a</p>\n--${boundary}--\n<p>b</p>` }));
    const [, own = ""] = /boundary="([^"]+)"/.exec(raw) ?? [];
    expect(own).not.toBe(boundary);
    expect(raw.split(`--${own}`)).toHaveLength(4);
    expect(email.html).toContain(`--${boundary}--`);
    expect(html).toContain("<p>b</p>");
  });
});

test("a request's text that needs no encoding arrives as it was written", async () => {
  const source = {
    from: { name: "Ada", address: "ada@example.com" },
    replyTo: null,
    subject: "Hello",
    html: '<p class="a">=3D</p>\n',
    text: "a = b\n\tc\n",
    headers: [],
    attachments: [],
    feedbackId: "a:b:tx:c",
  };
  const letter = readyTransactional(unwrap(writeTransactional(source)));
  const to = { address: "grace@example.org", name: "", messageId: "1@example.com", date: 0 };
  const { bytes } = unwrap(letter.compose(to));
  expect(asciiText(bytes).match(/: 7bit\r/g)).toHaveLength(2);
  const email = await PostalMime.parse(bytes);
  expect([email.html?.trimEnd(), email.text?.trimEnd()]).toEqual(['<p class="a">=3D</p>', "a = b\n\tc"]);
});
