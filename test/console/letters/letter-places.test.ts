/** A letter on a phone, the way from what is wrong with it to its place, and what is filled in for each person. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { mergeTag } from "#console/ui/letter-editor/merge-tag.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, visitAs } from "../../support/browser/console.ts";
import { hasFocus } from "../../support/browser/keyboard.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 180_000;
const LONG = "<mj-text>One more paragraph.</mj-text>".repeat(60);
const LETTER = `<mjml>
  <mj-body>
    <mj-section><mj-column><mj-text>Dear reader</mj-text>${LONG}
      <mj-image src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="" />
    </mj-column></mj-section>
  </mj-body>
</mjml>`;

async function draft(): Promise<string> {
  const letter = { name: "Draft", subject: "Snow, and three books", body: LETTER };
  const made = await api.call("POST", "/campaigns", letter);
  const { id } = made.body.data;
  await api.call("PATCH", `/campaigns/${id}/options`, { format: "mjml" });
  return id;
}

const bodyOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/campaigns/${id}/content`)).body.data.body;

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).boundingBox())?.y ?? Number.NaN;

describe("what is filled in for each person", () => {
  test("has in its place the words for who has none, whatever they are", () => {
    expect(mergeTag("contact.email")).toBe("{{ contact.email }}");
    expect(mergeTag("contact.firstName", " there ")).toBe('{{ contact.firstName | default: "there" }}');
    expect(mergeTag("a", 'so "called"')).toBe(`{{ a | default: 'so "called"' }}`);
    expect(mergeTag("a", `it's "so"`)).toBe(`{{ a | default: "it's ”so”" }}`);
    expect(mergeTag("a", "end }} {% if %} here")).toBe('{{ a | default: "end  % if % here" }}');
  });
});

describe.skipIf(lacksBrowser())("a letter", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
    await person(api, "ada@example.com", { attributes: { city: "London" } });
  });
  afterAll(() => api.stop());

  test(
    "is on a phone looked at first, with its subject; what is wrong with it leads to its block",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api, "owner", { width: 390 });
      await open(`/campaigns/${id}`);
      await page.locator(".inbox-subject", { hasText: "Snow, and three books" }).waitFor();
      const frame = page.frameLocator('iframe[title*="Snow, and three books"]');
      await frame.getByText("Dear reader").waitFor();
      expect(await topOf(page, ".panel-look")).toBeLessThan(
        await topOf(page, "section[aria-labelledby=panel-to]"),
      );
      const subject = page.getByRole("textbox", { name: "Subject" });
      expect(await subject.isVisible()).toBe(false);
      expect(await isWiderThanScreen(page)).toBe(false);

      await page.getByRole("button", { name: "Show it: Image" }).click();
      const image = page.locator(".piece-block", { has: page.locator(".look-no-image") });
      await hasFocus(page, image);
      expect(await image.getAttribute("data-selected")).not.toBeNull();
      await eventually(async () => {
        const top = (await image.boundingBox())?.y ?? -1;
        return top >= 0 && top < 844;
      });
      expect(await subject.isVisible()).toBe(true);
      expect(await page.locator(".panel-look").isVisible()).toBe(false);
      // Who goes back to reading it is not sent there again.
      await page.getByText("Source", { exact: true }).click();
      await page.locator(".cm-content").waitFor();
      await page.getByText("Blocks", { exact: true }).click();
      await page.locator(".piece").first().waitFor();
      expect(await page.locator("[data-selected]").count()).toBe(0);
      await end();
    },
    LIMIT_MS,
  );

  test(
    "greets who has no name by other words, which are asked for where the name is put in",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("Dear reader").first().click();
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.click();
      await page.keyboard.press("End");
      await page.locator(".rich-field").getByRole("button", { name: "Insert" }).click();
      await page.getByRole("menuitem", { name: "First name" }).click();
      const words = page.getByLabel("If “First name” is missing");
      await hasFocus(page, words);
      await page.keyboard.type("there");
      await page.keyboard.press("Enter");
      await eventually(async () =>
        (await bodyOf(id)).includes(
          '<mj-text>Dear reader{{ contact.firstName | default: "there" }}</mj-text>',
        ),
      );
      const subject = page.getByRole("textbox", { name: "Subject" });
      await subject.fill("");
      await page.getByRole("button", { name: "Insert" }).first().click();
      await page.getByRole("menuitem", { name: "city" }).click();
      await hasFocus(page, page.getByLabel("If “city” is missing"));
      await page.keyboard.press("Enter");
      expect(await subject.inputValue()).toBe("{{ contact.attributes.city }}");
      await end();
    },
    LIMIT_MS,
  );
});
