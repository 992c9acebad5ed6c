import { describe, expect, test } from "bun:test";
import { parseFragment } from "parse5";
import { trackLinks } from "#mail/html/links.ts";
import { withUtm } from "#mail/html/utm.ts";
import { BASE_URL, grace, mailing, received } from "../../support/sending/marketing-fixture.ts";

const click = (index: number) => `${BASE_URL}/c/${grace().tokens.click}/${index}`;

/** HTML, what it becomes, and where its links lead. */
const TRACKED: [string, string, string[]][] = [
  ['<a href="https://example.com/">x</a>', `<a href="@0">x</a>`, ["https://example.com/"]],
  ["<a href='https://example.com/'>x</a>", `<a href='@0'>x</a>`, ["https://example.com/"]],
  ["<a href=https://example.com/>x</a>", "<a href=@0>x</a>", ["https://example.com/"]],
  ["<a href=https://example.com/ >x</a>", "<a href=@0 >x</a>", ["https://example.com/"]],
  ["<A HREF=HTTPS://EXAMPLE.COM/Path>x</A>", "<A HREF=@0>x</A>", ["HTTPS://EXAMPLE.COM/Path"]],
  [
    '<a class=x  href \n=\t "http://example.com" id=y>x</a>',
    '<a class=x  href \n=\t "@0" id=y>x</a>',
    ["http://example.com"],
  ],
  ['<a\r\nhref="https://example.com/"\r\n>x</a>', '<a\r\nhref="@0"\r\n>x</a>', ["https://example.com/"]],
  [
    '\r\n\r<p>\r\n<a href="https://example.com/">x</a>',
    '\r\n\r<p>\r\n<a href="@0">x</a>',
    ["https://example.com/"],
  ],
  [
    '<a href="https://example.com/?a=1&amp;b=2">x</a>',
    '<a href="@0">x</a>',
    ["https://example.com/?a=1&b=2"],
  ],
  [
    '<a href="https://example.com/?a=1&b=2&copy=3">x</a>',
    '<a href="@0">x</a>',
    ["https://example.com/?a=1&b=2&copy=3"],
  ],
  ['<a href="https://example.com/?a=1&copy;">x</a>', '<a href="@0">x</a>', ["https://example.com/?a=1©"]],
  [
    '<a href="&#104;ttps&colon;//example.com/&#x1F389;">x</a>',
    '<a href="@0">x</a>',
    ["https://example.com/🎉"],
  ],
  ['<a href="https://example.com/🎉?q=é#ü">x</a>', '<a href="@0">x</a>', ["https://example.com/🎉?q=é#ü"]],
  ['<a href="https://🎉.example.com/">x</a>', '<a href="@0">x</a>', ["https://🎉.example.com/"]],
  [
    '<a href="https://example.com/%F0%9F%8E%89%zz">x</a>',
    '<a href="@0">x</a>',
    ["https://example.com/%F0%9F%8E%89%zz"],
  ],
  ['<a href=" \n https://example.com/ \t">x</a>', '<a href="@0">x</a>', ["https://example.com/"]],
  ['<a href="https://exam\n\tple.com/a b">x</a>', '<a href="@0">x</a>', ["https://example.com/a b"]],
  ['<a href="\u0001https://example.com/\u001f">x</a>', '<a href="@0">x</a>', ["https://example.com/"]],
  [
    '<a href="https://example.com/a" href="https://example.org/b">x</a>',
    '<a href="@0" href="https://example.org/b">x</a>',
    ["https://example.com/a"],
  ],
  ['<a href="https://example.com/it\'s">x</a>', '<a href="@0">x</a>', ["https://example.com/it's"]],
  ["<a href='https://example.com/\"q\"'>x</a>", "<a href='@0'>x</a>", ['https://example.com/"q"']],
  ["<a href=https://example.com/a=b'c>x</a>", "<a href=@0>x</a>", ["https://example.com/a=b'c"]],
  [
    '<a href="https://user:pw@example.com:8443/p;v=1,2?x[]=1">x</a>',
    '<a href="@0">x</a>',
    ["https://user:pw@example.com:8443/p;v=1,2?x[]=1"],
  ],
  [
    '<a href="https://example.com/{{ firstName }}">x</a>',
    '<a href="@0">x</a>',
    ["https://example.com/{{ firstName }}"],
  ],
  ['<a href="https://example.com/#top">x</a>', '<a href="@0">x</a>', ["https://example.com/#top"]],
  [
    '<map><area href="https://example.com/area"></map>',
    '<map><area href="@0"></map>',
    ["https://example.com/area"],
  ],
  [
    '<base href="https://example.org/"><a href="https://example.com/">x</a><a href="/y">y</a>',
    '<base href="https://example.org/"><a href="@0">x</a><a href="/y">y</a>',
    ["https://example.com/"],
  ],
  [
    '<a href="https://example.com/1">1</a><a href="https://example.com/2">2</a><a href="https://example.com/1">3</a>',
    '<a href="@0">1</a><a href="@1">2</a><a href="@0">3</a>',
    ["https://example.com/1", "https://example.com/2"],
  ],
  [
    '<p><a href="https://example.com/1">one<p>two</a>three',
    '<p><a href="@0">one<p>two</a>three',
    ["https://example.com/1"],
  ],
  [
    '<a href="https://example.com/1"><div><b>x</a>y</b></div><table><a href="https://example.com/2">z<tr><td>t',
    '<a href="@0"><div><b>x</a>y</b></div><table><a href="@1">z<tr><td>t',
    ["https://example.com/1", "https://example.com/2"],
  ],
  [
    '<noscript><a href="https://example.com/">x</a></noscript>',
    '<noscript><a href="@0">x</a></noscript>',
    ["https://example.com/"],
  ],
  ['\ufeff🎉<a href="https://example.com/">x</a>', '\ufeff🎉<a href="@0">x</a>', ["https://example.com/"]],
  [
    '<!-- a --!><a href="https://example.com/">x</a>',
    '<!-- a --!><a href="@0">x</a>',
    ["https://example.com/"],
  ],
];

