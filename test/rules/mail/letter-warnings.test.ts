import { describe, expect, test } from "bun:test";
import { linkProblem } from "#mail/problems/link-target.ts";
import { letterWarnings, type WrittenLetter } from "#mail/problems/letter-warnings.ts";
import { sizeProblems } from "#mail/problems/size-problems.ts";
import { costMs } from "../../support/common/cpu-time.ts";

const LETTER: WrittenLetter = {
  subject: "News",
  preheader: "",
  body: '<p>Hello</p><img src="https://example.org/x.png" alt="A cat"><a href="https://example.org/">Look</a>',
  format: "html",
  text: null,
  isLiquid: false,
};
/** `line:column message` of every warning. Only the body has places: the editor leads to them in its source. */
const warnings = (letter: Partial<WrittenLetter>): string[] =>
  letterWarnings({ ...LETTER, ...letter }).map(({ severity, message, line, column }) => {
    expect(severity).toBe("warning");
    return `${line}:${column} ${message}`;
  });

test("an ordinary letter has none", () => {
  expect(warnings({})).toEqual([]);
  expect(warnings({ isLiquid: true, subject: "For {{ contact.firstName }}" })).toEqual([]);
});

describe("a link", () => {
  test.each([
    "https://example.org",
    "HTTP://example.org/path",
    "https://example.org:8080/?q=%20#x",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "mailto:ada@example.org",
    "tel:+44123456",
    "sms:123",
    "whatsapp://send?text=x",
    "#top",
    "\n https://example.org\t",
    "*|ARCHIVE|*",
  ])("to %s is fine", (href) => {
    expect(linkProblem(href)).toBeNull();
  });

  test.each([
    ["", "no address"],
    ["example.org", "no scheme"],
    ["www.example.org/path", "no scheme"],
    ["/path", "no scheme"],
    ["path.html", "no scheme"],
    ["//example.org/x", "no scheme"],
    ["example.org:8080/x", "no scheme"],
    ["localhost:3000", "no scheme"],
    ["?q=1", "no scheme"],
    ["http://localhost/", "private"],
    ["https://app.localhost", "private"],
    ["http://127.0.0.1:8080/", "private"],
    ["http://0x7f.1/", "private"],
    ["http://2130706433/", "private"],
    ["http://10.1.2.3", "private"],
    ["http://172.31.0.1", "private"],
    ["http://192.168.1.1", "private"],
    ["http://169.254.169.254/", "private"],
    ["http://100.64.0.1/", "private"],
    ["http://[::1]/", "private"],
    ["http://[fd00::1]/", "private"],
    ["http://[::ffff:10.0.0.1]/", "private"],
    ["http://intranet/", "private"],
    ["http://printer.local/", "private"],
    ["http://wiki.corp./", "private"],
    ["https://", "no address that a browser"],
    ["http://exa mple.org", "no address that a browser"],
  ])("to %p is not: %s", (href, words) => {
    expect(linkProblem(href)).toContain(words);
  });
});

