/** What is typed and taken away on the page of a person. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("a person's page", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("what somebody takes away from a person can be taken back", async () => {
    const { id } = await person(api, "undo@example.com", { attributes: { plan: "pro" } });
    const list = (await api.call("POST", "/lists", { name: "Walkers" })).body.data.id;
    await api.call("POST", `/lists/${list}/contacts`, { contactId: id });
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/contacts/${id}`);
    const undo = page.getByRole("button", { name: "Undo" });
    await page.getByRole("button", { name: "Remove plan" }).click();
    await page.getByLabel("plan", { exact: true }).waitFor({ state: "detached" });
    await undo.click();
    await page.getByLabel("plan", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove from Walkers" }).click();
    await page.getByText("On no list.").waitFor();
    await undo.click();
    await page.getByRole("link", { name: "Walkers", exact: true }).waitFor();
    const { data } = (await api.call("GET", `/contacts/${id}?include=attributes`)).body;
    expect(data.attributes).toEqual({ plan: "pro" });
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(1);
    await visit.end();
  });

  test.each([
    ["en-GB", "12,408", "12.5", 12.5, "Enter a number without thousands separators"],
    ["de-DE", "12.408", "12,5", 12.5, "Geben Sie eine Zahl ohne Tausenderpunkt ein"],
  ])(
    "%s: a number that is typed as %s is not saved as another one",
    async (locale, unclear, typed, number, says) => {
      const { id } = await person(api, `${locale.toLowerCase()}@numbers.example`, {
        attributes: { height: 3 },
      });
      const attributes = async () =>
        (await api.call("GET", `/contacts/${id}?include=attributes`)).body.data.attributes;
      const { page, open, end } = await visitAs(api, "editor", { locale });
      await open(`/contacts/${id}`);
      const height = page.getByLabel("height", { exact: true });
      await height.fill(unclear);
      await height.press("Enter");
      await page.getByText(says).waitFor();
      expect([await attributes(), await height.inputValue()]).toEqual([{ height: 3 }, unclear]);
      await height.fill(typed);
      const kept = page.waitForResponse((response) => response.request().method() === "PATCH");
      await height.press("Enter");
      await kept;
      expect(await attributes()).toEqual({ height: number });
      await page.getByText(says).waitFor({ state: "detached" });

      const form = page.locator("form.contact-new");
      await form.getByRole("combobox").first().fill("width");
      await form.locator("select").selectOption("number");
      const value = form.locator("input[inputmode=decimal]");
      await value.fill(unclear);
      await form.getByText(says).waitFor();
      expect(await form.locator("button[type=submit]").isDisabled()).toBe(true);
      await value.fill(typed);
      await value.press("Enter");
      await page.getByLabel("width", { exact: true }).waitFor();
      expect(await attributes()).toEqual({ height: number, width: number });
      expect(await page.getByLabel("width", { exact: true }).inputValue()).toBe(typed);
      await end();
    },
  );
});
