/** Liquid between the elements of MJML is kept, or refused at its place. The compiler alone drops it silently. */
import { describe, expect, test } from "bun:test";
import { mjmlHtml } from "#mail/html/mjml/mjml.ts";
import { judgeLetter, type LetterSource } from "#mail/letter/letter-faults.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";

const faultsOf = async (letter: LetterSource) =>
  (await judgeLetter(letter, "https://mail.example.com")).faults;
const around = (parts: string): string => `<mjml><mj-body>${parts}</mj-body></mjml>`;
const inColumn = (parts: string): string =>
  around(`<mj-section><mj-column>${parts}</mj-column></mj-section>`);
const text = (words: string): string => `<mj-text>${words}</mj-text>`;
const column = (words: string): string => `<mj-column>${text(words)}</mj-column>`;
const section = (words: string): string => `<mj-section>${column(words)}</mj-section>`;

/** The words that somebody reads of this source. */
async function readBy(scope: object, source: string): Promise<string[]> {
  const made = await mjmlHtml(source);
  if (!made.ok) return made.faults.map(({ message }) => message);
  const template = parseLiquid(made.html, "html");
  const filled = template.ok ? template.value.render({ ...scope }) : template;
  if (!filled.ok) return [filled.refusal.message];
  return [...filled.value.matchAll(/~(.*?)~/g)].map(([, word]) => word ?? "");
}

describe("a condition and a loop between elements choose among them", () => {
  const CHOICE = (one: string, other: string): string =>
    `{% if vip %}${one}\n{% else %}\n${other}{% endif %}`;

  test.each([
    ["blocks of a column", inColumn(CHOICE(text("~a~"), text("~b~")))],
    ["columns of a section", around(`<mj-section>${CHOICE(column("~a~"), column("~b~"))}</mj-section>`)],
    [
      "columns of a group",
      around(`<mj-section><mj-group>${CHOICE(column("~a~"), column("~b~"))}</mj-group></mj-section>`),
    ],
    ["sections", around(CHOICE(section("~a~"), section("~b~")))],
    ["sections of a wrapper", around(`<mj-wrapper>${CHOICE(section("~a~"), section("~b~"))}</mj-wrapper>`)],
    ["blocks of a hero", around(`<mj-hero>${CHOICE(text("~a~"), text("~b~"))}</mj-hero>`)],
    ["beside a comment", inColumn(`<!-- begin -->${CHOICE(text("~a~"), text("~b~"))}<!-- end -->`)],
    ["with words of their own", inColumn(CHOICE("~a~", "~b~"))],
    [
      "in <mj-raw> already",
      inColumn(CHOICE(text("~a~"), text("~b~")).replaceAll(/\{%.*?%\}/g, "<mj-raw>$&</mj-raw>")),
    ],
  ])("%s", async (_, source) => {
    expect(await readBy({ vip: true }, source)).toEqual(["a"]);
    expect(await readBy({ vip: false }, source)).toEqual(["b"]);
  });

  test("a loop repeats its section for each item", async () => {
    const source = around(`{% for item in items %}${section("~{{ item }}~")}{% endfor %}`);
    expect(await readBy({ items: ["x", "y"] }, source)).toEqual(["x", "y"]);
  });
});

test("a comment writes nothing, so nothing of it is lost, wherever it stands", async () => {
  const note = "{% comment %} Welcome, {{ v3 }}, Anna {% endcomment %}\n{%- # for Anna -%}";
  const source = `${note}<mjml><mj-head>${note}</mj-head><mj-body>${section("~a~")}</mj-body></mjml>`;
  const letter = { html: source, subject: "S", preheader: "", text: null, format: "mjml" } as const;
  expect(await faultsOf({ ...letter, personalize: true })).toEqual([]);
  expect(await readBy({}, source)).toEqual(["a"]);
});

describe("where it would be lost, it is refused at its place", () => {
  test.each([
    ["before the letter", `{% assign a = 1 %}${inColumn(text("x"))}`, 1],
    ["behind the letter", `${inColumn(text("x"))}\n{{ a }}`, 2],
    ["in the head", "<mjml><mj-head>\n{{ a }}<mj-title>x</mj-title></mj-head><mj-body /></mjml>", 2],
    ["in an image", inColumn(`\n<mj-image src="a.png">{{ a }}</mj-image>`), 2],
  ])("%s", async (_, source, line) => {
    const letter = { subject: "Hi", html: source, preheader: "", text: null } as const;
    const [fault, ...more] = await faultsOf({ ...letter, format: "mjml", personalize: true });
    expect(more).toEqual([]);
    const at = source.split("\n")[line - 1]!.search(/\{[{%]/) + 1;
    expect(fault).toMatchObject({ part: "body", line, column: at });
    expect(fault?.message).toContain("would be lost");
  });

  test("but not in a letter that is no Liquid, nor where a letter that was sent before is compiled again", async () => {
    const source = `{{ mark }}${inColumn(text("x"))}`;
    const letter = { subject: "Hi", html: source, preheader: "", text: null, format: "mjml" } as const;
    expect(await faultsOf({ ...letter, personalize: false })).toEqual([]);
    expect((await mjmlHtml(source)).ok).toBe(true);
  });

  test("another fault stays where it is", async () => {
    const source = inColumn(`{% if a %}${text("x")}{% endif %}\n<mj-nope />`);
    const made = await mjmlHtml(source);
    expect(made.ok ? [] : made.faults).toMatchObject([{ line: 2, column: 1 }]);
  });
});

test("what holds text, and an attribute, keep their Liquid as it is", async () => {
  const source =
    "<mjml><mj-head><mj-title>~{{ a }}~</mj-title></mj-head><mj-body><mj-section><mj-column>" +
    '<mj-text>~{{ a }}~</mj-text><mj-image src="a.png" alt="~{{ a }}~" /><mj-table><tr><td>~{{ a }}~</td></tr></mj-table>' +
    "</mj-column></mj-section></mj-body></mjml>";
  expect((await readBy({ a: "x" }, source)).every((word) => word === "x")).toBe(true);
  expect((await readBy({ a: "x" }, source)).length).toBeGreaterThanOrEqual(4);
});
