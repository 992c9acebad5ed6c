/** A send is stopped from its report while it goes on. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const PLANNED = 1_000;

/** The report of a send in which one more letter goes out whenever somebody looks. */
async function goesOut(page: Page, id: string): Promise<void> {
  const { data } = (await api.call("GET", `/campaigns/${id}/report?include=reasons`)).body;
  const startedAt = new Date().toISOString();
  let remaining = PLANNED;
  await page.route(`**/campaigns/${id}/report?**`, (route) => {
    remaining--;
    return route.fulfill({ json: { data: { ...data, startedAt, planned: PLANNED, remaining } } });
  });
}

describe.skipIf(lacksBrowser())("stopping a send", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("asks for a number that stands still while the mail goes out, and says there why it could not be stopped", async () => {
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    const id = await makeCampaign(api, listId, { name: "Under way" });
    const { page, open, end } = await visitAs(api, "editor");
    await goesOut(page, id);
    await open(`/campaigns/${id}/report`);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const question = dialog.getByText(/people have not got it yet/);
    const asked = await question.innerText();
    const [left = ""] = /^\d+/.exec(asked) ?? [];
    const done = async (): Promise<number> =>
      parseInt(await page.locator(".report-progress strong").innerText());
    await eventually(async () => (await done()) >= PLANNED - Number(left) + 2);
    expect(await question.innerText()).toBe(asked);
    await dialog.getByLabel(`Type ${left} to confirm`).fill(left);
    // The server has not begun to send it.
    await dialog.getByRole("button", { name: "Stop sending" }).click();
    await dialog.getByRole("alert").getByText("No send of this campaign is under way").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await end([422]);
  });
});
