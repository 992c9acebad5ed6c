/** What the compiler of MJML would drop without a word is refused at its place: it would be missing for everybody. */
import { describe, expect, test } from "bun:test";
import { compileMjml, mjmlHtml } from "#mail/html/mjml/mjml.ts";

const around = (parts: string): string => `<mjml><mj-body>${parts}</mj-body></mjml>`;
const inColumn = (parts: string): string =>
  around(`<mj-section><mj-column>${parts}</mj-column></mj-section>`);
const SECTION = "<mj-section><mj-column><mj-text>kept</mj-text></mj-column></mj-section>";
const LOST = "\n<mj-section><mj-column><mj-text>lost</mj-text></mj-column></mj-section>";

/** The lines and the first words of what is refused. */
async function refusedIn(source: string): Promise<string[]> {
  const made = await mjmlHtml(source);
  return made.ok ? [] : made.faults.map(({ line, message }) => `${line} ${message.split(" would be")[0]}`);
}

describe("what would be lost is refused at its place", () => {
  test.each([
    ["a file that is included", around(`${SECTION}\n<mj-include path="./header.mjml" />`), "2 mj-include"],
    [
      "one in the head",
      `<mjml><mj-head>\n<mj-include path="a.css" type="css" /></mj-head><mj-body /></mjml>`,
      "2 mj-include",
    ],
    ["words between sections", around(`${SECTION}\nlost${SECTION}`), '2 "lost"'],
    ["words in a section", around("<mj-section>\nlost<mj-column /></mj-section>"), '2 "lost"'],
    [
      "words behind a comment of Liquid",
      around(`{% comment %}a${SECTION}{% endcomment %}${LOST}lost`),
      '2 "lost"',
    ],
    ["words behind a blank", around(`${SECTION}\n&nbsplost`), '2 "&nbsplost"'],
    ["words in a column", inColumn("<mj-text>kept</mj-text>\n20 %"), '2 "20 %"'],
    ["words in an image", inColumn('<mj-image src="a.png">\nlost</mj-image>'), '2 "lost"'],
    ["words behind an element without any", inColumn("<mj-text/>\nlost"), '2 "lost"'],
    ["a picture made of letters", inColumn("\n🎉"), '2 "🎉"'],
    ["words before the letter", `lost\n${around(SECTION)}`, '1 "lost"'],
    ["words behind the letter", `${around(SECTION)}\nlost`, '2 "lost"'],
    ["a section behind the body", around(SECTION).replace("</mjml>", `${LOST}</mjml>`), "2 mj-section: it"],
    [
      "the first of two letters",
      `${around(LOST)}\n${around(SECTION)}`,
      "3 mjml: there are two of them, and one",
    ],
    [
      "the second of two bodies",
      around(SECTION).replace("</mjml>", `\n<mj-body>${LOST}</mj-body></mjml>`),
      "2 mj-body: there are two",
    ],
    [
      "the second of two heads",
      around(SECTION).replace("<mjml>", "<mjml><mj-head />\n<mj-head><mj-title>lost</mj-title></mj-head>"),
      "2 mj-head: there are two",
    ],
    [
      "mj-raw outside of the body",
      `<mjml>\n<mj-raw>lost</mj-raw><mj-body>${SECTION}</mj-body></mjml>`,
      "2 mj-raw: it",
    ],
    ["a head in the body", around(`${SECTION}\n<mj-head />`), "2 mj-head: it"],
    ["a section in the head", `<mjml><mj-head>${LOST}</mj-head><mj-body /></mjml>`, "2 mj-section: it"],
    [
      "a head that never ends",
      `<mjml><mj-head><mj-title>a</mj-title>\n<mj-body>${SECTION}</mj-body></mjml>`,
      "2 mj-body: it",
    ],
    ...["mj-style", "mj-title", "mj-preview", "mj-attributes", "mj-html-attributes"].map((name) => [
      `${name} in the body`,
      around(`${SECTION}\n<${name}>lost</${name}>`),
      `2 ${name}: it`,
    ]),
    ["a text that ends in capitals", inColumn("\n<mj-text>lost</MJ-TEXT>"), "2 mj-text: its end"],
    ["a letter in capitals", around(LOST).toUpperCase(), "2 mj-text: its end"],
  ])("%s", async (_, source, expected) => {
    const refused = await refusedIn(source);
    expect(refused[0]).toStartWith(expected);
  });

  test("and the refusal says what to do", async () => {
    const made = await compileMjml(inColumn("lost"), "https://mail.example.com");
    expect(made.ok ? null : made.refusal.message).toBe(
      'line 1, column 39: "lost" would be lost. Put it into an element, such as <mj-text>',
    );
  });
});

describe("what is not lost is not refused", () => {
  test.each([
    ["signs by mistake", around(`,${SECTION}&nbsp;\u200b>${SECTION}.`)],
    ["a blank whose end is missing", around(`${SECTION}&nbsp ${SECTION}`)],
    [
      "what a comment of Liquid leaves out",
      around(`{% comment %}old${SECTION}lost${SECTION}${"lost ".repeat(2000)}{%- endcomment -%}${SECTION}`),
    ],
    ["comments", `<!-- lost -->${around(`<!-- lost -->${SECTION}`)}<!-- lost -->`],
    ["what stands before XML", `\uFEFF<?xml version="1.0"?>\n<!doctype mjml>${around(SECTION)}`],
    ["words in HTML in a text", inColumn("<mj-text><p>a <b>b</b></p> c <!-- d --> e</mj-text>")],
    [
      "elements of MJML in a text",
      inColumn("<mj-text>a <mj-text>b</mj-text> c <mj-raw>d</mj-raw></mj-text>"),
    ],
    [
      "capitals that the compiler reads",
      inColumn("<MJ-TEXT>a</mj-text>").replaceAll("mj-section", "MJ-SECTION"),
    ],
    ["capitals in HTML", inColumn("<mj-text><P>a</P></mj-text>")],
    ["styles and scripts", inColumn("<mj-raw><script>if (a < b) c();</script></mj-raw>")],
    [
      "a head",
      `<mjml><mj-head><mj-title>a</mj-title><mj-preview>b</mj-preview><mj-style>p > b { color: red }</mj-style>
       <mj-attributes><mj-class name="x" color="red"><mj-title /></mj-class><mj-all padding="0" /><mj-body width="1px" /></mj-attributes>
       <mj-html-attributes><mj-selector path="p"><mj-html-attribute name="x">y</mj-html-attribute></mj-selector></mj-html-attributes>
       </mj-head><mj-body>${SECTION}</mj-body></mjml>`,
    ],
    [
      "a text before the page",
      `<mjml><mj-raw position="file-start">a</mj-raw><mj-body>${SECTION}</mj-body></mjml>`,
    ],
  ])("%s", async (_, source) => {
    expect(await refusedIn(source)).toEqual([]);
  });
});
