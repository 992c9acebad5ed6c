/** The form's script in pages as sites have them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, Locator } from "playwright-core";
import { lacksBrowser, openBrowser, overflows, picture, visitor } from "../support/browser/browser.ts";
import { embedded, site } from "../support/browser/site.ts";
import { newForm, startForms, type FormsApi } from "../support/people/forms.ts";

let api: FormsApi;
let browser: Browser;

describe.skipIf(lacksBrowser())("a sign-up form in a page of somebody else's", () => {
  beforeAll(async () => {
    api = await startForms({ doubleOptIn: true });
    browser = await openBrowser();
  });
  // All of them come from this machine: nobody is to be the sixth within ten minutes.
  beforeEach(() => api.clock.shift(11 * 60_000));
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test("every named place has the form once, also one that a framework makes or replaces later", async () => {
    const form = await newForm(api);
    const place = `<div data-postrider-form="${form.id}"></div>`;
    const shop = site(
      api,
      form.id,
      (url) => `${embedded(url)}<section>${place}</section><footer>${place}</footer>${embedded(url)}`,
    );
    const visit = await visitor(browser, 390, "light", true);
    const { page } = visit;
    await page.goto(shop.url);
    const section = page.locator("section");
    await section.getByLabel("Email address").waitFor();
    await page.locator("footer").getByLabel("Email address").waitFor();
    await page.evaluate(
      `document.querySelector("section").replaceWith(document.querySelector("section").cloneNode(true))`,
    );
    await section.getByLabel("Email address").waitFor();
    await page.evaluate(
      `document.querySelector("h1").append(document.querySelector("footer").firstChild.cloneNode())`,
    );
    await page.locator("h1").getByLabel("Email address").waitFor();
    expect(await page.getByLabel("Email address").count()).toBe(3);
    await section.getByLabel("Email address").fill("barbara@example.com");
    await section.getByRole("button").click();
    await section.getByRole("status").filter({ hasText: "Thanks! One more step." }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await shop.stop();
  });

  test("a script at the page's end, and a place that a framework makes later: one form, in the place, with what was typed", async () => {
    const form = await newForm(api);
    const shop = site(api, form.id, (url) => `<div id="root"></div>${embedded(url)}`);
    const visit = await visitor(browser, 390, "light", true);
    const { page } = visit;
    await page.goto(shop.url);
    await page.getByLabel("Email address").fill("grace@example.com");
    await page.evaluate(
      `const place = document.createElement("div");
      place.dataset.postriderForm = "${form.id}";
      document.querySelector("#root").append(place)`,
    );
    const placed = page.locator("#root").getByLabel("Email address");
    await placed.waitFor();
    expect(await placed.inputValue()).toBe("grace@example.com");
    expect(await page.getByLabel("Email address").count()).toBe(1);
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await shop.stop();
  });

  test("in a page that is read from the right, and wraps no lines: sentences end where they end", async () => {
    const form = await newForm(api);
    await api.call("PATCH", `/forms/${form.id}`, { style: { buttonText: "اشترك الآن!" } });
    const shop = site(
      api,
      form.id,
      (url) => `<div dir="rtl" style="white-space: nowrap">${embedded(url)}</div>`,
      "",
    );
    const visit = await visitor(browser, 390, "light", true);
    const { page } = visit;
    const isReadFromLeft = (sentence: Locator) =>
      sentence.evaluate(({ firstChild: text, ownerDocument }: any) => {
        const leftOf = (at: number): number => {
          const letter = ownerDocument.createRange();
          letter.setStart(text, at);
          letter.setEnd(text, at + 1);
          return letter.getBoundingClientRect().left;
        };
        return leftOf(0) < leftOf(text.length - 1);
      });
    await page.goto(shop.url);
    expect(await isReadFromLeft(page.getByRole("button"))).toBe(false);
    await page.getByLabel("Email address").fill("edsger@localhost");
    await page.keyboard.press("Enter");
    const error = page.getByRole("alert").filter({ hasText: "dot" });
    await error.waitFor();
    expect(await isReadFromLeft(error)).toBe(true);
    await page.getByLabel("Email address").fill("edsger@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("status").waitFor();
    expect(await isReadFromLeft(page.getByText("Thanks! One more step."))).toBe(true);
    await picture(page, "embedded-from-right-390");
    expect(await overflows(page)).toBe(false);
    expect((await page.getByText("Please look into your inbox").boundingBox())!.height).toBeGreaterThan(40);
    await visit.close();
    await shop.stop();
  });

  test("a form of the site's own in a frame: the answer is shown there", async () => {
    const form = await newForm(api);
    const action = `${api.url}/api/forms/${form.id}/submit`;
    const own = `<form method="post" action="${action}" target="answer"><input name="email" value="frame@example.com"><button>Go</button></form>`;
    const shop = site(api, form.id, () => `${own}<iframe name="answer"></iframe>`, "");
    const visit = await visitor(browser, 390);
    await visit.page.goto(shop.url);
    await visit.page.getByRole("button", { name: "Go" }).click();
    const answer = visit.page.frameLocator("iframe");
    await answer.getByRole("heading", { name: "Thanks! One more step." }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await shop.stop();
  });
});
