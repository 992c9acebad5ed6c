/** What is deleted while somebody writes on it: they are told, and what they wrote is still there. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const made = async (path: string, body: object): Promise<string> =>
  (await api.call("POST", path, body)).body.data.id;

const RULES = { all: [{ field: "email", op: "contains", value: "a" }] };
const nameOf = (page: Page): Locator => page.getByRole("textbox", { name: "Name", exact: true });

const THINGS = [
  { path: "/lists", body: { name: "Readers" }, field: nameOf, save: null },
  { path: "/segments", body: { name: "Near", rules: RULES }, field: nameOf, save: "Save" },
  {
    path: "/forms",
    body: { name: "Sign up" },
    field: (page: Page) => page.getByLabel("Text after submitting"),
    save: "Save",
  },
];

describe.skipIf(lacksBrowser())("what is deleted while somebody writes on it", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each(THINGS)("$path: they are told, and it stays on the page", async ({ path, body, field, save }) => {
    const id = await made(path, body);
    const { page, open, end } = await visitAs(api, "editor");
    await open(`${path}/${id}`);
    await field(page).waitFor();
    await api.call("DELETE", `${path}/${id}`);
    await field(page).fill("Written for long");
    if (save !== null) await page.getByRole("button", { name: save, exact: true }).click();
    const alert = page.getByRole("alert").filter({ hasText: "This was deleted" });
    await alert.getByText("cannot be saved any more").waitFor();
    expect(await field(page).inputValue()).toBe("Written for long");
    expect(await page.getByText(/^(Not saved: |Saved \d)/).count()).toBe(0);
    await end([404]);
  });

  test("a list that a form names is not the form: it is said what was not saved, and why", async () => {
    const id = await made("/forms", { name: "Sign up again" });
    const gone = await made("/lists", { name: "Too late" });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/forms/${id}`);
    const list = page.getByRole("combobox", { name: "List" });
    await list.getByRole("option", { name: "Too late" }).waitFor({ state: "attached" });
    await api.call("DELETE", `/lists/${gone}`);
    await list.selectOption({ label: "Too late" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Not saved: /).waitFor();
    expect(await page.getByText("This was deleted").count()).toBe(0);
    await end([404]);
  });
});
