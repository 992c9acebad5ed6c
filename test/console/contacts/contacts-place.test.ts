/** The place in a long table of contacts: it stays, and what is visible there is loaded first. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { contactsWhere } from "../../support/browser/contacts-path.ts";
import type { TestApi } from "../../support/server/api.ts";

const PEOPLE = 2_700;
/** Too many pages lie between for all of them to be kept. */
const FAR_DOWN = 250;

let api: TestApi;
closesBrowser();

const link = (page: Page, number: number) =>
  page.getByRole("link", { name: `far-${number}@example.com`, exact: true });
const boxOf = (page: Page) => page.getByRole("region", { name: "Contacts" });

async function goDownTo(page: Page, number: number): Promise<void> {
  while ((await link(page, number).count()) === 0) {
    await boxOf(page).evaluate((element) => element.scrollBy(0, 1_000));
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  }
  await link(page, number).scrollIntoViewIfNeeded();
}

describe.skipIf(lacksBrowser())("the place in a long table of contacts", () => {
  beforeAll(async () => {
    api = await startConsole();
    for (let from = 0; from < PEOPLE; from += 900) {
      const contacts = Array.from({ length: 900 }, (_, at) => ({
        email: `far-${from + at}@example.com`,
        attributes: { city: `City ${from + at}` },
      }));
      await api.call("POST", "/contacts/bulk", { contacts });
    }
  });
  afterAll(() => api.stop());

  test("stays when another column is shown far down, and when it is hidden again", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/contacts");
    await page.getByText("2,700 people").waitFor();
    await goDownTo(page, FAR_DOWN);
    const topOf = () => link(page, FAR_DOWN).evaluate((one) => one.getBoundingClientRect().top);
    const before = await topOf();
    await page.getByRole("button", { name: "Columns" }).click();
    const city = page.getByRole("checkbox", { name: "city" });
    await city.check();
    await page.getByRole("cell", { name: `City ${FAR_DOWN}`, exact: true }).waitFor();
    expect(await topOf()).toBe(before);
    await city.uncheck();
    await page.getByRole("columnheader", { name: "city" }).waitFor({ state: "detached" });
    await link(page, FAR_DOWN).waitFor();
    expect(await topOf()).toBe(before);
    await end();
  });

  test("is not that of a narrower filter: with one condition less the list begins at its top", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    const rules = {
      all: [
        { field: "email", op: "contains", value: "far-" },
        { field: "attributes.city", op: "contains", value: "City 1" },
      ],
    };
    await open(contactsWhere(rules));
    await page.getByText("1,111 people").waitFor();
    await goDownTo(page, 1_500);
    await page.getByRole("button", { name: /^Remove: .*City 1/ }).click();
    await page.getByText("2,700 people").waitFor();
    await link(page, PEOPLE - 1).waitFor();
    expect(await boxOf(page).evaluate((element) => element.scrollTop)).toBe(0);
    await end();
  });

  test("is loaded before all that lies between, after a jump to the top and back", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/contacts");
    await page.getByText("2,700 people").waitFor();
    await goDownTo(page, FAR_DOWN);
    const box = boxOf(page);
    const top = await box.evaluate((element) => element.scrollTop);
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    // An answer between would have to be waited for.
    await page.route(/\/api\/v1\/contacts\?/, async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("after") ?? "top");
      await route.continue();
    });
    await box.evaluate((element) => element.scrollTo(0, 0));
    await link(page, PEOPLE - 1).waitFor();
    expect(asked[0]).toBe("top");
    asked.length = 0;
    await box.evaluate((element, to) => element.scrollTo(0, to), top);
    await link(page, FAR_DOWN).waitFor();
    expect(asked.length).toBeLessThan(4);
    await page.unrouteAll();
    await end();
  });

  test("says that it could not be loaded after a jump, and is loaded by the button", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/contacts");
    await page.getByText("2,700 people").waitFor();
    await goDownTo(page, FAR_DOWN);
    await page.waitForLoadState("networkidle");
    await page.route(/\/api\/v1\/contacts\?/, (route) =>
      route.fulfill({
        status: 429,
        json: { error: { code: "RATE_LIMITED", message: "Too many requests.", details: null } },
      }),
    );
    await boxOf(page).evaluate((element) => element.scrollTo(0, 0));
    await page.getByRole("alert").getByText("Too many requests.").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await link(page, PEOPLE - 1).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await end([429]);
  });

  test("of a person's card is the same before it is known what they get", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route("**/mailable", (route) => mayGo.then(() => route.continue()));
    await open("/contacts");
    await link(page, PEOPLE - 1).click();
    const card = page.getByRole("heading", { name: "Person", exact: true });
    await card.waitFor();
    const before = await card.boundingBox();
    go();
    await page.getByText("Gets campaigns").waitFor();
    expect(await card.boundingBox()).toEqual(before);
    await end();
  });
});
