/** A value in a tag, outside quotes, stays one attribute's value or part of one name, whatever it holds. */
import { describe, expect, test } from "bun:test";
import { parseFragment } from "parse5";
import { unwrap } from "#core/errors/errors.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";
import { unquotedPlaces } from "#mail/liquid/unquoted-places.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";

const VALUES = [
  "plain",
  "",
  " ",
  "https://example.com/a b onmouseover=alert(1)",
  "a\tb=c\nd\fe\rf",
  `"'><script>`,
  "x/",
];

type Attributes = Record<string, string>;

const filled = (source: string, scope: Record<string, unknown>): string =>
  unwrap(unwrap(parseLiquid(source, "html")).render(scope));

/** The attributes of the first element that a browser makes of a template. */
function attributesOf(source: string, scope: Record<string, unknown>): Attributes {
  const [element] = parseFragment(filled(source, scope)).childNodes;
  if (element === undefined || !("attrs" in element)) throw new Error("no element");
  return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
}

describe.each(VALUES)("the value %j", (value) => {
  const cases: [string, Attributes][] = [
    ["<a href={{ v }} class=x>", { href: value, class: "x" }],
    ["<a class=x href={{ v }}>", { href: value, class: "x" }],
    ["<a href = {{ v }} class=x>", { href: value, class: "x" }],
    ["<a href=\n{{ v }}\nclass=x>", { href: value, class: "x" }],
    ["<a href={{- v -}}>", { href: value }],
    [`<a title="a > b" href={{ v }} class='x'>`, { title: "a > b", href: value, class: "x" }],
    ["<a href=https://example.com/?a={{ v }}&b={{ v }} class=x>", both(value)],
    ["<a href=x{% if v %}{{ v }}{% endif %} class=x>", { href: `x${value}`, class: "x" }],
    ["<a{% if true %} class=x{% endif %} href=x{{ v }}>", { href: `x${value}`, class: "x" }],
    ["<a href=x{{ v | append: ' ' }}y class=x>", { href: `x${value} y`, class: "x" }],
    ["<a href={% if true %}x{{ v }}{% endif %} class=x>", { href: `x${value}`, class: "x" }],
    ["{% capture c %}{{ v }}{% endcapture %}<a href={{ c }} class=x>", { href: value, class: "x" }],
    [
      `{% capture c %}"{{ v }}"{% endcapture %}<a href={{ c }} class=x>`,
      { href: inQuotes(value), class: "x" },
    ],
    [
      "{% capture c %}x{{ v }} id=y{{ v }}{% endcapture %}<a href={{ c }}>",
      { href: `x${value}`, id: `y${value}` },
    ],
    [`{% capture c %}title="{{ v }}" href=x{{ v }}{% endcapture %}<a {{ c }}>`, captured(value)],
    ["<a href={% if true %}{{ v }}{% endif %} class=x>", { href: value, class: "x" }],
    ["<a href= {% if true %} {{ v }}{% endif %} class=x>", { href: value, class: "x" }],
    ["<a href={% echo v %} class=x>", { href: value, class: "x" }],
    ["<a href=x{% liquid\n assign w = v\n echo w\n%} class=x>", { href: `x${value}`, class: "x" }],
    ["<a href={{ v\n | default: v\n}} class=x>", { href: value, class: "x" }],
    ["<a href={% if\n true %}{{ v }}{% endif %} class=x>", { href: value, class: "x" }],
    [`<a title="{% echo v %}" class=x>`, { title: inQuotes(value), class: "x" }],
  ];

  test.each(cases)("%s", (source, attributes) => {
    expect(attributesOf(source, { v: value })).toEqual(attributes);
  });

  test.each([`<a href="{{ v }}">`, "<a href='{{ v }}'>"])("%s is as it was: quotes keep it", (source) => {
    expect(attributesOf(source, { v: value })).toEqual({ href: inQuotes(value) });
    expect(filled(source, { v: "a b" })).toBe(source.replace("{{ v }}", "a b"));
  });
});

/** A browser makes one line end of each that is not written as a reference. */
const inQuotes = (value: string): string => value.replace(/\r\n?/g, "\n");

const captured = (value: string): Attributes => ({ title: inQuotes(value), href: `x${value}` });

