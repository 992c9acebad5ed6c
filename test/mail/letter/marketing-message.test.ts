import { describe, expect, test } from "bun:test";
import {
  BASE_URL,
  grace,
  mailing,
  received,
  token,
  withoutFooter,
} from "../../support/sending/marketing-fixture.ts";
import { compileMarketing, composedText } from "../../support/sending/letters.ts";

const { tokens } = grace();

/** The mail format's rows for marketing mail: header name, what a parser reads. */
const FIELDS: [string, string][] = [
  ["from", "Ada Lovelace <ada@example.com>"],
  ["to", "grace@example.org"],
  ["subject", "News from Ada"],
  ["date", "Sat, 21 Nov 2026 05:37:09 +0000"],
  ["message-id", "<d1.grace@example.com>"],
  ["x-postrider-message", "d1.grace"],
  ["list-unsubscribe", `<${BASE_URL}/u/${tokens.unsubscribe}>`],
  ["list-unsubscribe-post", "List-Unsubscribe=One-Click"],
  ["list-id", "Friends <lst_friends.ws_ada.example.com>"],
  ["feedback-id", "cmp_1:ws_ada:campaign:postrider"],
  ["precedence", "bulk"],
  ["x-auto-response-suppress", "OOF, AutoReply"],
  ["mime-version", "1.0"],
];

describe("A marketing message has exactly the fields of its format", () => {
  test.each(FIELDS)("%s: %s", async (name, value) => {
    const { email } = await received(mailing());
    expect(
      email.headers.filter((header) => header.key === name).map((header) => header.value.trim()),
    ).toEqual([value]);
  });

  test("and no others", async () => {
    const { email } = await received(mailing());
    const names = email.headers.map((header) => header.key).toSorted();
    expect(names).toEqual([...FIELDS.map(([name]) => name), "content-type"].toSorted());
  });

  test("Reply-To only if set", async () => {
    const { email } = await received(mailing({ replyTo: "linus@example.com" }));
    expect(email.replyTo).toEqual([{ name: "", address: "linus@example.com" }]);
  });

  test("List-Id only where there is a list", async () => {
    const { email } = await received(mailing({ list: null }));
    expect(email.headers.some((header) => header.key === "list-id")).toBe(false);
  });
});

