/** A campaign that names a list which was deleted: it is still written on, and saved. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const made = async (path: string, body: object): Promise<string> =>
  (await api.call("POST", path, body)).body.data.id;
const optionsOf = async (id: string) => (await api.call("GET", `/campaigns/${id}/options`)).body.data;

describe.skipIf(lacksBrowser())("a campaign that names a list which was deleted", () => {
  beforeAll(async () => {
    api = await startConsole();
    for (const name of ["Readers", "Customers"]) await made("/lists", { name });
  });
  afterAll(() => api.stop());

  test("as one that does not get it leaves out another one too", async () => {
    const id = await made("/campaigns", { name: "Spring", subject: "Spring", body: "Hello" });
    const gone = await made("/lists", { name: "Last year" });
    await api.call("PATCH", `/campaigns/${id}/options`, { excludeListIds: [gone] });
    await api.call("DELETE", `/lists/${gone}`);
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}`);
    await page.getByRole("combobox", { name: "But not" }).click();
    await page.getByRole("option", { name: "Customers" }).click();
    await page.getByText(/^Saved \d/).waitFor();
    const { excludeListIds, excludeSegmentIds } = await optionsOf(id);
    expect([excludeListIds.length, excludeListIds.includes(gone), excludeSegmentIds]).toEqual([2, true, []]);
    await end();
  });

  test("a moment before it was chosen is not deleted with it: another one is chosen", async () => {
    const id = await made("/campaigns", { name: "Summer", subject: "Summer", body: "Hello" });
    const gone = await made("/lists", { name: "Too late" });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}`);
    const list = page.getByRole("combobox", { name: "List", exact: true });
    await list.click();
    await page.getByRole("option", { name: "Too late" }).waitFor();
    await api.call("DELETE", `/lists/${gone}`);
    await page.getByRole("option", { name: "Too late" }).click();
    await page.getByText("Not saved: This list is no longer there. Choose another.").waitFor();
    expect(await page.getByText("This campaign was deleted").count()).toBe(0);
    await list.click();
    await page.getByRole("option", { name: "Readers" }).click();
    await page.getByText(/^Saved \d/).waitFor();
    await eventually(async () => (await api.call("GET", `/campaigns/${id}`)).body.data.listId !== null);
    await end([404]);
  });
});
