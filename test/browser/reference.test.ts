import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startApi, type TestApi } from "../support/api.ts";
import { hasBrowser, openBrowser, overflows, picture, visitor } from "../support/browser.ts";

const SCREENS = [
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
] as const;

let api: TestApi;
let browser: Browser;

describe.skipIf(!hasBrowser())("the reference in a browser without scripts", () => {
  beforeAll(async () => {
    api = await startApi();
    browser = await openBrowser();
  }, 30_000);
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test.each(SCREENS)(
    "fits a screen %d pixels wide (%s), and asks nobody else for anything",
    async (width, scheme) => {
      const visit = await visitor(browser, width, scheme);
      const { page } = visit;
      await page.goto(`${api.url}/docs`);
      await picture(page, `reference-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      expect(await page.locator("pre").evaluateAll((blocks) => blocks.length)).toBeGreaterThan(30);
      await page.locator("nav").getByRole("link", { name: "Lists", exact: true }).click();
      expect(page.url()).toEndWith("#group-lists");
      expect(await page.locator("#createList").isVisible()).toBe(true);
      expect([visit.complaints, [...visit.requests].filter((url) => !url.startsWith(`${api.url}/`))]).toEqual(
        [[], []],
      );
      await visit.close();
    },
    30_000,
  );
});