describe("what is in the source has its place in it", () => {
  test("images without alt, and links", () => {
    const body =
      '<p>\r\n\u{1F600}<img src="https://a.example">\n  <a\n href=example.org>x</a></p><img alt src=https://b.example>\n<area href="/x">';
    expect(warnings({ body })).toEqual([
      expect.stringMatching(/^2:3 An image has no `alt`/),
      expect.stringMatching(/^4:2 The link to "example.org" has no scheme/),
      expect.stringMatching(/^5:7 The link to "\/x" has no scheme/),
    ]);
  });

  test("images that nobody chose: their address is empty, or there is none", () => {
    const mjml =
      '<mjml><mj-body><mj-section><mj-column>\n<mj-image src="" alt="" />\n<mj-image alt="" />\n' +
      '<mj-image src="{{ contact.attributes.photo }}" alt="" /></mj-column></mj-section></mj-body></mjml>';
    expect(warnings({ body: mjml, format: "mjml", isLiquid: true })).toEqual([
      expect.stringMatching(/^2:11 An image has no address/),
      expect.stringMatching(/^3:1 An image has no address/),
    ]);
    const html =
      '<img src=" \n" alt="x"><a href="https://example.org"><img alt></a><img src="https://a.example" alt="">';
    expect(warnings({ body: html })).toEqual([
      expect.stringMatching(/^1:6 An image has no address/),
      expect.stringMatching(/An image has no address/),
    ]);
  });

  test("names that nothing fills in, of other services and misspelt, where it is known which are filled in", () => {
    const names = { contact: ["email", "firstName", "attributes"], unsubscribeUrl: [] };
    const body =
      '<p>{{ contact.FIRSTNAME }} {{ contact.email }}</p>\n<a href="{{ unsubscribe_url }}">x</a>{{ .Subscriber.Plan }}' +
      "{% for one in contact.attributes.plans %}{{ one }}{% endfor %}{{ contact.firstName | default: nick }}";
    const letter = { subject: "{{ first_name }}", body, isLiquid: true };
    const known = "Letters know contact.email, contact.firstName, contact.attributes, unsubscribeUrl.";
    expect(warnings({ ...letter, names })).toEqual([
      "null:null Nothing is filled in for `first_name` in the subject: there is no such name. Did you mean contact.firstName?",
      "1:7 Nothing is filled in for `contact.FIRSTNAME` in the body: there is no such name. Did you mean contact.firstName?",
      "2:13 Nothing is filled in for `unsubscribe_url` in the body: there is no such name. Did you mean unsubscribeUrl?",
      `2:41 Nothing is filled in for \`.Subscriber.Plan\` in the body: there is no such name. ${known}`,
      `2:154 Nothing is filled in for \`nick\` in the body: there is no such name. ${known}`,
    ]);
    expect(warnings(letter)).toEqual([]);
  });

  test.each([
    "{% for t in contact.tags %}{% if t != last %}{{ t }}{% endif %}{% assign last = t %}{% endfor %}",
    "{% for t in contact.tags limit: 2 %}{{ t }}{% endfor %}{% for t in contact.tags offset: continue %}{{ t }}{% endfor %}",
  ])("no name that an earlier turn of a loop or an earlier loop fills in: %s", (body) => {
    expect(warnings({ body, isLiquid: true, names: { contact: ["tags"] } })).toEqual([]);
  });

  test.each([
    "images/logo.png",
    "/logo.png",
    "logo.png",
    "//cdn.example.org/a.png",
    "cid:logo",
    "file:///C:/a.png",
    "C:\\a.png",
    "blob:https://example.org/1",
  ])("images that no mail program can load: %s", (src) => {
    const cannot = (place: string) =>
      `${place} Mail programs cannot load the image "${src}": readers see an empty frame. Upload it, and write the address that it has then, with https://.`;
    expect(warnings({ body: `<img src="${src}" alt="">` })).toEqual([cannot("1:6")]);
    expect(warnings({ body: `<table><td background="${src}">x</td></table>` })).toEqual([cannot("1:12")]);
    const column = `<mj-column><mj-image src="${src}" alt="" /></mj-column>`;
    const body = `<mjml><mj-body>\n<mj-section background-url="${src}">\n${column}</mj-section></mj-body></mjml>`;
    expect(warnings({ body, format: "mjml" })).toEqual([cannot("2:13"), cannot("3:22")]);
  });

  test("no color, and no word, where an image may stand behind something", () => {
    for (const color of ["#fff", "none", "white", "transparent"])
      expect(warnings({ body: `<table><td background="${color}">x</td></table>` })).toEqual([]);
  });

  test("images that stand in the letter itself", () => {
    expect(warnings({ body: '<img src="data:image/png;base64,AAAA" alt="">' })).toEqual([
      "1:6 An image stands in the letter itself (`data:`): Gmail and Outlook show an empty frame. Upload it, and write the address that it has then.",
    ]);
  });

  test("no image whose address is whole, or not known yet", () => {
    const body =
      '<img src="HTTPS://example.org/a" alt=""><img src="http://localhost/media/a.png" alt="">' +
      '<img src="{{ contact.attributes.photo }}" alt=""><img src="*|PHOTO|*" alt="">';
    expect(warnings({ body, isLiquid: true }).filter((text) => !text.includes("merge tag"))).toEqual([]);
  });

  test("no image that says what all others have, nor one that has its address from there", () => {
    const letter = (defaults: string, image: string): string =>
      `<mjml><mj-head><mj-attributes>${defaults}</mj-attributes></mj-head><mj-body><mj-section><mj-column>\n${image}</mj-column></mj-section></mj-body></mjml>`;
    const warningsOf = (defaults: string, image: string) =>
      warnings({ body: letter(defaults, image), format: "mjml" });
    const [logo, pattern] = [
      'src="https://example.org/logo.png"',
      expect.stringMatching(/^2:1 An image has no address/),
    ];
    expect(warningsOf('<mj-image padding="0" />', `<mj-image ${logo} alt="" />`)).toEqual([]);
    expect(warningsOf(`<mj-image ${logo} />`, '<mj-image alt="" />')).toEqual([]);
    expect(warningsOf(`<mj-class name="logo" ${logo} />`, '<mj-image mj-class="logo" alt="" />')).toEqual([]);
    expect(warningsOf(`<mj-class name="logo" ${logo} />`, '<mj-image alt="" />')).toEqual([pattern]);
    expect(warningsOf('<mj-image padding="0" />', '<mj-image alt="" />')).toEqual([pattern]);
  });

  test("only what is markup: no comments, styles, scripts, titles and texts", () => {
    const hidden = '<img><a href="x">';
    const body = `<title>${hidden}</title><style>${hidden}</style><script>"${hidden}"</script><!-- ${hidden} --><textarea>${hidden}</textarea><link href="x"><p title="<img>">`;
    expect(warnings({ body })).toEqual([]);
  });

  test("MJML's own elements too, also those that close themselves", () => {
    const body =
      '<mjml><mj-body><mj-section><mj-column>\n<mj-image src="https://a.example" />\n<mj-image src="https://a.example" alt="" href="x" />\n' +
      '<mj-button href="http://10.0.0.1">x</mj-button><mj-text><a href="y">y</a></mj-text></mj-column></mj-section></mj-body></mjml>';
    expect(warnings({ body, format: "mjml" })).toEqual([
      expect.stringMatching(/^2:1 An image has no `alt`/),
      expect.stringMatching(/^3:42 The link to "x" has no scheme/),
      expect.stringMatching(/^4:12 The link to "http:\/\/10.0.0.1" leads to a private address/),
      expect.stringMatching(/^4:60 The link to "y" has no scheme/),
    ]);
  });

  test("links of an MJML navbar, with the address that the compiler puts before them", () => {
    const bar = (base: string): string =>
      `<mj-navbar${base}><mj-navbar-link href="/news">x</mj-navbar-link></mj-navbar>`;
    const body = [' base-url="https://example.org"', ' base-url="http://10.0.0.1"', ""].map(bar).join("\n");
    expect(warnings({ body, format: "mjml" })).toEqual([
      expect.stringMatching(/^2:\d+ The link to "http:\/\/10.0.0.1\/news" leads to a private address/),
      expect.stringMatching(/^3:\d+ The link to "\/news" has no scheme/),
    ]);
  });

  test("what mj-attributes says of elements counts, and is no element itself", () => {
    const head =
      '<mj-head><mj-attributes><mj-image padding="0" /><mj-navbar base-url="https://example.org" />' +
      '<mj-class name="logo" src="https://a.example" alt="A"></mj-class></mj-attributes></mj-head>';
    const body = '<mj-image mj-class="logo" />\n<mj-navbar><mj-navbar-link href="/news" /></mj-navbar>\n';
    expect(warnings({ body: `${head}${body}`, format: "mjml" })).toEqual([]);
    const others = '<mj-image mj-class="other" alt="" />\n<img src="https://a.example">';
    expect(warnings({ body: `${head}${body}${others}`, format: "mjml" })).toEqual([
      expect.stringMatching(/^3:1 An image has no address/),
      expect.stringMatching(/^4:1 An image has no `alt`/),
    ]);
  });

  test("merge tags while nothing is filled in, each once", () => {
    const body = "<p>Dear {{ name }},\n*|FNAME|* {{ name }}</p>";
    expect(
      warnings({
        subject: "Hi %recipient.name%",
        preheader: "[[name]]",
        body,
        text: "https://x.org {{ a }}",
      }),
    ).toEqual([
      expect.stringMatching(/^null:null .*in the subject: %recipient.name%.*`personalize` is off/),
      expect.stringMatching(/^null:null .*in the preheader: \[\[name\]\]/),
      expect.stringMatching(/^1:9 .*in the body: \{\{ name \}\}/),
      expect.stringMatching(/^2:1 .*in the body: \*\|FNAME\|\*/),
      expect.stringMatching(/^null:null .*in the text part: \{\{ a \}\}/),
    ]);
  });

  test("with Liquid only those of others; and what Liquid makes is not judged", () => {
    const body =
      '{% if contact.email contains "<img>" %}<a href="{{ contact.attributes.site }}">x</a>\n' +
      '<img src="{{ a }}" {% if b %}alt="x"{% endif %}><a href="https://{{ c }}/x">\n' +
      '{% comment %}<img>{% endcomment %}<a href="/{{ d }}">x</a>*|FNAME|*{% endif %}';
    expect(warnings({ body, isLiquid: true })).toEqual([
      expect.stringMatching(/^3:38 The link to "\/…" has no scheme/),
      expect.stringMatching(/^3:\d+ .*another service .*: \*\|FNAME\|\*/),
    ]);
  });

  test("a subject of more than 150 characters, without what Liquid fills in", () => {
    expect(warnings({ subject: "\u{1F600}".repeat(150) })).toEqual([]);
    expect(warnings({ subject: "\u{1F600}".repeat(151) })).toEqual([
      expect.stringMatching(/^null:null The subject has 151 characters/),
    ]);
    const subject = `{{ contact.attributes.${"x".repeat(150)} }}${"y".repeat(100)}`;
    expect(warnings({ subject, isLiquid: true })).toEqual([]);
  });

  test("a text part without a link, where its author wrote one", () => {
    const none = "null:null The text part has no link: who reads only text cannot go where the HTML leads.";
    expect(warnings({ text: "Hello" })).toEqual([none]);
    expect(warnings({ text: "Hello {{ name }}", isLiquid: true })).toEqual([none]);
    for (const text of ["See https://example.org", "mailto:ada@example.org"])
      expect(warnings({ text })).toEqual([]);
    for (const text of ["Leave: {{ unsubscribeUrl }}", "{{{ link }}}", "{{ a {{ site_url | default: '' }}"])
      expect(warnings({ text, isLiquid: true })).toEqual([]);
    expect(warnings({ text: "{{ link } }}", isLiquid: true })).toEqual([none]);
  });

  test("a text part of nothing but values without an end is read in linear time", async () => {
    const text = "{{url".repeat(2_000);
    expect(await costMs(() => warnings({ text, isLiquid: true }))).toBeLessThan(400);
  });
});

test("a letter that Gmail cuts off is said so, by its size as it is sent", () => {
  expect(sizeProblems(102 * 1024)).toEqual([]);
  expect(sizeProblems(102 * 1024 + 1)).toEqual([
    { severity: "warning", message: expect.stringContaining("103 KB"), line: null, column: null },
  ]);
});

test("a hostile letter has at most a hundred warnings, each with its place", () => {
  for (const piece of [
    "<img>",
    "<a href=x>",
    "\n<img/",
    "{{",
    "<a href='{{'>",
    "<!--",
    "<",
    "{% comment %}",
  ]) {
    const body = piece.repeat(Math.floor(100_000 / piece.length));
    for (const isLiquid of [true, false])
      expect(warnings({ body, isLiquid }).length).toBeLessThanOrEqual(100);
  }
});
