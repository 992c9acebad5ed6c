/** Things are found by their names, and lead to what they belong to. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { hasFocus } from "../../support/browser/keyboard.ts";
import { axeProblems, closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const make = async (path: string, body: object): Promise<string> =>
  (await api.call("POST", path, body)).body.data.id;

describe.skipIf(lacksBrowser())("finding in the console", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("Ctrl-K finds lists, segments, templates, forms and automations by a part of their names, and says what each is", async () => {
    const tag = { field: "tag", op: "equals", value: "a" };
    const ids = {
      lists: await make("/lists", { name: "Quokka readers" }),
      segments: await make("/segments", { name: "Quokka fans", rules: tag }),
      templates: await make("/templates", { name: "Quokka receipt", subject: "A", body: "<p>A</p>" }),
      forms: await make("/forms", { name: "Quokka sign-up" }),
      automations: await make("/automations", { name: "Quokka welcome" }),
    };
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Control+k");
    await hasFocus(page, page.locator(".mantine-Spotlight-search"));
    await page.keyboard.type("quokka");
    for (const [says, name] of [
      ["Lists", "Quokka readers"],
      ["Segments", "Quokka fans"],
      ["Templates", "Quokka receipt"],
      ["Forms", "Quokka sign-up"],
      ["Automations", "Quokka welcome"],
    ] as const)
      await page.locator(".mantine-Spotlight-action", { hasText: name }).filter({ hasText: says }).waitFor();
    await page.keyboard.type(" fans");
    await page.locator(".mantine-Spotlight-action[data-selected]", { hasText: "Quokka fans" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/segments/${ids.segments}`);
    await visit.end();
  });

  test("the overview is also found at /overview, which is what its screen is called", async () => {
    const visit = await visitAs(api, "viewer");
    await visit.open("/overview");
    await visit.page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    await visit.page.waitForURL(/\/console\/?$/);
    await visit.end();
  });

  test("one list of many is found by its name, on the lists' screen and where one is picked", async () => {
    await make("/lists", { name: "Über uns" });
    await Promise.all(Array.from({ length: 60 }, (_, i) => make("/lists", { name: `List number ${i}` })));
    const { id } = await person(api, "picker@example.com");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/lists");
    await page.getByRole("button", { name: "Show more" }).waitFor();
    await page.keyboard.press("/");
    await hasFocus(page, page.getByLabel("Search lists"));
    await page.keyboard.type("über");
    await page.getByRole("link", { name: "Über uns" }).waitFor();
    expect(await page.getByRole("link", { name: /^List number/ }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe("über");
    expect(await axeProblems(page)).toEqual([]);
    await page.getByLabel("Search lists").fill("nothing is called so");
    await page.getByText("No list has such a name").waitFor();
    await page.getByRole("button", { name: "Show all lists" }).click();
    await page.getByRole("button", { name: "Show more" }).waitFor();
    await visit.open(`/contacts/${id}`);
    await page.getByRole("combobox", { name: "Add to a list …" }).fill("über");
    await page.getByRole("option", { name: "Über uns" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Über uns", exact: true }).waitFor();
    await visit.end();
  });

  test.each([
    ["/lists", "Search lists"],
    ["/campaigns", "Search campaigns"],
    ["/contacts", "Search by address or name"],
  ])(
    "%s: what is looked for stands in the address; a pause after a space loses nothing; one button clears it",
    async (path, label) => {
      await make("/lists", { name: "Ada Lovelace" });
      await make("/campaigns", { name: "Ada Lovelace", subject: "Hello", body: "<p>Hello</p>" });
      await person(api, `ada${path.length}@example.com`, { firstName: "Ada", lastName: "Lovelace" });
      const visit = await visitAs(api, "editor");
      const { page } = visit;
      await visit.open(path);
      const field = page.getByRole("searchbox", { name: label });
      const looksFor = (q: string | null) =>
        page.waitForURL((url) => url.pathname.endsWith(path) && url.searchParams.get("q") === q);
      await field.fill("Ada ");
      await looksFor("Ada");
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      expect(await field.inputValue()).toBe("Ada ");
      await field.pressSequentially("Lovelace");
      await looksFor("Ada Lovelace");
      await page.reload();
      await field.waitFor();
      expect(await field.inputValue()).toBe("Ada Lovelace");
      await page.getByRole("button", { name: "Clear the search" }).click();
      await looksFor(null);
      await hasFocus(page, field);
      expect(await field.inputValue()).toBe("");
      await visit.end();
    },
  );

  test("what happened to a person leads to what it was about; a new attribute is of the kind that is chosen, or that others have", async () => {
    await person(api, "grown@example.com", { attributes: { age: 40 } });
    const { id } = await person(api, "story@example.com");
    const list = await make("/lists", { name: "Storytellers" });
    await api.call("POST", `/lists/${list}/contacts`, { contactId: id });
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/contacts/${id}`);
    const form = page.getByRole("form", { name: "Add an attribute" });
    const kind = form.getByLabel("Kind");
    await form.getByLabel("Name").fill("age");
    await kind.locator("option:checked", { hasText: "Number" }).waitFor({ state: "attached" });
    await form.getByLabel("Value").fill("37.5");
    await page.keyboard.press("Enter");
    await page.getByLabel("age", { exact: true }).waitFor();
    await form.getByLabel("Name").fill("vip");
    await kind.selectOption({ label: "Yes or no" });
    await form.getByLabel("Value").selectOption({ label: "No" });
    expect(await axeProblems(page)).toEqual([]);
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByLabel("vip", { exact: true }).waitFor();
    const { data } = (await api.call("GET", `/contacts/${id}?include=attributes`)).body;
    expect(data.attributes).toEqual({ age: 37.5, vip: false });
    await page
      .getByRole("listitem")
      .getByRole("link", { name: /Storytellers/ })
      .click();
    await page.waitForURL(`**/lists/${list}`);
    await visit.end();
  });

  test("tags in use are offered, the most used first: in a filter, for many, and on a person's page", async () => {
    for (const [email, tags] of [
      ["t1@example.com", ["wombat-fan"]],
      ["t2@example.com", ["wombat-fan", "wombat-vip"]],
    ] as const)
      await person(api, email, { tags });
    const { id } = await person(api, "untagged@example.com");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    const option = (name: string) => page.getByRole("option", { name, exact: true });
    await visit.open(`/contacts/${id}`);
    await page.getByRole("combobox", { name: "Tags" }).fill("WOMBAT");
    await option("wombat-vip").waitFor();
    expect(await page.getByRole("option").filter({ hasText: "wombat" }).allTextContents()).toEqual([
      "wombat-fan",
      "wombat-vip",
    ]);
    await option("wombat-vip").click();
    await page.getByText(/^Saved /).waitFor();
    expect((await api.call("GET", `/contacts/${id}`)).body.data.tags).toEqual(["wombat-vip"]);
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByRole("menuitem", { name: "Tag", exact: true }).click();
    await page.getByRole("combobox", { name: "Value" }).fill("wombat");
    await option("wombat-fan").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("2 people").first().waitFor();
    await page.getByRole("checkbox", { name: /t1@example.com/ }).check();
    await page.getByRole("button", { name: "Tag / List" }).click();
    await page.getByRole("menuitem", { name: "Add tag" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Tag" }).fill("vip");
    await option("wombat-vip").click();
    await page.getByRole("button", { name: "Tag 1 person" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await visit.end();
  });

  test("a person who was deleted elsewhere while their page is open: it says so, and leads back", async () => {
    const { id } = await person(api, "gone@example.com");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/contacts/${id}`);
    await page.getByLabel("First name").waitFor();
    await api.call("DELETE", `/contacts/${id}`);
    await page.getByLabel("First name").fill("Ada");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "gone@example.com is not here any more" }).waitFor();
    await page.getByRole("link", { name: "To the contacts" }).click();
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
    await visit.end([404]);
  });

  test("somebody who was to join a list that is gone is not added without it", async () => {
    const list = await make("/lists", { name: "Short-lived" });
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("List", { exact: true }).fill("short");
    await page.getByRole("option", { name: "Short-lived" }).click();
    await api.call("DELETE", `/lists/${list}`);
    await dialog.getByLabel("Email address").fill("half@example.com");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect((await api.call("GET", "/contacts?q=half@example.com")).body.pagination.total).toBe(0);
    await visit.end([404]);
  });
});
