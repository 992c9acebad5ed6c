import { describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { unwrap } from "#core/errors/errors.ts";
import { parseLiquid, type LiquidPiece, type LiquidScope } from "#mail/liquid/liquid.ts";
import type { MarketingSource } from "#mail/letter/marketing/marketing-mail.ts";
import { grace, mailing, token } from "../../support/sending/marketing-fixture.ts";
import { compileMarketing, compileFilled, composedText } from "../../support/sending/letters.ts";

const ADA = { contact: { firstName: "Ada", email: "ada@example.com" }, event: { properties: { n: 3 } } };

/** Names that would do harm in a place that takes them for something else. */
const NAMES = [
  "Ada",
  "",
  " ",
  "Wilhelmina Augusta Frederica of the House of Analytical Engines and Sons",
  `<b>"Ada" & 'Grace'</b>`,
  "--><script>",
  "Ænne Ωmega 漢字 🎉",
  "=3D=\r\n.",
  "a  b\tc\u2028d",
  "amp;",
  "x\u0000y\u0007",
  "\uE000\uE103\uE001",
  "\ud83d",
  "/../?q=1#z",
  "javascript:alert(1)",
];

/** A text without its line ends; a body that came out empty may keep its rule. */
const words = (text: string): string =>
  text
    .replace(/^\s*-{74}/, "")
    .replace(/\s+/g, " ")
    .trim();
const piecesOf = (template: string, scope: LiquidScope): readonly LiquidPiece[] =>
  unwrap(unwrap(parseLiquid(template, "html")).pieces(scope));
const valuesOf = (pieces: readonly LiquidPiece[]) =>
  pieces.filter((piece) => typeof piece !== "string").map(({ value }) => value);
const letterOf = (template: string, change: Partial<MarketingSource> = {}) =>
  compileFilled(mailing(change), piecesOf(template, ADA));

/** Reads a message with a parser that is not ours. */
async function read(raw: string): Promise<{ html: string; text: string; subject: string }> {
  expect(raw.split("\r\n").every((line) => line.length <= 998 && /^[\t\x20-\x7e]*$/.test(line))).toBeTrue();
  const { html = "", text = "", subject = "" } = await PostalMime.parse(Buffer.from(raw, "latin1"));
  return { html, text, subject };
}

/** What two ways to the same message give. */
async function bothWays(template: string, scope: LiquidScope, change: Partial<MarketingSource> = {}) {
  const source = mailing(change);
  const pieces = piecesOf(template, scope);
  const filled = letterOf(template, change)!;
  const whole = compileMarketing({
    ...source,
    html: unwrap(unwrap(parseLiquid(template, "html")).render(scope)),
  });
  const ours = composedText(filled.compose(grace(), { subject: source.subject, values: valuesOf(pieces) }));
  return {
    ours: await read(ours),
    theirs: await read(composedText(whole.compose(grace()))),
    links: filled.links(valuesOf(pieces)),
    theirLinks: whole.links([]),
  };
}

const TEMPLATES: readonly (readonly [string, string])[] = [
  ["text", "<html><body><p>Dear {{ contact.firstName }}, welcome to the engine room.</p></body></html>"],
  ["text of a page without body tags", "<p>Hello</p>{{ contact.firstName }}<p>and {{ contact.email }}</p>"],
  ["text of a page without any tags", "Hello {{ contact.firstName }}, how are you?"],
  ["a link behind its host", '<p><a href="https://example.org/{{ contact.firstName }}?a=1">x</a></p>'],
  [
    "two links",
    `<a href='https://example.org/?e={{ contact.email }}'>x</a> <a href="http://example.org/#y">y</a>`,
  ],
  ["a link that is none of ours", '<p><a href="mailto:{{ contact.firstName }}@example.org">x</a></p>'],
  ["a link left alone", '<p><a data-no-track href="{{ contact.firstName }}">x</a></p>'],
  [
    "a link's beginning and end",
    '<p><a data-no-track href="\n{{ contact.firstName }}/a\tb{{ contact.firstName }}">x</a></p>',
  ],
  [
    "a link of other letters",
    '<p><a href=" MAILTO:{{ contact.firstName }}?cc={{ contact.email }}">x</a> [y]</p>',
  ],
  [
    "a link left alone whose address has spaces",
    '<p><a data-no-track href="https://example.org/a b/{{ contact.firstName }} c">x</a></p>',
  ],
  [
    "two links left alone",
    '<p><a data-no-track href="{{ contact.firstName }}">x</a> <a data-no-track href="a{{ contact.firstName }}">y</a></p>',
  ],
  ["an attribute", '<p title="{{ contact.firstName }}"><img alt="{{ contact.firstName }}" src="a.png"></p>'],
  [
    "a comment",
    "<body><!-- for {{ contact.firstName }} --><p>Hi</p><!--[if mso]>{{ contact.email }}<![endif]-->",
  ],
  [
    "a title, a style",
    "<head><title>{{ contact.firstName }}</title><style>.a{{ contact.email }}{}</style></head><p>Hi</p>",
  ],
  ["a cell", "<table><tr><td>{{ contact.firstName }}</td><td>{{ contact.email }}</td></tr></table>"],
  ["a list", "<ul><li>{{ contact.firstName }} and so on</li><li>two</li></ul>"],
  ["mostly Greek", "<p>Καλημέρα κόσμε, καλημέρα κόσμε, {{ contact.firstName }}</p>"],
  ["long lines", `<p>${"word ".repeat(300)}{{ contact.firstName }}${" word".repeat(300)}</p>`],
  [
    "a branch",
    "<p>{% if event.properties.n == 3 %}Three{% else %}Other{% endif %} {{ contact.firstName }}</p>",
  ],
  ["a loop", "<ul>{% for i in (1..3) %}<li>{{ i }}: {{ contact.firstName }}</li>{% endfor %}</ul>"],
  ["filters", "<p>{{ contact.firstName | upcase | default: 'friend' }}</p>"],
];

describe("a letter with values gives the message that compiling it anew gives", () => {
  test.each(TEMPLATES)("where a value stands in %s", async (_, template) => {
    for (const firstName of NAMES) {
      const scope = { ...ADA, contact: { ...ADA.contact, firstName } };
      const { ours, theirs, links, theirLinks } = await bothWays(template, scope);
      expect(ours.html).toBe(theirs.html);
      expect(words(ours.text)).toBe(words(theirs.text));
      expect(links).toEqual(theirLinks);
    }
  });

  test.each(["Ada", "Ada L.", "=3D="])(
    "also the gaps of preformatted text, where the value is %j",
    async (firstName) => {
      const template = `<pre>Name   {{ contact.firstName }}   x\n  Mail   {{ contact.email }}</pre>`;
      const { ours, theirs } = await bothWays(template, { ...ADA, contact: { ...ADA.contact, firstName } });
      expect(ours.text).toContain(`Name   ${firstName}   x\n  Mail   ada@example.com\n`);
      expect(ours.text).toBe(theirs.text);
    },
  );

  test.each(["", " ", "Ada ", " Ada "])(
    "but that gaps of preformatted text stay as wide as they are, where the value is %j",
    async (firstName) => {
      const template =
        "<pre>Name   {{ contact.firstName }}     x  {{ contact.email }}\n A {{ contact.firstName }}   B</pre>";
      const { ours } = await bothWays(template, { ...ADA, contact: { ...ADA.contact, firstName } });
      const row = firstName.trim() === "" ? "Name     x" : "Name   Ada     x";
      const next = firstName.trim() === "" ? " A   B" : " A Ada   B";
      expect(ours.text).toContain(`${row}  ada@example.com\n${next}\n`);
    },
  );

  test.each([{ trackClicks: false }, { trackOpens: false }])("with the settings %j", async (change) => {
    for (const [, template] of TEMPLATES) {
      const { ours, theirs, links } = await bothWays(template, ADA, change);
      expect(ours.html).toBe(theirs.html);
      expect(change.trackClicks === false ? links : []).toEqual([]);
    }
  });

  test("and its lines of text stay within 74 columns where words allow it", async () => {
    const template =
      "<blockquote><p>Dear {{ contact.firstName }}, all of this is wrapped, and wrapped again, and so on.</p></blockquote>";
    const scope = {
      ...ADA,
      contact: { ...ADA.contact, firstName: "Wilhelmina Augusta Frederica ".repeat(4) },
    };
    const { ours } = await bothWays(template, scope);
    const body = ours.text.split(/-{74}/)[0]!.trimEnd().split("\n");
    expect(body.length).toBeGreaterThan(2);
    for (const line of body) expect([line.startsWith("> "), line.length <= 74]).toEqual([true, true]);
  });
});

test.each(["<p>Hello</p>", "<p>Здравствуйте, дорогие друзья</p>".repeat(20)])(
  "a letter without values is the same message, whether it is copied or joined: %s",
  (html) => {
    const source = mailing({ html: `${html}<a href="https://example.org/">x</a>` });
    const withoutBoundary = (raw: string) => raw.replaceAll(/=_[0-9a-f]{32}/g, "=_");
    const copied = composedText(compileMarketing(source).compose(grace()));
    const joined = compileFilled(source, [source.html])!.compose(grace(), {
      subject: source.subject,
      values: [],
    });
    expect(withoutBoundary(composedText(joined))).toBe(withoutBoundary(copied));
  },
);

describe("a letter with values is refused, and its messages are compiled one by one,", () => {
  test.each([
    ["a link's beginning", '<a href="{{ contact.firstName }}">x</a>'],
    ["a link's scheme", '<a href="htt{{ contact.firstName }}">x</a>'],
    ["a link's host", '<a href="https://{{ contact.firstName }}.example.org/">x</a>'],
    ["an attribute without quotes", "<p title={{ contact.firstName }}>x</p>"],
    ["the name of an attribute", "<p {{ contact.firstName }}>x</p>"],
    ["the name of an element", "<{{ contact.firstName }}>x"],
    ["the name of an end tag", "<p>x</{{ contact.firstName }}>x"],
    ["the rest of a name", "<b{{ contact.firstName }}>x"],
    ["a declaration", "<!{{ contact.firstName }}>x"],
    ["the end of a comment", "<!-- {{ contact.firstName }}-> <p>x</p>"],
    ["a script", "<script>{{ contact.firstName }}</script>"],
    ["an attribute that comes twice", '<p title="a" title="{{ contact.firstName }}">x</p>'],
    ["a table, beside its cells", "<table>{{ contact.firstName }}<tr><td>x</td></tr></table>"],
    ["the first text of a page without body tags", "{{ contact.firstName }}<title>x</title>"],
    ["a character reference", "<p>a&am{{ contact.firstName }}</p>"],
    ["misnested markup", "<p><b>x</p>{{ contact.firstName }}<p>y</b></p>"],
    ["a page that may become frames", "<p>{{ contact.firstName }}</p><frameset>"],
  ])("where a value stands in %s", (_, template) => {
    expect(letterOf(template)).toBeNull();
  });

  test("where its text holds the characters of our marks", () => {
    expect(letterOf("<p>\uE000 {{ contact.firstName }}</p>")).toBeNull();
  });
});

describe("each message of it", () => {
  const letter = letterOf("<p>Dear {{ contact.firstName }}</p>")!;

  test("has its own subject, recipient and tokens", async () => {
    const raw = composedText(
      letter.compose(grace({ address: "g@example.org" }), { subject: "For Grace", values: ["Grace"] }),
    );
    expect(raw).toContain("\r\nTo: g@example.org\r\n".slice(2));
    expect((await read(raw)).subject).toBe("For Grace");
    expect((await read(raw)).html).toContain(`/o/${token("open")}`);
    expect((await read(raw)).html).not.toContain("Ada");
  });

  test.each([
    ["an empty subject", " ", grace()],
    ["an address that is none", "Hi", grace({ address: "a b" })],
  ])("is refused for %s", (_, subject, recipient) => {
    expect(letter.compose(recipient, { subject, values: ["Grace"] }).ok).toBeFalse();
  });
});