const UNTOUCHED = [
  '<a href="mailto:ada@example.com">x</a>',
  '<a href="tel:+44123">x</a>',
  '<a href="sms:+44123">x</a>',
  '<a href="cid:part1@example.com">x</a>',
  '<a href="#top">x</a>',
  '<a href="">x</a>',
  "<a href>x</a>",
  "<a name=x>x</a>",
  '<a href="/relative">x</a>',
  '<a href="//example.com/">x</a>',
  '<a href="https:example.com">x</a>',
  '<a href="https:/example.com">x</a>',
  '<a href="https:\\\\example.com">x</a>',
  '<a href="https://">x</a>',
  '<a href="http://exa mple.com/">x</a>',
  '<a href="{{ url }}">x</a>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="ftp://example.com/">x</a>',
  '<a data-no-track href="https://example.com/">x</a>',
  '<a href="https://example.com/" DATA-NO-TRACK="">x</a>',
  '<a data-href="https://example.com/">x</a>',
  '<img src="https://example.com/x.png">',
  '<link href="https://example.com/x.css">',
  '<form action="https://example.com/"></form>',
  '<!-- <a href="https://example.com/">x</a> -->',
  '<!--[if mso]><a href="https://example.com/">x</a><![endif]-->',
  "<style>a { content: '<a href=\"https://example.com/\">' }</style>",
  '<script>"<a href=\\"https://example.com/\\">"</script>',
  '<textarea><a href="https://example.com/">x</a></textarea>',
  '<title><a href="https://example.com/">x</a></title>',
  '<svg><a href="https://example.com/">x</a></svg>',
  '<p title="<a href=&quot;https://example.com/&quot;>">x</p>',
  'https://example.com/ and &lt;a href="https://example.com/">',
  '<a href="https://example.com/',
];

