/** A report that somebody prints: what is read, and nothing to press. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, visitAs } from "../../support/browser/console.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

/** A4 without its margins. */
const PAPER = 718;

let api: SendingApi;
let report: string;
closesBrowser();

describe.skipIf(lacksBrowser())("on paper", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    const campaign = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await send(api, campaign);
    report = `/campaigns/${campaign}/report`;
  });
  afterAll(() => api.stop());

  test("a report has its figures and its tables, and neither the rail nor buttons", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: PAPER });
    await open(report);
    await page.locator(".report-people td").first().waitFor();
    await page.emulateMedia({ media: "print" });
    const shown = (selector: string) => page.locator(selector).first().isVisible();
    expect(
      await Promise.all([".frame-rail", ".bottom-bar", ".page-actions", ".page-back"].map(shown)),
    ).toEqual([false, false, false, false]);
    expect(await Promise.all(["h1", ".report-figures", ".report-people thead th"].map(shown))).toEqual([
      true,
      true,
      true,
    ]);
    const heads = await page.locator(".report-people thead").boundingBox();
    expect(heads?.width).toBeGreaterThan(PAPER / 2);
    expect(await isWiderThanScreen(page)).toBe(false);
    await end();
  });

  test("a chart that was drawn for a wide screen is not cut off at the edge of the paper", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: 1280 });
    await open("/");
    await page.emulateMedia({ media: "screen" });
    await page.locator(".overview-plot svg").first().waitFor();
    await page.emulateMedia({ media: "print" });
    // A page is laid out for paper before its scripts can draw anew.
    const edges = await page.evaluate<number[]>(`
      document.querySelector(".frame").style.width = "${PAPER / 2}px";
      [...document.querySelectorAll(".overview-plot svg")].map((one) => one.getBoundingClientRect().right)`);
    expect(edges.filter((edge) => edge > PAPER / 2)).toEqual([]);
    expect(edges.filter((edge) => edge > 0).length).toBeGreaterThan(1);
    await end();
  });

  test("the light colours are used, also of a screen that is dark before and after", async () => {
    const { page, open, end } = await visitAs(api, "editor", { colorScheme: "dark" });
    await open(report);
    await page.locator("h1").waitFor();
    await page.evaluate(
      `addEventListener("beforeprint", () => { window.printed = getComputedStyle(document.body).color; })`,
    );
    const colour = () => page.evaluate<string>("getComputedStyle(document.body).color");
    const before = await colour();
    await page.pdf();
    expect(await page.evaluate<string>("window.printed")).toBe("rgb(31, 40, 46)");
    expect([before, await colour()]).toEqual(["rgb(223, 230, 234)", "rgb(223, 230, 234)"]);
    await end();
  });
});