describe.each(["plain", "", " ", "a b=c", "x onmouseover=alert(1)", "/x=y", `"'><script>`])(
  "the value %j in a name makes no further attribute",
  (value) => {
    test.each([
      ["<p {{ v }} class=x>", { class: "x" }],
      ["<p class=x {{ v }}>", { class: "x" }],
      ["<p data-{{ v }} class=x>", { class: "x" }],
      [`<p title="y"{{ v }} class=x>`, { title: "y", class: "x" }],
      ["<p class=x{% if true %} {{ v }}{% endif %}>", { class: "x" }],
      ["<p class=x {% echo v %}>", { class: "x" }],
      ["<p {% liquid\n echo v\n%} class=x>", { class: "x" }],
      ["{% capture c %}{{ v }} class=x{% endcapture %}<p {{ c }}>", { class: "x" }],
      ["<p{{ v }} class=x>", { class: "x" }],
    ])("%s", (source, attributes) => {
      const found = Object.entries(attributesOf(source, { v: value }));
      expect(Object.fromEntries(found.filter(([, of]) => of !== ""))).toEqual(attributes);
      expect(found.length).toBeLessThanOrEqual(Object.keys(attributes).length + 1);
    });
  },
);

test("what an author wrote in a captured block stays: attributes, and blanks in quotes", () => {
  const source = `{% capture c %}style="color: {{ v }}" hidden{% endcapture %}<p {{ c }}>x</p>`;
  expect(filled(source, { v: "a b" })).toBe(`<p style="color: a b" hidden>x</p>`);
});

function both(value: string): Attributes {
  return { href: `https://example.com/?a=${value}&b=${value}`, class: "x" };
}

test.each([
  "<p>a={{ v }}</p>",
  "<p title=x>{{ v }}</p>",
  "<!-- <a href={{ v }} > --><p>{{ v }}</p>",
  "<p>a < b={{ v }}</p>",
])("elsewhere white space stays white space: %s", (source) => {
  expect(filled(source, { v: "a b" })).toBe(source.replaceAll("{{ v }}", "a b"));
});

test("Outlook reads what is in its comments, so values are kept together there too", () => {
  expect(filled("<!--[if mso]><v:rect href={{ v }}><![endif]-->", { v: "a b" })).toBe(
    "<!--[if mso]><v:rect href=a&#32;b><![endif]-->",
  );
});

test("in a text or a subject nothing changes", () => {
  for (const kind of ["text", "line"] as const)
    expect(unwrap(unwrap(parseLiquid("<a href={{ v }}>", kind)).render({ v: "a b" }))).toBe("<a href=a b>");
});

test.each([
  ["signs of equality", "="],
  ["tags that are not closed", "<a"],
  ["quotes that are not closed", "<a b=\" c='"],
  ["comments that are not closed", "<!--"],
  ["attributes", "<a b=c "],
  ["blanks", "<a b= "],
])("long runs of %s take time in proportion to their length", async (_, part) => {
  const source = (length: number) => `${part.repeat(length / part.length)}<a b={{ v }}>`;
  const [short, long] = [source(50_000), source(500_000)];
  const cost = (text: string) => leastCostMs(() => void parseLiquid(text, "html"));
  expect(await cost(long)).toBeLessThan(30 * (await cost(short)));
});

test("so do many attributes that an author wrote in a captured block", async () => {
  const cost = (attributes: number) => {
    const source = `{% capture c %}${"a ".repeat(attributes)}{{ v }}{% endcapture %}<a {{ c }}>`;
    const template = unwrap(parseLiquid(source, "html"));
    return leastCostMs(() => void unwrap(template.render({ v: "x" })));
  };
  expect(await cost(200_000)).toBeLessThan(60 * (await cost(10_000)));
});

test("so do many tags of Liquid inside an attribute", async () => {
  const source = (tags: number) => `<a b={{ v }}${"{% if a %}{% endif %}".repeat(tags)}x>`;
  const [short, long] = [source(1_000), source(10_000)];
  const cost = (text: string) => leastCostMs(() => void unquotedPlaces(text));
  expect(await cost(long)).toBeLessThan(30 * (await cost(short)));
});
