/** What somebody works at on an automation's canvas is seen there, however long the flow is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { chain, draft } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const WAITS = Array.from({ length: 12 }, (_, at) => [`w${at}`, "wait", { amount: 1, unit: "days" }] as const);

const isSeen = (drawn: Locator): Promise<boolean> =>
  drawn.evaluate((element: any) => {
    const [shown, pane] = [element, element.closest(".react-flow")].map((one) => one.getBoundingClientRect());
    return shown.top >= pane.top && shown.bottom <= pane.bottom;
  });

describe.skipIf(lacksBrowser())("the canvas of a long flow", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("shows a way that is reached by keyboard", async () => {
    const id = await draft(api, chain({ trigger: "new_subscriber" }, ...WAITS, ["out", "end"]));
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}`);
    await page.getByText("The way ends here").waitFor();
    const last = page.locator(".react-flow__edge").last();
    expect(await isSeen(last)).toBe(false);
    await page.locator(".react-flow__node").first().focus();
    await page.keyboard.press("Shift+Tab");
    expect(await last.evaluate((way: any) => way === way.ownerDocument.activeElement)).toBe(true);
    await eventually(() => isSeen(last));
    await end();
  });

  test("shows the step that a problem leads to, and one that is added after it", async () => {
    const tag = ["tag", "action", { action: "add_tag", tag: "" }] as const;
    const id = await draft(api, chain({ trigger: "new_subscriber" }, ...WAITS, tag));
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}`);
    const last = page.locator(".react-flow__node").last();
    await last.waitFor();
    expect(await isSeen(last)).toBe(false);
    await page.getByRole("button", { name: "Show the step" }).click();
    await eventually(() => isSeen(last));
    for (let added = 0; added < 4; added++) {
      await page.getByRole("button", { name: "Wait", exact: true }).click();
      await page
        .locator(".react-flow__node")
        .nth(WAITS.length + 2 + added)
        .waitFor();
    }
    await eventually(() => isSeen(last));
    await end();
  });
});
