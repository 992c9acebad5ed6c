/** More lists than are loaded at once: each is found, and the one that a campaign goes to is called by its name. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { draft } from "../../support/automations/automations.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const made = async (path: string, body: object): Promise<string> =>
  (await api.call("POST", path, body)).body.data.id;
const [oldest, left] = ["The oldest", "The left out"];
const ids: Record<string, string> = {};

describe.skipIf(lacksBrowser())("with more than a thousand lists", () => {
  beforeAll(async () => {
    api = await startConsole();
    await api.call("PATCH", "/settings", {
      mailingAddress: "1 Example Street",
      fromEmail: "ada@example.com",
    });
    for (const name of [oldest, left]) ids[name] = await made("/lists", { name });
    const { id } = await person(api, "grace@example.com", {});
    await api.call("POST", `/lists/${ids[oldest]}/contacts`, { contactId: id });
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(
        Array.from({ length: 101 }, (_, at) => made("/lists", { name: `Newer ${batch} ${at}` })),
      );
  });
  afterAll(() => api.stop());

  test("a campaign says which list it goes to and which it leaves out, also in the last question", async () => {
    const id = await made("/campaigns", { name: "Hi", subject: "Hi", body: "Hello", listId: ids[oldest] });
    await api.call("PATCH", `/campaigns/${id}/options`, { excludeListIds: [ids[left]] });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}`);
    const list = page.getByRole("combobox", { name: "List", exact: true });
    await eventually(async () => (await list.inputValue()) === oldest);
    await page.locator(".mantine-Pill-label", { hasText: left }).waitFor();
    await page.getByRole("button", { name: "Send to 1 person" }).click();
    await page.getByRole("dialog").getByText(`It goes to 1 person: ${oldest}, but not ${left}.`).waitFor();
    await end();
  });

  test("an old one is found by a part of its name, and chosen: for a campaign, and for a form", async () => {
    const id = await made("/campaigns", { name: "Ho", subject: "Ho", body: "Hello" });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}`);
    await page.getByRole("combobox", { name: "List", exact: true }).fill("oldest");
    await page.getByRole("option", { name: oldest }).click();
    await page.getByText(/^Saved \d/).waitFor();
    expect((await api.call("GET", `/campaigns/${id}`)).body.data.listId).toBe(ids[oldest]);
    await open("/forms");
    await page.getByRole("button", { name: "Create a form" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Letters");
    await dialog.getByPlaceholder("No list").fill("oldest");
    await page.getByRole("option", { name: oldest }).click();
    await dialog.getByRole("button", { name: "Create it" }).click();
    await page.getByRole("heading", { name: "Letters" }).first().waitFor();
    const list = page.getByLabel("List", { exact: true }).first();
    await eventually(async () => (await list.inputValue()) === oldest);
    await end();
  });

  test("a flow calls its lists by their names, and an old one is found for a step", async () => {
    const isIn = { all: [{ field: "list", op: "equals", value: ids[left] }] };
    const nodes = [
      { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
      { id: "asked", type: "condition", data: isIn },
      { id: "added", type: "action", data: { action: "add_to_list", listId: ids[left] } },
    ];
    const edges = [
      { source: "in", target: "asked" },
      { source: "asked", sourceHandle: "true", target: "added" },
    ];
    const id = await draft(api, { nodes, edges });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=added`);
    await page.getByText(/^List .*The left out$/).waitFor();
    const list = page.getByRole("combobox", { name: "List", exact: true });
    await eventually(async () => (await list.inputValue()) === left);
    await list.fill("oldest");
    await page.getByRole("option", { name: oldest }).click();
    await page.getByText(/^Saved /).waitFor();
    const flow = (await api.call("GET", `/automations/${id}/flow`)).body.data;
    expect(flow.nodes[2].data.listId).toBe(ids[oldest]);
    await end();
  });
});
