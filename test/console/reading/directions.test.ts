/** Names and subjects that are read from the right, on screens that are read from the left. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { isolated, isolating, unmarked } from "../../../src/console/ui/texts/isolated.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

/** "Hello, world!" in Hebrew: its exclamation mark is read last, so it stands on the left. */
const HELLO = "שלום, עולם!";

test("only what is read from the right is isolated in a sentence, and nothing of that is stored", () => {
  const texts = isolating({
    deep: { says: (name: string, count: number) => `“${name}” has ${count}` },
    plain: "As it is",
    all: ["One", "Two"],
  });
  expect(texts.deep.says("Ada", 2)).toBe("“Ada” has 2");
  expect(texts.deep.says(HELLO, 2)).toBe(`“\u2068${HELLO}\u2069” has 2`);
  expect(isolated("turns\u202Eround")).toBe("\u2068turns\u202Eround\u2069");
  expect(unmarked(texts.deep.says(HELLO, 2))).toBe(`“${HELLO}” has 2`);
  expect([texts.plain, texts.all]).toEqual(["As it is", ["One", "Two"]]);
});

/** Where the first letter of the words stands, and where their exclamation mark. */
const placesOf = (words: Locator): Promise<{ letter: number; mark: number }> =>
  words.evaluate((element: any, hello) => {
    const page = element.ownerDocument;
    const walker = page.createTreeWalker(element, 4);
    let node = walker.nextNode();
    while (node !== null && !node.data.includes(hello)) node = walker.nextNode();
    const at = node.data.indexOf(hello);
    const left = (index: number): number => {
      const range = page.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect().left;
    };
    return { letter: left(at), mark: left(at + hello.length - 1) };
  }, HELLO);

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("what is read from the right", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("ends on the left: in a heading, a table, a field, and a sentence of the console", async () => {
    const { id } = (await api.call("POST", "/campaigns", { name: HELLO, subject: HELLO, body: "<p>x</p>" }))
      .body.data;
    const { page, open, end } = await visitAs(api, "editor");
    await open("/campaigns");
    const link = page.getByRole("link", { name: HELLO });
    await link.waitFor();
    const inTable = await placesOf(link);
    await link.click();
    const heading = page.getByRole("heading", { level: 1, name: HELLO });
    await heading.waitFor();
    const inHeading = await placesOf(heading);
    const ofField = await page
      .getByLabel("Subject")
      .evaluate((field: any) => field.ownerDocument.defaultView.getComputedStyle(field).unicodeBidi);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const inSentence = await placesOf(page.getByRole("dialog").getByText("is deleted for good"));
    for (const { letter, mark } of [inTable, inHeading, inSentence]) expect(mark).toBeLessThan(letter);
    expect(ofField).toBe("plaintext");
    await page.getByRole("dialog").getByRole("textbox").fill(HELLO);
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await api.call("GET", `/campaigns/${id}`)).status).toBe(404);
    await end([404]);
  });

  test("is so in the editor of a letter, in the letter, and in the look of it", async () => {
    const body = `<mjml><mj-body><mj-section><mj-column><mj-text><p>first</p></mj-text></mj-column></mj-section></mj-body></mjml>`;
    const made = await api.call("POST", "/campaigns", { name: "Hebrew", subject: "Hebrew", body });
    const { id } = made.body.data;
    expect((await api.call("PATCH", `/campaigns/${id}/options`, { format: "mjml" })).status).toBe(200);
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}`);
    await page.getByText("first", { exact: true }).click();
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await text.fill(HELLO);
    const inEditor = await placesOf(text.getByText(HELLO));
    await eventually(async () =>
      (await api.call("GET", `/campaigns/${id}/content`)).body.data.body.includes(
        `<p dir="rtl">${HELLO}</p>`,
      ),
    );
    await page.keyboard.press("Escape");
    await open(`/campaigns/${id}`);
    const look = page.locator(".look-text").getByText(HELLO);
    await look.waitFor();
    for (const { letter, mark } of [inEditor, await placesOf(look)]) expect(mark).toBeLessThan(letter);
    await end();
  });
});