describe("Links lead exactly where the author pointed", () => {
  test.each(TRACKED)("%s", (html, expected, links) => {
    expect(trackLinks(html, click)).toEqual({
      html: expected.replace(/@(\d)/g, (_, i: string) => click(Number(i))),
      links,
    });
  });

  test("as a second parser reads the attribute, over many addresses", () => {
    const pieces = [
      "a",
      "é",
      "🎉",
      "&amp;",
      "&",
      "&lt",
      "&notin;",
      "%20",
      " ",
      "=",
      "'",
      "?",
      "#",
      "/",
      "[",
      "|",
      "\\",
      "^",
      "漢",
      "&#x41;",
      "&#0;",
    ];
    const sources = pieces.flatMap((one) =>
      pieces.flatMap((two) => pieces.slice(0, 5).map((three) => `https://example.com/${one}${two}x${three}`)),
    );
    const html = sources.map((source) => `<a href="${source}">x</a>`).join("\n");
    const expected = sources.map((source) => hrefOf(`<a href="${source}">x</a>`).trim());
    expect(trackLinks(html, click).links).toEqual([...new Set(expected)]);
    expect(sources.length).toBeGreaterThan(2_000);
  });
});

describe("A link that is completed and not counted keeps its address, however it was quoted", () => {
  const utm = { source: "news", medium: "", campaign: "" };
  test.each([
    [
      "<a href=https://x.example/?q=a&#32;b>x</a>",
      '<a href="https://x.example/?q=a b&amp;utm_source=news">x</a>',
    ],
    [
      "<a href=https://x.example/?q=a&#12;b id=y>x</a>",
      '<a href="https://x.example/?q=a\fb&amp;utm_source=news" id=y>x</a>',
    ],
    [
      "<a href=https://x.example/a&#62;&quot;b>x</a>",
      "<a href=https://x.example/a&gt;&quot;b?utm_source=news>x</a>",
    ],
    ["<a href=https://x.example/a>x</a>", "<a href=https://x.example/a?utm_source=news>x</a>"],
    [
      "<a href='https://x.example/?q=a b'>x</a>",
      "<a href='https://x.example/?q=a b&amp;utm_source=news'>x</a>",
    ],
  ])("%s", (html, expected) => {
    const completed = trackLinks(html, (_, target) => withUtm(target, utm)).html;
    expect(completed).toBe(expected);
    expect(hrefOf(completed)).toBe(withUtm(hrefOf(html), utm));
  });
});

describe("What is no web link stays as it is", () => {
  test.each(UNTOUCHED)("%s", (html) => {
    expect(trackLinks(html, click)).toEqual({ html, links: [] });
  });

  test("a document too tangled to parse keeps its links", () => {
    const html = `<a href="https://example.com/">x</a>${"<div>".repeat(50_000)}`;
    expect(trackLinks(html, click)).toEqual({ html, links: [] });
  });

  test("with click tracking off no link changes, in either part", async () => {
    const message = await received(mailing({ trackClicks: false }));
    expect(message.links).toEqual([]);
    expect(message.html).toContain('href="https://example.com/news"');
    expect(message.text).toContain("[https://example.com/news]");
    expect(message.raw).not.toContain("/c/");
  });
});

test("Both parts carry the recipient's own click address with the same index", async () => {
  const html = '<p><a href="https://example.com/1">one</a> <a href="https://example.com/2">two</a></p>';
  const message = await received(mailing({ html }));
  expect(message.links).toEqual(["https://example.com/1", "https://example.com/2"]);
  expect(message.html).toContain(`<p><a href="${click(0)}">one</a> <a href="${click(1)}">two</a></p>`);
  expect(message.text.replace(/\s+/g, " ")).toContain(`one [${click(0)}] two [${click(1)}]`);
});

function hrefOf(html: string): string {
  const element = parseFragment(html).childNodes[0]!;
  return "attrs" in element ? element.attrs[0]!.value : "";
}

test("The first thousand different links are counted; the others lead straight to their address", async () => {
  const link = (number: number) => `<a href="https://example.com/${number}">${number}</a>`;
  const body = Array.from({ length: 1_500 }, (_, number) => link(number)).join("\n") + link(0);
  const { html, text, links } = await received(mailing({ html: body }));
  expect(links).toHaveLength(1_000);
  const firstHrefs = [...html.matchAll(/<a href="([^"]+)">\d+</g)].map(([, href]) => href);
  expect([firstHrefs[999], firstHrefs[1_000], firstHrefs[1_499], firstHrefs[1_500]]).toEqual([
    click(999),
    "https://example.com/1000",
    "https://example.com/1499",
    click(0),
  ]);
  expect(text).toContain("https://example.com/1499");
});
