import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startApi, type TestApi } from "../support/server/api.ts";
import {
  lacksBrowser,
  openBrowser,
  overflows,
  picture,
  visitor,
  type Visit,
} from "../support/browser/browser.ts";

const SCREENS = [
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
  [390, "dark"],
] as const;

let api: TestApi;
let browser: Browser;

describe.skipIf(lacksBrowser())("the reference in a browser", () => {
  beforeAll(async () => {
    api = await startApi();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  /** Ends a visit: nothing was complained of, and nobody else was asked for anything. */
  async function endWell({ complaints, requests, close }: Visit): Promise<void> {
    const elsewhere = [...requests].filter((url) => !url.startsWith(`${api.url}/`));
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
  }

  test.each(SCREENS)(
    "fits a screen %d pixels wide (%s) without scripts, and has all there is to read",
    async (width, scheme) => {
      const visit = await visitor(browser, width, scheme);
      const { page } = visit;
      await page.goto(`${api.url}/docs`);
      await picture(page, `reference-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      expect(await page.locator("pre").count()).toBeGreaterThan(100);
      await page.locator("nav").getByRole("link", { name: "Lists", exact: true }).click();
      expect(page.url()).toEndWith("#group-lists");
      const entry = page.locator("#createList");
      expect(await entry.isVisible()).toBe(true);
      expect(await page.locator("#query").isVisible()).toBe(false);
      expect(await page.getByRole("button").count()).toBe(0);

      const shown = () => entry.locator(".samples pre:visible").allInnerTexts();
      expect(await shown()).toEqual([expect.stringContaining("curl")]);
      await entry.getByLabel("Python", { exact: true }).check();
      expect(await shown()).toEqual([expect.stringContaining("requests.post")]);
      await endWell(visit);
    },
  );

  test("is searched by keyboard alone, and the search changes nothing but what is listed", async () => {
    const visit = await visitor(browser, 1440, "light", true);
    const { page } = visit;
    await page.goto(`${api.url}/docs`);
    const heading = page.locator("#content");
    const before = await heading.innerText();
    await page.keyboard.press("/");
    await page.keyboard.type("excludeEmails");
    const results = page.locator("#results a");
    const found = await results.allInnerTexts();
    expect(found[0]).toContain("Send a campaign now");
    expect(await page.getByRole("status").innerText()).toBe(`${found.length} found`);
    expect(await page.locator("#contents").isVisible()).toBe(false);

    await page.locator("#query").fill("create campaign");
    expect(await results.first().innerText()).toContain("Create a draft campaign");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#createCampaign$/);

    await page.keyboard.press("/");
    await page.keyboard.type("<img src=x>");
    expect(await page.getByRole("status").innerText()).toBe("Nothing found.");
    await page.keyboard.press("Escape");
    expect(await page.locator("#contents").isVisible()).toBe(true);
    expect(await heading.innerText()).toBe(before);
    await endWell(visit);
  });

  test("copies what is shown, and a language chosen once holds for all examples and the next visit", async () => {
    const visit = await visitor(browser, 1440, "dark", true);
    const { page } = visit;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: api.url });
    await page.goto(`${api.url}/docs`);
    await page.locator("#createList").getByLabel("JavaScript", { exact: true }).check();
    const other = page.locator("#sendMessage");
    expect(await other.locator(".samples pre:visible").innerText()).toStartWith("const answer = await fetch");
    await other.getByRole("button", { name: /^Copy.*, JavaScript$/ }).click();
    await other.getByText("Copied").waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await other.locator(".samples pre:visible").textContent());

    await page.reload();
    expect(await other.getByLabel("JavaScript", { exact: true }).isChecked()).toBe(true);
    await endWell(visit);
  });
});
