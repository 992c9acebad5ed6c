/** Segments and conditions, as somebody writes them in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person as newPerson } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";
import { joins } from "../../support/server/signed-in.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("a segment that is written", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("is kept on the device for its workspace only, while it is new and not saved", async () => {
    await api.call("PATCH", "/settings", { name: "The first one" });
    const { page, person, open, end } = await visitAs(api, "editor");
    const other = await api.services.workspaces.create("The other one");
    await joins(api, other.id, person, "editor");
    const name = page.getByRole("textbox", { name: "Name" });
    const goTo = async (workspace: string) => {
      await page.getByRole("button", { name: /^Workspace: / }).click();
      await page.getByRole("menuitem", { name: workspace }).click();
      await page.getByRole("button", { name: new RegExp(`^Workspace: ${workspace}`) }).waitFor();
      await open("/segments/new");
      await name.waitFor();
    };
    await open("/segments/new");
    await name.fill("Those who owe us");
    await goTo("The other one");
    expect(await name.inputValue()).toBe("");
    await name.fill("Those who read us");
    await goTo("The first one");
    expect(await name.inputValue()).toBe("Those who owe us");
    await page.getByRole("button", { name: "Discard the changes" }).click();
    await goTo("The other one");
    expect(await name.inputValue()).toBe("Those who read us");
    await end();
  });

  test("has a day that can be typed by keyboard, one digit after the other", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    await open("/segments/new");
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByRole("menuitem", { name: "Date added" }).click();
    await page.getByRole("combobox", { name: "How" }).selectOption({ label: "is after" });
    await page.getByRole("status").getByText("Finish the condition: then the people are counted.").waitFor();
    const value = page.getByLabel("Value");
    await value.focus();
    // The same in every order of day and month.
    await page.keyboard.type("11112026");
    await eventually(async () => (await value.inputValue()) === "2026-11-11");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: /^Change: who .* 11 Nov 2026/ }).waitFor();
    await end();
  });

  test("asks keyboards of phones to leave a tag and a name as they are typed", async () => {
    const exact = { autocapitalize: "none", autocorrect: "off", spellcheck: "false" };
    const told = (field: Locator) =>
      field.evaluate((input: any) => ({
        autocapitalize: input.getAttribute("autocapitalize"),
        autocorrect: input.getAttribute("autocorrect"),
        spellcheck: input.getAttribute("spellcheck"),
      }));
    const rules = {
      all: [
        { field: "tag", op: "notEquals", value: "no-offers" },
        { field: "attributes.plan", op: "equals", value: "gold" },
      ],
    };
    const { id } = (await api.call("POST", "/segments", { name: "Exact", rules })).body.data;
    const contact = await newPerson(api, "exact@example.com", { tags: ["vip"] });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/segments/${id}`);
    await page.getByRole("button", { name: /^Change: .*no-offers/ }).click();
    expect(await told(page.getByRole("combobox", { name: "Value" }))).toEqual(exact);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: /^Change: .*gold/ }).click();
    expect(await told(page.getByRole("combobox", { name: /attribute/i }))).toEqual(exact);
    expect(await told(page.getByRole("textbox", { name: "Value" }))).toEqual(exact);
    await open(`/contacts/${contact.id}`);
    expect(await told(page.getByRole("combobox", { name: "Tags" }))).toEqual(exact);
    await end();
  });

  test("asks for yes or no where an attribute is that", async () => {
    await newPerson(api, "regular@example.com", { attributes: { regular: true } });
    const { page, open, end } = await visitAs(api, "editor");
    await open("/segments/new");
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByRole("menuitem", { name: "Attribute" }).click();
    const kind = page.getByRole("combobox", { name: "Kind of value" });
    expect(await kind.inputValue()).toBe("text");
    await page.getByRole("combobox", { name: "Name of the attribute" }).click();
    await page.getByRole("option", { name: "regular" }).click();
    expect(await kind.inputValue()).toBe("yesNo");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("1 person", { exact: false }).first().waitFor();
    await end();
  });

  test("is not saved by “Done” in one of its conditions, but by its button", async () => {
    const rulesOf = (value: string) => ({ all: [{ field: "tag", op: "equals", value }] });
    const made = await api.call("POST", "/segments", { name: "Fans", rules: rulesOf("fan") });
    const { id } = made.body.data;
    const saved = async () => (await api.call("GET", `/segments/${id}`)).body.data.rules;
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/segments/${id}`);
    const change = async (from: string, to: string) => {
      await page.getByRole("button", { name: `Change: who has the tag “${from}”` }).click();
      await page.getByRole("combobox", { name: "Value" }).fill(to);
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: `Change: who has the tag “${to}”` }).waitFor();
    };
    await change("fan", "half a th");
    await change("half a th", "thought");
    await page.getByText("Not saved yet: campaigns still use the segment as it was.").waitFor();
    expect(await saved()).toEqual(rulesOf("fan"));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved \d/).waitFor();
    expect(await saved()).toEqual(rulesOf("thought"));
    await end();
  });

  test("counts nobody while a condition is not finished, also where it was finished before", async () => {
    await api.call("POST", "/contacts", { email: "rich@example.com", attributes: { revenue: 1_234.5 } });
    const { page, open, end } = await visitAs(api, "editor", { locale: "de-DE" });
    const rules = { all: [{ field: "attributes.revenue", op: "greaterThan", value: 99.5 }] };
    const { id } = (await api.call("POST", "/segments", { name: "Viel Umsatz", rules })).body.data;
    await open(`/segments/${id}`);
    await page.getByText("1 Person, davon").waitFor();
    await page.getByRole("button", { name: /^Ändern: / }).click();
    await page.getByLabel("Wert", { exact: true }).fill("2.000,50");
    await page.getByText("Das muss eine Zahl ohne Tausenderpunkt sein").waitFor();
    await page.getByText("Vervollständigen Sie die Bedingung: dann werden die Personen gezählt.").waitFor();
    expect(await page.getByText("rich@example.com").count()).toBe(0);
    await page.getByLabel("Wert", { exact: true }).fill("2000,50");
    await page.getByText("0 Personen, davon").waitFor();
    await end();
  });

  test("does not say of a name that it is deleted, before all names are there; and does then", async () => {
    const make = async (name: string) => (await api.call("POST", "/lists", { name })).body.data.id;
    const lists = [await make("Readers"), await make("Short-lived")];
    const rules = { all: lists.map((value) => ({ field: "list", op: "equals", value })) };
    const { id } = (await api.call("POST", "/segments", { name: "On both", rules })).body.data;
    expect((await api.call("DELETE", `/lists/${lists[1]}`)).status).toBe(204);
    const { page, open, end } = await visitAs(api, "viewer");
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route("**/api/v1/lists?*", (route) => mayGo.then(() => route.continue()));
    await open(`/segments/${id}`);
    const chip = (says: string) => page.getByRole("button", { name: `Change: who is on ${says}` });
    await chip("the list “…”").nth(1).waitFor();
    go();
    await chip("the list “Readers”").waitFor();
    await chip("a list that was deleted").waitFor();
    // Nobody can be counted by it.
    await end([404]);
  });

  test("does not say of a campaign that it is deleted because a thousand newer ones were made since", async () => {
    const letter = { name: "The first", subject: "Hello", body: "<p>Hello</p>" };
    const campaign = (await api.call("POST", "/campaigns", letter)).body.data.id;
    const rules = { all: [{ field: "opened", op: "equals", value: campaign }] };
    const { id } = (await api.call("POST", "/segments", { name: "Old friends", rules })).body.data;
    const { page, open, end } = await visitAs(api, "viewer");
    let pages = 0;
    await page.route("**/api/v1/campaigns?*", (route) => {
      const data = Array.from({ length: 100 }, (_, n) => ({ id: `cmp_${++pages}_${n}`, name: "New" }));
      return route.fulfill({ json: { data, pagination: { nextCursor: "more", limit: 100, total: 2_000 } } });
    });
    await open(`/segments/${id}`);
    await eventually(async () => pages >= 1_000);
    await page.getByRole("button", { name: "Change: who opened the campaign “…”" }).waitFor();
    await end();
  });
});
