import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { htmlAsText, textAlternative } from "#mail/html/text-alternative.ts";

const textOf = (html: string): string => htmlAsText(html).trimEnd();
const linesOf = (html: string): string[] => textOf(html).split("\n");
const blankShare = (lines: readonly string[]): number =>
  lines.filter((line) => line.trim() === "").length / lines.length;

describe("An address ends where it ends", () => {
  const image = '<a href="https://e.org/0"><img src="a.png"></a>';
  const described = '<a href="https://e.org/0"><img src="a.png" alt="Logo"></a>';
  test.each([
    [`${image}Buy`, "https://e.org/0 Buy"],
    [`${image}${image}`, "https://e.org/0 https://e.org/0"],
    [`Buy${image}`, "Buy https://e.org/0"],
    [`${image}<a href="https://e.org/1">Buy</a>`, "https://e.org/0 Buy [https://e.org/1]"],
    [`${described}${described}`, "Logo [https://e.org/0] Logo [https://e.org/0]"],
    ['See <a href="https://e.org/0">here</a>now', "See here [https://e.org/0] now"],
    ['See <a href="https://e.org/0">here</a>/now', "See here [https://e.org/0] /now"],
    ['See <a href="https://e.org/0">here</a>.', "See here [https://e.org/0]."],
    ['See <a href="https://e.org/0">here</a>.Then', "See here [https://e.org/0] .Then"],
    ['See (<a href="https://e.org/0">here</a>), then', "See (here [https://e.org/0]), then"],
    [`(${image})`, "(https://e.org/0)"],
    ['Siehe „<a href="https://e.org/0">hier</a>“, dann', "Siehe „hier [https://e.org/0]“, dann"],
    [`Siehe „${image}“ und »${image}«.`, "Siehe „https://e.org/0“ und »https://e.org/0«."],
    ['See <a href="https://e.org/0">here</a>“now”', "See here [https://e.org/0] “now”"],
    ['请看<a href="https://e.org/0">这里</a>。谢谢', "请看这里 [https://e.org/0]。谢谢"],
    ['<a href="https://e.org/0">https://e.org/0</a>Buy', "https://e.org/0 Buy"],
    ['<b><a href="https://e.org/0">go</a></b><i>on</i>', "go [https://e.org/0] on"],
    [`<table><tr><td>${image}</td><td>Buy</td></tr></table>`, "https://e.org/0 Buy"],
    ['<a href="#top">Up</a>now', "Upnow"],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

test("An element that nobody knows is its content, also if JavaScript knows the name", () => {
  for (const name of ["x-card", "constructor", "Constructor"])
    expect(textOf(`<p>Map<${name} a="1">of <a href="https://e.org/0">keys</a></${name}> here</p>`)).toBe(
      "Mapof keys [https://e.org/0] here",
    );
});

describe("A picture without words that leads where words lead is not told twice", () => {
  const picture = (at: number) => `<a href="https://e.org/${at}"><img src="a.png" alt=""></a>`;
  const words = (at: number) => `<h2><a href="https://e.org/${at}">Shoes</a></h2>`;
  test.each([
    [`${picture(0)}${words(0)}`, "Shoes [https://e.org/0]"],
    [`${words(0)}<p>of leather</p>${picture(0)}`, "Shoes [https://e.org/0]\n\nof leather"],
    [`${picture(1)}${words(0)}`, "https://e.org/1\n\nShoes [https://e.org/0]"],
    [`<p>${picture(0)}</p><p>${picture(0)}</p>`, "https://e.org/0\n\nhttps://e.org/0"],
    [
      `${words(0)}<a href="https://e.org/0">https://e.org/0</a>`,
      "Shoes [https://e.org/0]\n\nhttps://e.org/0",
    ],
    [
      `${words(0)}<map><area href="https://e.org/0"><area href="https://e.org/1"></map>`,
      "Shoes [https://e.org/0]\n\nhttps://e.org/1",
    ],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

test("What stands in a CDATA section is in the text: browsers show it too", () => {
  expect(textOf("<p>a</p><![CDATA[<p>b</p>]]><p>c</p>")).toBe("a\n\nb\n\n]]>\n\nc");
});

describe("What the page hides is not in its text", () => {
  const shown = '<p><a href="https://e.org/0">Shoes</a></p>';
  test.each([
    ['<div style="display:none;max-height:0">For the inbox</div><p>Hello</p>', "Hello"],
    ['<div style="font-size:1px; Display: None !important">For the inbox</div><p>Hello</p>', "Hello"],
    ["<p hidden>Not yet</p><p>Hello</p>", "Hello"],
    ['<img src="a.png" alt="Light"><img src="b.png" alt="Dark" style="display:none">', "Light"],
    ["<p>Hello<span style='display:none'> you</span>, Ada</p>", "Hello, Ada"],
    ['<table><tr><td style="display:none">1</td><td>2</td></tr></table>', "2"],
    [
      `${shown}<div style="display:none;mso-hide:all"><b>Phones:</b> <a href="https://e.org/0">Shoes</a></div>`,
      "Shoes [https://e.org/0]",
    ],
    [
      `<div style="display:none"><a href="https://e.org/0">Shoes</a></div>${shown}`,
      "Shoes [https://e.org/0]",
    ],
    [
      '<a href="https://e.org/0" style="display:none">Shoes</a><a href="https://e.org/0">x</a>',
      "x [https://e.org/0]",
    ],
    ['<p>a</p><div style="display:none"><a href="#top">Up</a><a href="javascript:x()">y</a></div>', "a"],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test.each([
    [
      `${shown}<div style="display:none"><img alt="Hats" src="h.png"> <a href="https://e.org/1">Buy</a></div>`,
      "Shoes [https://e.org/0]\n\nHats Buy [https://e.org/1]",
    ],
    ['<p>a</p><a hidden href="https://e.org/1">Hats</a>', "a\n\nHats [https://e.org/1]"],
    [
      '<p>a</p><div style="display:none">Map <map><area href="https://e.org/1" alt="Hats"></map></div>',
      "a\n\nMap\nHats [https://e.org/1]",
    ],
    ['<td style="display:none">a</td><p>b</p>', "a\n\nb"],
  ])("but a link that stands nowhere else is, and what browsers show all the same: %s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test("in a letter of MJML: the preview text, and the signs of a menu, an accordion and a carousel", async () => {
    const picture = (name: string, link = "") =>
      `<mj-carousel-image src="https://e.org/${name}" alt="${name}"${link} />`;
    const mjml = `<mjml><mj-head><mj-preview>For the inbox</mj-preview></mj-head><mj-body><mj-section><mj-column>
      <mj-navbar hamburger="hamburger"><mj-navbar-link href="https://e.org/0">One</mj-navbar-link></mj-navbar>
      <mj-accordion><mj-accordion-element><mj-accordion-title>Why</mj-accordion-title>
        <mj-accordion-text>So</mj-accordion-text></mj-accordion-element></mj-accordion>
      <mj-carousel thumbnails="hidden">${picture("A")}${picture("B", ' href="https://e.org/b"')}</mj-carousel>
      </mj-column></mj-section></mj-body></mjml>`;
    const html = unwrap(await compileMjml(mjml, "https://mail.example.org"));
    expect(textOf(html).split(/\s+/)).toEqual([
      "One",
      "[https://e.org/0]",
      "Why",
      "So",
      "A",
      "B",
      "[https://e.org/b]",
    ]);
  });
});

describe("The parts of an image map are links", () => {
  const map = (...areas: string[]): string =>
    `<img src="a.png" alt="Sale" usemap="#m"><map name="m">${areas.join("")}</map><p>on</p>`;
  test.each([
    [
      map(
        '<area href="https://e.org/0" alt="Shoes" coords="0,0,9,9">',
        '<area href="https://e.org/1" alt="Hats">',
      ),
      "Sale\nShoes [https://e.org/0]\nHats [https://e.org/1]\n\non",
    ],
    [
      map('<area alt="" href=" https://e.org/0 ">', '<area href="mailto:ada@e.org">'),
      "Sale\nhttps://e.org/0\nada@e.org\n\non",
    ],
    [
      map('<area nohref alt="">', '<area href="#top" alt="Up">', '<area href="javascript:x()">'),
      "Sale\n\non",
    ],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe("An address is read as browsers read it", () => {
  test.each([
    ['<a href="\n  https://e.org/a\n/b\t ">Buy</a>', "Buy [https://e.org/a/b]"],
    ['<a href="\r\nhttps://e.org/\r\n"><img src="a.png"></a>', "https://e.org/"],
    ['<a href=" https://e.org/ ">https://e.org/</a>', "https://e.org/"],
    ['<a href="MAILTO:ada@e.org">Write</a>', "Write [ada@e.org]"],
    ['<a href=" mailto:ada@e.org">ada@e.org</a>', "ada@e.org"],
    ['<a href=" #top">Up</a>now', "Upnow"],
    ['<a href="  ">Here</a>', "Here"],
    ['<a href="javascript:void(0)">Menu</a>', "Menu"],
    ['<a href=" JAVA\nScript:alert(1)">Menu</a>', "Menu"],
    ['<a href="javascript:void(0)"><img src="a.png"></a>Buy', "Buy"],
    ['<a href="https://e.org/javascript:1">x</a>', "x [https://e.org/javascript:1]"],
    ['<a href="https://e.org/My new file.pdf">Read</a>', "Read [https://e.org/My%20new%20file.pdf]"],
    ['<a href="HTTP://e.org/?q=a b#c d">x</a>', "x [HTTP://e.org/?q=a%20b#c%20d]"],
    [
      `<a href="https://e.org/${"long name ".repeat(9)}">x</a>`,
      `x\n[https://e.org/${"long%20name%20".repeat(8)}long%20name]`,
    ],
    ['<a href="tel:+49 30 1">Call</a>', "Call [tel:+49 30 1]"],
  ])("%j", (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe("What stands apart on the page stands apart in the text", () => {
  test.each(
    "address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h3 header hgroup legend li main nav p pre section summary table".split(
      " ",
    ),
  )("<%s>", (name) => {
    const [open, close] =
      name === "table" ? ["<table><tr><td>", "</td></tr></table>"] : [`<${name}>`, `</${name}>`];
    const lines = linesOf(`<div>above</div>${open}one${close}${open}two${close}<div>below</div>`).map(
      (line) => line.replace(/^[\s>*]+/, ""),
    );
    expect(lines.filter((line) => line !== "")).toEqual(["above", "one", "two", "below"]);
  });

  test.each([
    ['<span style="display:block">one</span><span style="color:red; display: block">two</span>', "one\ntwo"],
    ["<button>one</button><button>two</button>", "one two"],
    ["<table><caption>cap</caption><tr><td>one</td></tr></table>", "cap\none"],
    ["one<hr>two", `one\n\n${"-".repeat(74)}\n\ntwo`],
    ["<b>o</b>ne <i>tw</i>o", "one two"],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

/** What builders write behind the first words, so that an inbox shows nothing of the letter there. */
const PADDING = [
  "&nbsp;&zwnj;".repeat(80),
  "&#847; ".repeat(80),
  "&#847;&zwnj;&nbsp;&#8199;&shy; ".repeat(40),
  "&#8203;".repeat(100),
  "&#xFEFF;&nbsp;".repeat(50),
  "&shy;&#8199;&#847; ".repeat(60),
  "&nbsp;".repeat(150),
  "&#8202;&#8202;".repeat(90),
  "\u00A0\u200C".repeat(80),
  "&#x2800;&#x3164; ".repeat(40),
];

describe("Filler that no reader sees is not in the text", () => {
  test.each(PADDING)("padding of a preheader: %.40s", (padding) => {
    const hidden = "max-height:0;opacity:0;overflow:hidden;mso-hide:all";
    const html = `<body><div style="${hidden}">Our news ${padding}</div><div style="${hidden}">${padding}</div><p>Hello</p></body>`;
    expect(textOf(html)).toBe("Our news\n\nHello");
  });

  test.each([
    ["<p>Donau&shy;dampf&shy;schiff</p>", "Donaudampfschiff"],
    ["<p>a&#8203;b &#8203; c</p>", "ab c"],
    ["<p>&#65279;Hello</p>", "Hello"],
    ["<p>one &nbsp;&nbsp;|&nbsp;&nbsp; two</p>", "one | two"],
  ])("%s", (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test.each([
    ["a joiner inside a Persian word", "می\u200Cخواهم"],
    ["a family", "👨\u200D👩\u200D👧 and a ❤\uFE0F"],
    ["a mark of direction", "שלום!\u200F עולם"],
    ["a price", "10\u00A0€ or 1\u202F000\u00A0€"],
  ])("but what belongs to the words is: %s", (_, text) => {
    expect(textOf(`<p>${text}</p>`)).toBe(text);
  });

  test("and preformatted text keeps its spaces", () => {
    expect(textOf("<pre>a   b\n  c     d</pre>")).toBe("a   b\n  c     d");
  });
});

describe("No blank lines run together", () => {
  const spacer = '<tr><td height="20" style="font-size:0;line-height:0">&nbsp;</td></tr>';
  const row = (text: string) =>
    `<tr><td><table width="100%"><tr><td align="center"><table><tr><td>${text}</td></tr></table></td></tr></table></td></tr>`;
  const newsletter = `<html><body><div style="display:none">News ${PADDING[0]!}</div><center><table><tr><td><table>
    ${row('<a href="https://e.org/"><img src="logo.png"></a>')}${spacer}${spacer}
    ${row("<h1>News of November</h1>")}${spacer}${row("<p>Dear reader,</p><p>&nbsp;</p><p><br></p><p>it snows.</p>")}
    ${spacer}${row('<img src="a.png" width="600"><br><br><br>')}${row('<a href="https://e.org/buy">Buy</a>')}
    ${spacer}${row("<div></div><div>&#8203;</div>")}${row("Bye<br><br><br><br>Ada")}</table></td></tr></table></center></body></html>`;

  test("in a newsletter of nested tables and spacers", () => {
    const lines = linesOf(newsletter);
    expect(lines.filter((line) => line !== "")).toEqual([
      "https://e.org/",
      "News of November",
      "Dear reader,",
      "it snows.",
      "Buy [https://e.org/buy]",
      "Bye",
      "Ada",
    ]);
    for (const [index, line] of lines.entries()) expect(line === "" && lines[index + 1] === "").toBe(false);
    expect(blankShare(lines)).toBeLessThan(0.5);
  });

  test("nor in a quotation", () => {
    expect(textOf("<blockquote><p>one</p><p>&nbsp;</p><p></p><br><br><p>two</p></blockquote>")).toBe(
      "> one\n>\n> two",
    );
  });

  test("nor before the footer", () => {
    expect(textAlternative("<p>Hello</p><p>&nbsp;</p><table><tr><td></td></tr></table>", "Footer")).toBe(
      `Hello\n\n${"-".repeat(74)}\nFooter\n`,
    );
    expect(textAlternative(`<div>${PADDING[0]!}</div>`, "Footer")).toBe("Footer\n");
  });
});

describe("Lines are wrapped", () => {
  const words = "twelve words of an engine that weaves algebraical patterns as looms do ".repeat(4);
  test.each([
    ["a paragraph", `<p>${words}</p>`, /^\S/],
    ["a list", `<ul><li>${words}</li></ul>`, /^ (?:\*| ) \S/],
    ["a quotation", `<blockquote><p>${words}</p></blockquote>`, /^> \S/],
  ])("within 74 columns, below their own text: %s", (_, html, shape) => {
    const lines = linesOf(html);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(74);
      expect(line).toMatch(shape);
    }
  });

  test("and an address that just fits is not moved to the next", () => {
    const address = "https://e.org/0123456789";
    const before = "x".repeat(74 - ` y [${address}]`.length);
    expect(textOf(`<p>${before} <a href="${address}">y</a> on</p>`)).toBe(`${before} y [${address}]\non`);
  });
});
