import { describe, expect, test } from "bun:test";
import { parseFragment } from "parse5";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import {
  BASE_URL,
  grace,
  mailing,
  received,
  unixLines,
  withoutFooter,
} from "../../support/sending/marketing-fixture.ts";
import { naughtyStrings } from "../../support/common/corpora.ts";

const CLICK = new RegExp(`${BASE_URL}/c/${grace().tokens.click}/(\\d+)`);

const ENTIRE: Record<string, string> = {
  page: '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"></head>\n<body>\n<p>Hi</p>\n</body>\n</html>\n',
  capitals: "<HTML><BODY BGCOLOR=#FFFFFF><P ALIGN=Center>Hi</BODY></HTML>",
  "odd spacing": "<p   class = 'a'\tid=b\n>\t Hi  \t\n</p >\n\n\n",
  "trailing blanks": "<p>Hi </p> \t\n<p>there\t\n   \n",
  "windows lines": "<p>Hi</p>\r\n<p>there</p>\r\n",
  "old mac lines": "<p>Hi</p>\r<p>there</p>\r",
  "mixed lines": "<p>\r\n\n\r\r\n</p>\n\r",
  "entities left alone": "<p>&amp;&lt;&nbsp;&#8364;&bogus;&copy &</p>",
  "equals signs": "<p>a=b=3D==\n=\n= =20\r\n</p>=",
  dots: "<p>\n.\n..\n.hidden\n\r\n.\r\n</p>",
  "a line alone": ".",
  "mbox lines": "<pre>\nFrom Ada to Grace\n>From Grace\n</pre>",
  "boundary look-alikes": "<p>\n--=_0123\n--\n--=_\n</p>",
  "merge tags": '<p>Hi {{ firstName | "there" }} *|FNAME|* %%name%%</p>',
  emoji: "<p>🎉👩‍👩‍👧‍👦🇬🇧 é\u0301 \u202e evil \u200b</p>",
  scripts: "<p>العربية עברית 漢字 ไทย हिन्दी Ελληνικά</p>",
  "nul and controls": "<p>\u0000\u0001\u0008\u000b\u001b\u007f\u0085\u2028\u2029\ufeff</p>",
  "conditional comments":
    "<!--[if mso]><table><tr><td><![endif]--><p>Hi</p><!--[if mso]></td></tr></table><![endif]-->",
  mso: '<html xmlns:v="urn:schemas-microsoft-com:vml"><body><v:roundrect href="https://example.com/"><w:anchorlock/></v:roundrect></body></html>',
  misnested:
    '<b><a href="https://example.com/1"><i>x</b>y</a>z</i><p><a href=https://example.com/2>w</p></a>',
  links:
    "<a href=\"https://example.com/?a=1&amp;b=2\">x</a><A HREF='HTTP://example.com/é'>y</A><area href=https://example.com/z>",
  "a long line": `<p>${"x".repeat(10_000)}</p>`,
  "a long line of words": `<p>${"word ".repeat(2_000)}</p>`,
  "a long line of é": `<p>${"é".repeat(10_000)}</p>`,
  "a long line of emoji": `<p class="latin text so that it stays quoted">${"🎉".repeat(5_000)}</p>`,
  "a long line of blanks": `<p>${" ".repeat(10_000)}</p>`,
  "a long line of equals signs": "=".repeat(10_000),
  "a long link": `<a href="https://example.com/?q=${"x&amp;".repeat(2_000)}">x</a>`,
  "data uri": `<img src="data:image/png;base64,${"iVBORw0KGgo".repeat(500)}">`,
  "style sheet":
    "<style>\n@media (max-width: 600px) { .a > .b { color: red !important } }\n</style><p class=a>Hi</p>",
  empty: "",
  blank: " \n\t ",
};

const naughty = naughtyStrings();

