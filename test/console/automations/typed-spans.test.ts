/** A span of time is the one that was typed, and no other. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chain, draft } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const amountOf = async (id: string): Promise<unknown> => {
  const { nodes } = (await api.call("GET", `/automations/${id}/flow`)).body.data;
  return nodes.find(({ type }: { type: string }) => type === "wait").data.amount;
};

describe.skipIf(lacksBrowser())("how long a step waits", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each([
    ["en-GB", "How long", "3", 3, "No problems found."],
    ["en-GB", "How long", "1.5", 1.5, "Enter a whole number from 1 to 3650 days."],
    ["de-DE", "Wie lange", "1,5", 1.5, "Geben Sie eine ganze Zahl an, von 1 bis 3650 Tage."],
  ])("in %s is emptied and typed anew: %s %s", async (locale, label, typed, amount, said) => {
    const id = await draft(
      api,
      chain({ trigger: "new_subscriber" }, ["wait", "wait", { amount: 14, unit: "days" }], ["out", "end"]),
    );
    const { page, open, end } = await visitAs(api, "editor", { locale });
    await open(`/automations/${id}`);
    await page.locator(".react-flow__node", { hasText: /Wait|Warten/ }).click();
    const field = page.getByLabel(label);
    await field.press("Control+A");
    await field.press("Delete");
    expect(await field.inputValue()).toBe("");
    await field.pressSequentially(typed);
    await field.press("Tab");
    expect(await field.inputValue()).toBe(typed);
    await eventually(async () => (await amountOf(id)) === amount);
    await page.getByText(said).first().waitFor();
    await end();
  });

  test("and how many days are simulated, too", async () => {
    const id = await draft(api, chain({ trigger: "new_subscriber" }, ["out", "end"]));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}`);
    await page.getByRole("tab", { name: "Simulate" }).click();
    const days = page.getByLabel("Look ahead (days)");
    for (const typed of ["30", "7"]) {
      await days.press("Control+A");
      await days.press("Delete");
      await days.pressSequentially(typed);
      expect(await days.inputValue()).toBe(typed);
    }
    await page.getByLabel("Person").fill("ada@example.com");
    const asked = page.waitForRequest(/\/simulate$/);
    await page.getByRole("button", { name: "Simulate", exact: true }).click();
    expect((await asked).postDataJSON().days).toBe(7);
    await end();
  });
});
