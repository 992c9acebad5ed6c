/** The frame around all screens, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../support/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitConsole,
} from "../support/console.ts";
import type { TestApi } from "../support/api.ts";

let api: TestApi;
closesBrowser();

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

describe.skipIf(lacksBrowser())("the console, before somebody has signed in", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each(LOOKS)("is a page everybody can use ($width, $colorScheme)", async (look) => {
    const visit = await visitConsole(api, look);
    const { page } = visit;
    await visit.open("/sign-in");
    await page.getByLabel("Email address").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await page.title()).toBe("Sign in · Postrider");
    await visit.end();
  });

  test("speaks the browser's language", async () => {
    const visit = await visitConsole(api, { locale: "de-DE" });
    await visit.open("/sign-in");
    await visit.page.getByLabel("E-Mail-Adresse").waitFor();
    expect(await visit.page.locator("html").getAttribute("lang")).toBe("de");
    await visit.end();
  });
});
