/** The links of a report beside its letter, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const LIMIT_MS = 180_000;
const FAR = "https://shop.example.org/far";
const BODY = `<p><a href="https://shop.example.org/near">Near</a></p>${"<p>One more paragraph.</p>".repeat(60)}
  <p><a href="${FAR}">Far</a> and <a href="${FAR}">again</a></p>`;

/** An outline is drawn around the link. */
const isLit = (link: Locator): Promise<boolean> =>
  link.evaluate(
    (element: any) => element.ownerDocument.defaultView.getComputedStyle(element).outlineStyle === "solid",
  );

/** Whether it is in the part of its frame that is shown. */
const isInSight = (link: Locator): Promise<boolean> =>
  link.evaluate((element: any) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
  });

describe.skipIf(lacksBrowser())("the links of a report", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test(
    "light up on the letter and come into sight there, by pointer and by keyboard, and the way back stays as it was",
    async () => {
      const { listId } = await makeAudience(api, ["ada@example.com"]);
      const id = await makeCampaign(api, listId, { name: "Links", body: BODY });
      await send(api, id);
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}/report`);
      const frame = page.frameLocator(".report-letter iframe:not([hidden])");
      const [near, far, again] = ["Near", "Far", "again"].map((name) =>
        frame.getByText(name, { exact: true }),
      );
      await far!.waitFor();
      expect([await isLit(far!), await isInSight(far!)]).toEqual([false, false]);
      const ways = await page.evaluate("history.length");

      const row = page.getByRole("row", { name: FAR });
      await row.hover();
      await eventually(async () => (await isLit(far!)) && (await isLit(again!)) && (await isInSight(far!)));
      expect(await isLit(near!)).toBe(false);
      await page.getByRole("heading", { name: "Links", exact: true }).first().hover();
      await eventually(async () => !(await isLit(far!)));

      await row.getByRole("button").focus();
      await eventually(() => isLit(again!));
      await page.keyboard.press("Shift+Tab");
      await eventually(async () => (await isLit(near!)) && (await isInSight(near!)) && !(await isLit(far!)));
      expect(await page.evaluate("history.length")).toBe(ways);

      await page.setViewportSize({ width: 390, height: 844 });
      expect(await isWiderThanScreen(page)).toBe(false);
      await end();
    },
    LIMIT_MS,
  );
});
