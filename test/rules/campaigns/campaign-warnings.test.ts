import { describe, expect, test } from "bun:test";
import { campaignWarnings } from "#campaigns/check/warnings.ts";
import { expectedBytes } from "#mail/letter/letter-size.ts";
import { foreignMergeTagsIn, mergeTagsIn, namedTags } from "#mail/liquid/merge-tags.ts";
import { letterWarnings } from "#mail/problems/letter-warnings.ts";
import { mailing, received } from "../../support/sending/marketing-fixture.ts";

describe("merge tags people bring from other services are seen", () => {
  test.each([
    "{{ first_name }}",
    "{{contact.FIRSTNAME}}",
    '{{ user.name | default: "friend" }}',
    "{{ .Subscriber.FirstName }}",
    "{% if first_name %}",
    "*|FNAME|*",
    "*|MC:SUBJECT|*",
    "*|IF:FNAME|*",
    "%recipient.first_name%",
    "%recipient_email%",
    "%%First Name%%",
    "%FIRSTNAME%",
    "%UNSUBSCRIBELINK%",
    "{$name}",
    "{$unsubscribe|default}",
    "${first_name}",
    "{!firstname_fix}",
    "{contactfield=firstname}",
    "{first_name}",
    "{unsubscribe_url}",
    "[[firstname]]",
    "[Name,fallback=friend]",
    "[FIRST NAME]",
    "$[FNAME|there]$",
    "#recipient:name#",
    "<%= first_name %>",
    "%subscriber.firstname%",
    "{VORNAME}",
    "{ANREDE}",
    "{abmeldelink}",
    "{prenom}",
    "{unsub}",
    "{webversion}",
    "{unsubscription_url}",
    '{first_name, "there"}',
    "{subtag:name|ucfirst}",
    "[UNSUBSCRIBEURL]",
    "[Vorname]",
    "[webversion]",
    "[subscriber:firstname | default:reader]",
    "[link:subscription_unsubscribe_url]",
    "[%url:unsubscribe]",
    "[% member:first_name %]",
    "<unsubscribe>",
    "##FIRSTNAME##",
  ])("%p", (tag) => {
    expect(mergeTagsIn(`<p>Dear ${tag}, hello</p>`)).toEqual([tag]);
    expect(mergeTagsIn(`<a href="https://example.org/?who=${tag}">x</a>`)).toEqual([tag]);
  });

  test("each once, in their order", () => {
    expect(mergeTagsIn("*|A|* {{ b }} *|A|* {{ b }} {$c}")).toEqual(["*|A|*", "{{ b }}", "{$c}"]);
    expect(namedTags(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
    expect(foreignMergeTagsIn("*|A|* {{ b }} {% if c %} %recipient.d%")).toEqual(["*|A|*", "%recipient.d%"]);
  });

  test.each([
    "<p>100% wool, 50% off, 20%–30% less, 5% and 10% more</p>",
    '<a href="https://example.org/%E2%82%AC%20AB%C3%9F?q=100%25&x=%7B%7D">x</a>',
    "<style>@media(max-width:600px){.a{width:100%!important}.b{margin:0}}*|*{color:red}</style>",
    "<!--[if mso]><table><tr><td><![endif]--><!--[if !mso]><!-- --><!--<![endif]-->",
    "<p>[1] see {this} and [that], a $5 {sale}, {} and [[1]]</p>",
    "<p>array[i] = x ? {a} : {b}; #hashtag @you</p>",
    "<p>2 * 3 | 4 * 5</p>",
    "<style>.user:hover{color:red}a{user-select:none}</style><p>## Two ## of [nominated] {names}, an [emailed] offer</p>",
  ])("what is none is not: %s", (html) => {
    expect(mergeTagsIn(html)).toEqual([]);
  });

  test("in half a megabyte of anything, without trying one place again and again", () => {
    for (const filler of [
      "{{",
      "{{ a ",
      "*|a",
      "%%a",
      "%recipient.",
      "{$a",
      "[[a",
      "<%a",
      "#recipient:",
      "[a, fallback=",
      "{{a}}",
      "%A",
      "$[a",
      "{name",
      '{name,"',
      "{user:",
      "[link:",
      "[%a",
      "##a",
    ]) {
      const text = filler.repeat((512 * 1024) / filler.length);
      expect(mergeTagsIn(text).length).toBeLessThanOrEqual(1);
    }
  });
});

const LETTER = { subject: "News", preheader: "", body: "<p>Hello</p>", text: null, isLiquid: false };
const warnings = (letter: Partial<Omit<typeof LETTER, "text">> & { text?: string | null }, bytes = 1) =>
  campaignWarnings({ ...LETTER, ...letter, bytes });

describe("a campaign's letter", () => {
  test("that is as it should be has no warning", () => {
    expect(warnings({}, 102 * 1024)).toEqual([]);
  });

  test("that is personalized has no warning about its Liquid", () => {
    const letter = { subject: "Hi {{ contact.firstName }}", body: "<p>{{ name }}</p>", isLiquid: true };
    expect(warnings(letter)).toEqual([]);
  });

  test("is warned about for tags, in each part apart, and for what Gmail cuts off", () => {
    const letter = {
      subject: "Hi *|FNAME|*",
      preheader: "For [[name]]",
      body: "<p>{{ name }}</p>",
      text: "{{ a }} {{ b }} {{ c }} {{ d }} {{ e }} {{ f }}",
    };
    expect(warnings(letter, 102 * 1024 + 1)).toEqual([
      expect.stringContaining("The subject holds what looks like merge tags: *|FNAME|*."),
      expect.stringContaining("The preheader holds what looks like merge tags: [[name]]."),
      expect.stringContaining("The body holds what looks like merge tags: {{ name }}."),
      expect.stringContaining(
        "The text part holds what looks like merge tags: {{ a }}, {{ b }}, {{ c }}, {{ d }}, {{ e }} and 1 more.",
      ),
      expect.stringContaining("103 KB"),
    ]);
  });

  test.each([true, false])("is warned about where its preview is: personalize %p", (isLiquid) => {
    for (const part of ["subject", "preheader", "body", "text"] as const)
      for (const tag of ["*|FNAME|*", "%recipient.name%", "{{ first_name }}", "none"]) {
        const letter = { [part]: `Dear ${tag}, https://example.org`, isLiquid };
        const inPreview = letterWarnings({ ...LETTER, format: "html", ...letter });
        expect([part, tag, warnings(letter).length]).toEqual([part, tag, inPreview.length]);
      }
  });

  const link = (index: number) =>
    `<p><a class=x href = 'https://example.org/${"long/".repeat(index % 40)}'>go</a></p>\n`;
  test.each([
    ["short", "<p>Hello</p>".repeat(400)],
    ["of many links", Array.from({ length: 800 }, (_, index) => link(index)).join("")],
    ["of many equal links", link(3).repeat(800)],
    ["of another script", `<p>${"Здравствуйте ".repeat(5_000)}</p>`],
  ])("is measured without being compiled, to a few bytes: %s", async (_, html) => {
    for (const change of [{}, { trackClicks: false }, { trackOpens: false }]) {
      const source = mailing({ html, ...change });
      const bytes = Buffer.byteLength((await received(source)).html);
      expect(Math.abs(expectedBytes(source) - bytes)).toBeLessThan(16);
    }
  });
});
