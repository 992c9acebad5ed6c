import { expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { withoutIndents } from "#mail/html/mjml/indents.ts";
import { isSevenBit } from "#mail/mime/seven-bit.ts";
import { textAlternative } from "#mail/html/text-alternative.ts";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { costMs } from "../../support/common/cpu-time.ts";

const page = (content: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;

/** Each element, its attributes, and each text and comment, with what HTML collapses as one space. */
function read(node: Tree.Node): string[] {
  const own =
    "value" in node
      ? [node.value]
      : "data" in node
        ? [node.data]
        : "attrs" in node
          ? [node.tagName, ...node.attrs.map(({ name, value }) => `${name}=${value}`)]
          : [];
  const below = "childNodes" in node ? node.childNodes.flatMap(read) : [];
  return [...own.map((text) => text.replaceAll(/[ \t\r\n]+/g, " ")), ...below];
}

/** Without texts and comments that are blank. */
const contentOf = (html: string): string[] => read(parse(html)).filter((text) => text.trim() !== "");

const CASES: [string, string][] = [
  ["a text", page("<mj-text>Hello\n     <b>you</b>\n   and you</mj-text>")],
  [
    "a button and a picture",
    page(
      '<mj-image src="https://x.example/a.png" alt="A" /><mj-button href="https://x.example/">Go</mj-button>',
    ),
  ],
  [
    "Liquid",
    page("<mj-text>{% if contact.firstName %}\n   {{ contact.firstName }}\n   {% endif %}</mj-text>"),
  ],
  ["a table", page("<mj-table><tr>\n  <td>1</td>\n  <td>2</td>\n</tr></mj-table>")],
];

test.each(CASES)("compiled MJML says the same without its indents: %s", async (_, source) => {
  const html = unwrap(await compileMjml(source, "https://mail.example.org"));
  const lines = html.split("\n");
  expect(lines.filter((line) => line === "" || /^[ \t\r](?! ?\.)|[ \t\r]$/.test(line))).toEqual([]);
  expect(isSevenBit(html)).toBe(true);
  const { default: compile } = await import("mjml");
  const written = (await compile(source, { validationLevel: "soft", fonts: {} })).html;
  expect(html.length).toBeLessThan(written.length * 0.85);
  expect(contentOf(html)).toEqual(contentOf(written));
  expect(textAlternative(html, "")).toBe(textAlternative(written, ""));
});

test.each([
  ["pre", "<div>\n  <pre>a\n  b</pre>\n</div>"],
  ["textarea", "<textarea>\n  a</textarea>\n  "],
  ["a style", '<p style="white-space : pre-line">a\n   b</p>'],
  ["a stylesheet", "<style>p { white-space: break-spaces }</style>\n  <p>a</p>"],
  ["a style that is named twice", '<p style="white-space: normal, white-space: pre">a\n   b</p>'],
  ["Liquid with a brace inside", '<p>{{ contact.note | default: "{{ a\n   b" }}</p>'],
  ["Liquid with a text over two lines", '<p>{{ contact.note | default: "a\n   b" }}</p>'],
])("where blanks are shown, all stay as they are: %s", (_, html) => {
  expect(withoutIndents(html)).toBe(html);
});

test("what is no blank of HTML stays: a space that does not break, a form feed", () => {
  expect(withoutIndents("<p>a\n  \u00a0b\u00a0\n\n \fc</p> \r\n")).toBe("<p>a\n\u00a0b\u00a0\n\fc</p>");
});

test.each([
  ["styles", "white-space ".repeat(20_000)],
  ["Liquid", `${"{".repeat(60_000)}}`],
])("a long line is read in linear time: %s", async (_, line) => {
  expect(await costMs(() => withoutIndents(`<p>\n ${line}\n</p>`))).toBeLessThan(400);
});
