/** From a figure of a report to the people that it counts, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, visitAs } from "../../support/browser/console.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";

let api: ReadersApi;
closesBrowser();

describe.skipIf(lacksBrowser())("the figures of a report", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startReaders();
  });
  afterAll(() => api.stop());

  test("lead to who opened, and to who clicked; a figure of nobody leads nowhere", async () => {
    const { campaignId, letters } = await api.mailTo(["ada@example.com", "grace@example.com"], {
      body: '<p><a href="https://shop.example.org/">Shop</a></p>',
    });
    const asReader = { headers: { "user-agent": "Thunderbird" } };
    await api.visit(letters[0]!.pixel, asReader);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 0 });

    const { page, open, end } = await visitAs(api, "viewer");
    await open(`/campaigns/${campaignId}/report`);
    const opened = page.getByRole("link", { name: "Opened: 1, see who" });
    await opened.waitFor();
    expect(await page.getByRole("link", { name: /^Clicked/ }).count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    await opened.click();
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    expect(await page.getByText("grace@example.com").count()).toBe(0);

    await api.visit(letters[1]!.links[0]!, asReader);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 1 });
    await open(`/campaigns/${campaignId}/report`);
    await page.getByRole("link", { name: "Clicked: 1, see who" }).click();
    await page.getByRole("link", { name: "grace@example.com" }).waitFor();
    expect(await page.getByText("ada@example.com").count()).toBe(0);
    await end();
  });
});
