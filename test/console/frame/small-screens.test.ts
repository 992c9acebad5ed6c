/** What floats over a screen stays on it: a window at 200 %, and a phone that lies on its side. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { escapedTexts } from "../../support/browser/boxes.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, visitAs } from "../../support/browser/console.ts";
import { goneWebhook } from "../../support/browser/console-world.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { webhookTarget } from "../../support/webhooks/webhook-target.ts";

let api: SendingApi;
let campaign: string;
const target = webhookTarget();
closesBrowser();

describe.skipIf(lacksBrowser())("a screen that is not high", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    campaign = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await goneWebhook(api, target, (text) => text);
  });
  afterAll(async () => {
    await api.stop();
    target.stop();
  });

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

  test("of 320 pixels shows a report in German without scrolling sideways, whatever its buttons are called", async () => {
    const { listId } = await makeAudience(api, ["grace@example.com"]);
    const sent = await makeCampaign(api, listId);
    await send(api, sent);
    const { page, open, end } = await visitAs(api, "editor", { width: 320, locale: "de-DE" });
    await open(`/campaigns/${sent}/report`);
    await page.getByRole("button", { name: "Allen schreiben, die nicht geöffnet haben" }).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await end();
  });

  test.each([
    ...["senders", "relay", "limits", "signups", "people", "keys", "webhooks", "suppressions", "account"].map(
      (section) => `/settings/${section}`,
    ),
    "/activity?tab=webhooks",
  ])("of 320 pixels shows %s in German without scrolling sideways", async (path) => {
    const { page, open, end } = await visitAs(api, "owner", { width: 320, locale: "de-DE" });
    await open(path);
    await page.locator("main h2, main td").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect([await isWiderThanScreen(page), await escapedTexts(page)]).toEqual([false, []]);
    await end();
  });

  test("shows each link that the keyboard comes to: none lies under the bar below", async () => {
    for (let at = 0; at < 20; at++) await api.call("POST", "/lists", { name: `Readers ${at}` });
    const { page, open, end } = await visitAs(api, "editor");
    await page.setViewportSize({ width: 640, height: 400 });
    await open("/lists");
    const links = page.locator(".data-table a, main td a");
    await links.nth(19).waitFor();
    await links.first().focus();
    const hidden: string[] = [];
    for (let at = 0; at < 20; at++) {
      const word = await page.evaluate<string | null>(COVERED);
      if (word !== null) hidden.push(word);
      await page.keyboard.press("Tab");
    }
    expect(hidden).toEqual([]);
    await end();
  });

  test("of a phone marks in the bar where somebody is, also on the pages of contacts", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: 390 });
    const here = page.locator(".bottom-bar [aria-current]");
    for (const [path, mark] of [
      ["/contacts", "page"],
      ["/lists", "true"],
      ["/segments", "true"],
    ] as const) {
      await open(path);
      await page.locator("h1").waitFor();
      expect([await here.innerText(), await here.getAttribute("aria-current")]).toEqual(["Contacts", mark]);
    }
    await end();
  });

  test("of a phone has a way back that a finger meets", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: 390 });
    await open(`/campaigns/${campaign}`);
    const back = page.locator("main").getByRole("link", { name: "Campaigns", exact: true });
    await back.waitFor();
    expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(32);
    await end();
  });

  test("of a phone has names in its tables that a finger meets, and tables as high as before", async () => {
    await api.call("POST", "/lists", { name: "Readers" });
    const { page, open, end } = await visitAs(api, "editor", { width: 390 });
    for (const path of ["/lists", "/campaigns"]) {
      await open(path);
      const name = page.locator("td a").first();
      await name.waitFor();
      expect((await name.boundingBox())?.height).toBeGreaterThanOrEqual(32);
      // What makes it higher lies in the room around it.
      const { height = 0 } = (await page.locator("tr:has(td a)").first().boundingBox()) ?? {};
      await page.evaluate("for (const link of document.querySelectorAll('td a')) link.style.all = 'unset'");
      expect((await page.locator("tr:has(td a)").first().boundingBox())?.height).toBe(height);
    }
    await end();
  });

  test("of a phone shows the letter where its place was kept: whom it goes to does not move away under a finger", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: 390 });
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route("**/preview**", (route) => mayGo.then(() => route.continue()));
    await open(`/campaigns/${campaign}`);
    const to = page.getByRole("heading", { name: "To", exact: true });
    await to.waitFor();
    expect((await to.boundingBox())?.y).toBeGreaterThan(844);
    go();
    await page.locator(".letter-frame iframe").waitFor();
    await end();
  });
});

/** What has the focus, if something else lies over its middle. */
const COVERED = `(() => {
  const one = document.activeElement;
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return one.contains(seen) ? null : one.textContent;
})()`;
