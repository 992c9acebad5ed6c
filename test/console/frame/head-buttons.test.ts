/** The buttons in a page's head, some of which are links: their words stand in the middle, and are whole. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("a page's head", () => {
  beforeAll(async () => {
    api = await startConsole();
    // With an empty list, the button to the first one stands below.
    await api.call("POST", "/contacts", { email: "ada@example.com" });
    await api.call("POST", "/campaigns", { name: "Hello", subject: "Hello", body: "Hello" });
  });
  afterAll(() => api.stop());

  test.each([1280, 390])(
    "shows the words of its buttons in their middle, and whole, at %i pixels",
    async (width) => {
      const { page, open, end } = await visitAs(api, "editor", { width, locale: "de-DE" });
      for (const [path, word] of [
        ["/contacts", "Datei importieren"],
        ["/campaigns", "Neue Kampagne"],
      ] as const) {
        await open(path);
        await page.locator(".page-actions").getByRole("link", { name: word }).waitFor();
        expect(await misplacedWords(page)).toEqual([]);
      }
      await end();
    },
  );
});

const misplacedWords = (page: Page): Promise<string[]> => page.evaluate<string[]>(MISPLACED);

/** Letters such as g reach below the box that a label is cut to. */
const MISPLACED = `[...document.querySelectorAll(".page-actions .mantine-Button-root")].flatMap((button) => {
  const label = button.querySelector(".mantine-Button-label");
  const range = document.createRange();
  range.selectNodeContents(label);
  const [words, box, around] = [range, label, button].map((one) => one.getBoundingClientRect());
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  const isCut = getComputedStyle(label).overflowY !== "visible" && words.bottom > box.bottom + 0.5;
  const name = label.textContent;
  return [
    ...(Math.abs(middle(box) - middle(around)) > 2 ? [name + " is not in the middle"] : []),
    ...(isCut ? [name + " is cut off"] : []),
  ];
})`;
