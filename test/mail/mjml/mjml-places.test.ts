/** A fault of MJML is shown where its element begins, whatever lines the letter has. */
import { describe, expect, test } from "bun:test";
import { compileMjml, mjmlHtml } from "#mail/html/mjml/mjml.ts";

const inColumn = (...parts: readonly string[]): string =>
  `<mjml><mj-body><mj-section><mj-column>${parts.join("")}</mj-column></mj-section></mj-body></mjml>`;
const TEXT = "<mj-text>Hello</mj-text>";

async function placesOf(source: string): Promise<string[]> {
  const made = await mjmlHtml(source);
  return made.ok
    ? []
    : made.faults.map(({ message, line, column }) => `${line}:${column} ${message.split(":")[0]}`);
}
/** Where the n-th `part` begins, as an editor counts. */
function placeOf(source: string, part: string, nth = 1): string {
  let index = -1;
  for (let n = 0; n < nth; n++) index = source.indexOf(part, index + 1);
  const before = source.slice(0, index).split("\n");
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

describe("a letter in one line", () => {
  test("a fault of the second element is not shown at the first", async () => {
    const source = inColumn(TEXT, '<mj-text hue="1">y</mj-text>', TEXT);
    expect(await placesOf(source)).toEqual([`${placeOf(source, "<mj-text", 2)} mj-text`]);
  });

  test("every fault has a place of its own, also where a child is refused before another one's own fault", async () => {
    const source = inColumn(
      `<mj-section><mj-column hue="1">${TEXT}</mj-column></mj-section>`,
      "<mj-nope/>",
      "<mj-section></mj-section>",
    );
    expect((await placesOf(source)).toSorted()).toEqual(
      [
        `${placeOf(source, "<mj-section", 2)} mj-section`,
        `${placeOf(source, "<mj-section", 3)} mj-section`,
        `${placeOf(source, "<mj-column", 2)} mj-column`,
        `${placeOf(source, "<mj-nope")} mj-nope`,
      ].toSorted(),
    );
  });

  test("the same in many lines, of Windows too, beside words of every script", async () => {
    for (const newline of ["\n", "\r\n"]) {
      const source = inColumn(newline, "<mj-text>Grüße 😀</mj-text> <mj-nope />", newline, "  <mj-nope\n/>");
      expect(await placesOf(source)).toEqual([
        `${placeOf(source, "<mj-nope")} mj-nope`,
        `${placeOf(source, "<mj-nope", 2)} mj-nope`,
      ]);
    }
  });

  test("a sentence for POST /send has line and column too", async () => {
    const source = inColumn(TEXT, "<mj-nope />");
    const compiled = await compileMjml(source, "https://mail.example.org");
    expect(compiled.ok ? "" : compiled.refusal.message).toStartWith(
      `line 1, column ${source.indexOf("<mj-nope") + 1}: `,
    );
  });

  test("one with thousands of elements still says the line", async () => {
    const source = inColumn(TEXT.repeat(6_000), "<mj-nope />");
    expect(await placesOf(source)).toEqual(["1:null mj-nope"]);
  });
});

test("what is no MJML at all is refused at its beginning", async () => {
  expect(await placesOf("<p>Hello</p>")).toEqual([expect.stringMatching(/^1:1 /)]);
});

describe("an element that nobody closes is refused, for its text would be lost", () => {
  test.each([
    ["at the end", "<mjml><mj-body><mj-section><mj-column>\n<mj-text>Hello", ["2:1 mj-text"]],
    ["before the column's end", inColumn("\n<mj-text>Hello"), ["2:1 mj-text"]],
    ["mistyped", inColumn("\n<mj-text>Hello</mj-txt>\n", TEXT), ["2:1 mj-text"]],
    ["around another one", inColumn("\n<mj-button>Go", TEXT), ["2:1 mj-button"]],
  ])("%s", async (_, source, places) => {
    expect(await placesOf(source)).toEqual(places);
  });

  test.each([
    ["HTML in it that needs no end", inColumn("<mj-text>a<br>b<p>c<img src=x></mj-text>")],
    ["a closing tag too many", inColumn(TEXT, "</mj-text>")],
    ["an element that closes itself", inColumn("<mj-text />", TEXT, '<mj-image src="a.png" />')],
    ["a comment", inColumn("<!-- <mj-text> -->", TEXT)],
    ["upper case", inColumn("<MJ-TEXT>Hello</mj-text>")],
    ["a line break in the tag", inColumn("<mj-text\n  color='red'\n>Hello</mj-text\n>")],
  ])("but not for %s", async (_, source) => {
    expect(await placesOf(source)).toEqual([]);
  });
});