describe("The body", () => {
  test("is multipart/alternative, text first, both in UTF-8 and nothing attached", async () => {
    const { raw, email } = await received(mailing());
    const types = [...raw.matchAll(/^Content-(?:Type|Transfer-Encoding): ([^\r]*)/gm)].map(
      (match) => match[1],
    );
    expect(types).toEqual([
      "multipart/alternative;",
      "text/plain; charset=utf-8",
      "7bit",
      "text/html; charset=utf-8",
      "quoted-printable",
    ]);
    expect(email.attachments).toEqual([]);
  });

  test("reads the same to a second parser", async () => {
    const { email, html, text } = await received(mailing({ html: "<p>Grüße, 漢字 🎉</p>" }));
    expect(email.html?.trimEnd()).toBe(html);
    expect(email.text?.trimEnd()).toBe(text.trimEnd());
  });

  test("carries the postal address, the unsubscribe link and the pixel", async () => {
    const { html, text } = await received(mailing());
    const { footer } = withoutFooter(html);
    expect(footer).toContain("Analytical Engines<br>12 St James&#39;s Square<br>London SW1Y 4JH");
    expect(footer).toContain(`<a href="${BASE_URL}/u/${tokens.unsubscribe}"`);
    expect(footer).toContain(`<img src="${BASE_URL}/o/${tokens.open}" width="1" height="1" alt=""`);
    expect(text).toEndWith(
      `Analytical Engines\n12 St James's Square\nLondon SW1Y 4JH\n\nUnsubscribe: ${BASE_URL}/u/${tokens.unsubscribe}\n`,
    );
  });

  test.each([
    ["Cyrillic", "<p>Здравствуйте, дорогие друзья</p>"],
    ["Chinese", "<p>亲爱的朋友们，大家好</p>"],
  ])("is base64 where it is mostly not Latin: %s", async (_, paragraph) => {
    const author = `${paragraph}<a href="https://example.com/">${paragraph}</a>\n`.repeat(200);
    const { raw, html } = await received(mailing({ html: author, trackClicks: false }));
    expect(raw).toContain("Content-Transfer-Encoding: base64");
    expect(html).toStartWith(author);
  });

  test.each([
    ["base64", "<p>春の旅のご案内です</p>"],
    ["quoted-printable", "<p>Grüße aus München, schöne Ostertage</p>"],
  ])("is %s where markup and words make that the better one", async (encoding, paragraph) => {
    const link = '<a href="https://example.com/a?b=1">';
    const author = `${`${paragraph}${link}Go</a>`.repeat(3)}\n`.repeat(50);
    const { raw, html } = await received(mailing({ html: author, trackClicks: false }));
    const part = raw.slice(raw.indexOf("Content-Type: text/html"));
    expect(part).toStartWith(
      `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    );
    expect(html).toStartWith(author);
  });
});

describe("Tokens are each recipient's own", () => {
  const linus = grace({
    address: "linus@example.org",
    tokens: { open: token("lo"), click: token("lc"), unsubscribe: token("lu") },
  });
  const link = (index: number) => `<a href="https://example.com/${index}">${"ж".repeat(index % 40)}</a>`;
  const latin = Array.from(
    { length: 200 },
    (_, i) => `${"x".repeat(i % 77)}${link(i).replace(/ж/g, "y")}`,
  ).join("\n");
  const cyrillic = Array.from(
    { length: 200 },
    (_, i) => `${"ж".repeat(90 + (i % 57))}${link(i)}${i % 3 ? "" : link(i)}`,
  ).join("\n");

  test.each([
    ["7bit", latin],
    ["quoted-printable", `${latin}\né`],
    ["base64", cyrillic],
  ])("wherever a line breaks: %s", async (encoding, html) => {
    const source = mailing({ html });
    const [first, second] = [await received(source), await received(source, linus)];
    expect(first.raw).toContain(`Content-Transfer-Encoding: ${encoding}`);
    expect(first.html.split(tokens.click).length).toBe(html.split("<a ").length);
    expect(swap(first.html)).toBe(second.html);
    expect(swap(first.text)).toBe(second.text);
    expect(second.raw).not.toContain(tokens.unsubscribe);
  });

  test("and a second attempt is the same message", () => {
    const once = composedText(compileMarketing(mailing()).compose(grace()));
    expect(composedText(compileMarketing(mailing()).compose(grace()))).toBe(once);
  });

  function swap(text: string): string {
    return text
      .replaceAll(tokens.open, linus.tokens.open)
      .replaceAll(tokens.click, linus.tokens.click)
      .replaceAll(tokens.unsubscribe, linus.tokens.unsubscribe);
  }
});

describe("The text part says what the HTML says", () => {
  test.each([
    ["<h1>Straße</h1><p>One &amp; two</p>", "Straße\n\nOne & two"],
    [
      '<p>See <a href="/x">there</a> <a href="mailto:ada@example.com">Ada</a></p>',
      "See there [/x] Ada [ada@example.com]",
    ],
    ['<img src="https://example.com/a.png" alt="Our machine"><img src="b.png">', "Our machine"],
    ["<head><title>No</title><style>p{}</style></head><script>no()</script><p>Yes</p>", "Yes"],
    ["<table><tr><td>one</td><td>two</td></tr><tr><td><p>three</p></td></tr></table>", "one two\n\nthree"],
    ['<a href="/x"><img src="b.png" alt="Buy now"></a>', "Buy now [/x]"],
    ['<a href="/x"><img src="b.png"></a>', "/x"],
    ["above<body>within</body>below", "above\nwithin\nbelow"],
    ["<head><title>No</title><p>no end of the head", "no end of the head"],
    ['<ol type="I" start="1000000000"><li>one</ol>', " 1000000000. one"],
    ["<ul><li>one</li><li>two</li></ul>", " * one\n * two"],
  ])("%s", async (html, expected) => {
    const { text } = await received(mailing({ html, trackClicks: false }));
    expect(text.split(`\n\n${"-".repeat(74)}\n`)[0]).toBe(expected);
  });

  test("wrapped, but never inside a link", async () => {
    const address = `https://example.com/${"x".repeat(3_000)}`;
    const { text } = await received(
      mailing({ html: `<p>${"word ".repeat(100)}<a href="${address}">go</a></p>`, trackClicks: false }),
    );
    expect(text).toContain(address);
    expect(text.split("\n").filter((line) => line.length > 76)).toHaveLength(1);
  });
});

describe("The text part of a letter with links", () => {
  const tracked = (number: number): string => `${BASE_URL}/c/${tokens.click}/${number}`;
  const textOf = async (html: string, change = {}): Promise<string> =>
    (await received(mailing({ html, ...change }))).email.text ?? "";
  const link = (path: string, words: string): string =>
    `<p><a href="https://example.org/${path}">${words}</a></p>`;

  test("has an address that stands at two places once, at its end, and numbers at the places", async () => {
    const text = await textOf(link("a", "Shop") + link("b", "Blog") + link("a", "Shop again"));
    expect(text).toContain(`Shop [1]\n`);
    expect(text).toContain(`Blog [${tracked(1)}]\n`);
    expect(text).toContain(`Shop again [1]\n\n[1] ${tracked(0)}\n\n---`);
    expect(text.split(tracked(0))).toHaveLength(2);
  });

  test("has no numbers where each address stands once, or clicks are not counted", async () => {
    expect(await textOf(link("a", "Shop") + link("b", "Blog"))).not.toMatch(/\[\d+\]/);
    const untracked = await textOf(link("a", "Shop") + link("a", "Again"), { trackClicks: false });
    expect(untracked.split("[https://example.org/a]")).toHaveLength(3);
  });

  test("has none of ours where its author has numbers in brackets", async () => {
    const text = await textOf(link("a", "Shop") + link("a", "Again") + "<p>See [1] and [note].</p>");
    expect(text).toContain("See [1] and [note].");
    expect(text.split(`[${tracked(0)}]`)).toHaveLength(3);
  });
});
