/** Times that somebody chooses are those of the workspace, wherever their browser is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chain, draft } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

/** Sets the browser's clock to that of another zone. The returned function takes it back: other visits use the page too. */
async function moveTo(page: Page, timezoneId: string): Promise<() => Promise<void>> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setTimezoneOverride", { timezoneId });
  return () => browser.detach();
}

describe.skipIf(lacksBrowser())("in another time zone than the workspace", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("somebody sees and chooses by its clock how long a step waits, and what a simulation says", async () => {
    await api.call("PATCH", "/settings", { timezone: "America/New_York" });
    const id = await draft(
      api,
      chain(
        { trigger: "new_subscriber" },
        ["wait", "wait", { until: "2099-12-24T14:00:00Z" }],
        ["out", "end"],
      ),
    );
    const { page, open, end } = await visitAs(api, "editor", { locale: "en-GB" });
    const moveBack = await moveTo(page, "Europe/Berlin");
    await open(`/automations/${id}`);
    const step = page.locator(".react-flow__node", { hasText: "Wait" });
    await step.getByText("Until 24 Dec 2099, 09:00").waitFor();
    await step.click();
    await page.getByText("In America/New_York, the time of this workspace.").waitFor();
    const until = page.getByLabel("Until", { exact: true });
    expect(await until.innerText()).toBe("24 Dec 2099, 09:00");

    await until.click();
    await page.getByRole("button", { name: /^26 December 2099/ }).click();
    await page.keyboard.press("Escape");
    await eventually(async () => {
      const { nodes } = (await api.call("GET", `/automations/${id}/flow`)).body.data;
      return (
        nodes.find(({ id: node }: { id: string }) => node === "wait").data.until ===
        "2099-12-26T14:00:00.000Z"
      );
    });
    await moveBack();
    await end();
  });

  test("the day of a condition is the workspace's day", async () => {
    await api.call("PATCH", "/settings", { timezone: "America/New_York" });
    const rules = { field: "createdAt", op: "after", value: "2026-03-01T05:00:00Z" };
    const { id } = (await api.call("POST", "/segments", { name: "Since March", rules })).body.data;
    const { page, open, end } = await visitAs(api, "editor", { locale: "en-GB" });
    const moveBack = await moveTo(page, "Pacific/Pago_Pago");
    await open(`/segments/${id}`);
    await page.getByRole("button", { name: /^Change: who .* 1 Mar 2026, 00:00/ }).click();
    const day = page.getByLabel("Value");
    await page.getByText("It begins at midnight in America/New_York, the time of this workspace.").waitFor();
    expect(await day.inputValue()).toBe("2026-03-01");
    await day.fill("2026-03-09");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: /^Change: who .* 9 Mar 2026, 00:00/ }).waitFor();
    await moveBack();
    await end();
  });

  test("a warm-up begins on the workspace's day", async () => {
    await api.call("PATCH", "/settings", { timezone: "Pacific/Pago_Pago" });
    const { page, open, end } = await visitAs(api);
    // More than a day ahead, at any time.
    const moveBack = await moveTo(page, "Pacific/Kiritimati");
    await open("/settings/limits");
    const today = new Intl.DateTimeFormat("sv", { timeZone: "Pacific/Pago_Pago" }).format(new Date());
    await page.getByLabel("Warm-up of a new sender").press("Space");
    await eventually(
      async () => (await api.call("GET", "/settings")).body.data.warmUp === `200 30% 21 ${today}`,
    );
    await moveBack();
    await end();
  });
});
