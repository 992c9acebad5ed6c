/** Screens in the colours of the device, as people have them who see little. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

/** The colour of the dot in the chosen one of some radio buttons, and what is round it. */
const colours = (page: Page, dot: string): Promise<[string, string]> =>
  page.evaluate(`(() => {
    const icon = document.querySelector(${JSON.stringify(dot)});
    const button = icon.parentElement.querySelector("input") ?? icon.parentElement;
    return [getComputedStyle(icon).color, getComputedStyle(button).backgroundColor];
  })()`);

describe.skipIf(lacksBrowser())("in the colours of the device", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each(["light", "dark"] as const)(
    "%s: a chosen radio button has a dot that is seen",
    async (colorScheme) => {
      const { page, open, end } = await visitAs(api);
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      await open("/campaigns/new");
      await page.locator(".new-letter").waitFor();
      const [card, roundCard] = await colours(page, "[data-checked] > .mantine-RadioIndicator-icon");
      expect(card).not.toBe(roundCard);
      await open("/settings/keys");
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("radio", { name: "Everything" }).waitFor();
      const [dot, round] = await colours(page, "input:checked ~ .mantine-Radio-icon");
      expect(dot).not.toBe(round);
      await page.emulateMedia({ forcedColors: null });
      await end();
    },
  );
});