describe("The author's HTML comes through as written", () => {
  test.each(Object.entries(ENTIRE))("%s", async (_, html) => expectAsWritten(html, await sent(html)));

  test("whatever naughty string it is made of", async () => {
    for (const text of naughty) await expectSame(text);
  });

  test("whatever naughty string its text, attributes and links hold", async () => {
    for (const text of naughty) {
      const link = `https://example.com/${text}`.replace(/["&]/g, (c) => (c === '"' ? "&quot;" : "&amp;"));
      await expectSame(
        `<html><body><p title='${text.replaceAll("'", "&#39;")}'><a href="${link}">go</a></p></body></html>`,
      );
    }
  });

  test("whatever naughty strings stand around it", async () => {
    for (const text of naughty) {
      const { html } = await received(
        mailing({ workspaceName: text, mailingAddress: text, html: "<p>Hi</p>" }),
      );
      expect(html).toStartWith("<p>Hi</p>");
    }
  });

  async function expectSame(html: string): Promise<void> {
    expectAsWritten(html, await sent(html));
  }

  async function sent(html: string) {
    return await received(mailing({ html }));
  }
});

describe("Quoted-printable", () => {
  const lines = [
    ".",
    "..",
    ". ",
    "From ",
    "From Ada",
    "=",
    " ",
    "\t",
    "x ",
    "\r",
    "\r.\r",
    "x\r.",
    "é".repeat(60),
    "x".repeat(75),
    "x".repeat(76),
    "x".repeat(77),
    `${"x".repeat(75)} `,
    `${"x".repeat(75)}.From .`,
    `${"x".repeat(75)}From Ada`,
  ];
  const texts = lines.flatMap((one) => [
    one,
    `${one}\n`,
    `\n${one}`,
    ...lines.map((two) => `${one}\n${two}\r\n${one}`),
  ]);

  test("keeps every text, in lines of at most 76 that no relay alters", () => {
    for (const text of texts) {
      const encoded = encodeQuotedPrintable(text);
      expect(unquote(encoded)).toBe(text.replace(/\r?\n/g, "\r\n"));
      for (const line of encoded.split("\r\n")) {
        expect(line).toMatch(/^[\x20-\x7e\t]{0,76}$/);
        expect(line).not.toMatch(/^\.|^From |[ \t]$/);
      }
    }
    expect(texts.length).toBeGreaterThan(300);
  });

  function unquote(encoded: string): string {
    const bytes = encoded
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, "latin1").toString("utf8");
  }
});

/** Takes our links and footer out of what arrived and compares it with what was stored. */
function expectAsWritten(author: string, message: Awaited<ReturnType<typeof received>>): void {
  const stored = unixLines(author);
  const { before, after } = withoutFooter(message.html);
  const restored = [before, after].map((half) => half.split(CLICK));
  let at = 0;
  for (const [which, half] of restored.entries()) {
    for (let i = 0; i < half.length; i++) {
      if (i % 2 === 1) continue;
      const piece = which === 0 && i === half.length - 1 ? withoutEndTags(half[i]!, stored, after) : half[i]!;
      const found = i === 0 ? at : stored.indexOf(piece, at);
      if (i > 0) expect(decoded(stored.slice(at, found))).toBe(message.links[Number(half[i - 1])]!);
      expect(stored.slice(found, found + piece.length)).toBe(piece);
      at = found + piece.length;
    }
  }
  expect(at).toBe(stored.length);
}

/** End tags of ours stand right before the footer; the author's own text ends where the rest of it begins. */
function withoutEndTags(piece: string, stored: string, after: string): string {
  const authors = stored.slice(0, stored.length - after.length);
  for (let length = piece.length; length >= 0; length--) {
    if (
      authors.endsWith(piece.slice(0, length)) &&
      /^(?:["']?>|-->)?(?:<\/[^>]+>)*$/.test(piece.slice(length))
    )
      return piece.slice(0, length);
  }
  return piece;
}

function decoded(source: string): string {
  const quote = source.includes('"') ? "'" : '"';
  const element = parseFragment(`<a href=${quote}${source}${quote}>`).childNodes[0]!;
  const value = "attrs" in element ? element.attrs[0]!.value : "";
  return value.replace(/[\t\n\r]/g, "").replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
}
