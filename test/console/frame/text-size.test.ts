/** People whose browser shows all text twice as large as usual. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser, openBrowser } from "../../support/browser/browser.ts";
import { isWiderThanScreen } from "../../support/browser/console.ts";
import { makeAudience, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { signedIn } from "../../support/server/signed-in.ts";

/** The smallest text of the console has 11 pixels where nothing was chosen. */
const SMALLEST = 22;

const SCREENS = ["/", "/contacts", "/lists", "/settings/limits", "/campaigns/new"] as const;

let api: SendingApi;
let browser: Browser;
let page: Page;

describe.skipIf(lacksBrowser())("a browser whose text is twice as large", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    await makeAudience(api, ["ada@example.com"]);
    browser = await openBrowser("--blink-settings=defaultFontSize=32");
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const [name = "", value = ""] = (await signedIn(api)).cookie.split("=");
    await context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test.each(SCREENS)("gets all of %s so large, and in one column as on a phone", async (path) => {
    await page.goto(`${api.url}/console${path}`);
    await page.locator("h1").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate<string[]>(SMALL)).toEqual([]);
    expect(await page.locator(".bottom-bar").isVisible()).toBe(true);
    expect(await isWiderThanScreen(page)).toBe(false);
  });

  test("on a phone no word of the bar below lies over another, in German too", async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: "de-DE" });
    await context.addCookies(await page.context().cookies());
    const phone = await context.newPage();
    await phone.goto(`${api.url}/console/lists`);
    await phone.locator(".bottom-bar").getByText("Automationen").waitFor();
    expect(await phone.evaluate<string[]>(CUT)).toEqual([]);
    await context.close();
  });

  test("a page beside the rail has room for its words as with smaller text", async () => {
    await page.setViewportSize({ width: 1920, height: 900 });
    await page.goto(`${api.url}/console/lists`);
    await page.locator("h1").waitFor();
    expect(await page.locator(".bottom-bar").isVisible()).toBe(false);
    const beside = await page.locator(".frame-rail").boundingBox();
    const { width = 0 } = (await page.locator(".page").boundingBox()) ?? {};
    expect(width).toBe(1920 - (beside?.width ?? 0));
  });
});

/** The words of the bar that are wider than their place. */
const CUT = `[...document.querySelectorAll(".bottom-bar > *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().left < 0)
  .map((one) => one.textContent)`;

/** What is smaller. A chart has no room for larger words beside its axes. */
const SMALL = `[...document.querySelectorAll("body *")]
  .filter((one) => !one.closest("svg, script, style, iframe") && one.offsetWidth > 0)
  .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== ""))
  .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < ${SMALLEST})
  .map((one) => one.className + ": " + one.textContent)`;
