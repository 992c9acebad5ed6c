/** What floats over a screen stays on it: a window at 200 %, and a phone that lies on its side. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { builtConsole } from "../../scripts/console/build.ts";
import { lacksBrowser } from "../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../support/browser/console.ts";
import { eventually } from "../support/sending/relay.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../support/sending/sending.ts";

let api: SendingApi;
let campaign: string;
closesBrowser();

describe.skipIf(lacksBrowser())("a screen that is not high", () => {
  beforeAll(async () => {
    await builtConsole();
    api = await startSending();
    campaign = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
  });
  afterAll(() => api.stop());

  test.each([
    [640, 400],
    [844, 390],
    [568, 320],
  ])("of %i × %i shows all of the calendar that schedules a campaign", async (width, height) => {
    const { page, open, end } = await visitAs(api, "editor");
    await page.setViewportSize({ width, height });
    await open(`/campaigns/${campaign}`);
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.locator("[data-dates-input]").click();
    const calendar = page.locator("[data-dates-dropdown]");
    await calendar.waitFor();
    // The page behind a dialog does not scroll.
    await eventually(async () => {
      const { y, height: high } = (await calendar.boundingBox()) ?? { y: -1, height: 0 };
      return y >= 0 && y + high <= height;
    });
    const done = calendar.getByRole("button", { name: "Use this time" });
    await done.scrollIntoViewIfNeeded();
    expect(await page.evaluate("scrollY")).toBe(0);
    await done.click();
    await calendar.waitFor({ state: "hidden" });
    await end();
  });
});
