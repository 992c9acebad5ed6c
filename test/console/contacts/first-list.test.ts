/** The first list is made where one has to be chosen: by an import, for a form, for many people at once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  startConsole,
  visitAs,
  type ConsoleVisit,
} from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";
import { endWord } from "../../support/browser/keyboard.ts";
import { person } from "../../support/people/people.ts";

let api: TestApi;
let visit: ConsoleVisit;
/** What a test made, and what goes after it, before its list. */
const made: string[] = [];
closesBrowser();

type Listed = { readonly id: string; readonly name: string; readonly contactCount: number };
const lists = async (): Promise<Listed[]> => (await api.call("GET", "/lists")).body.data;

/** Names the first list where the screen asks for it; then the question is gone, and the list is there. */
async function makeFirst(page: Page): Promise<Listed> {
  const name = page.getByLabel("Name of the list");
  await name.waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await name.fill("Newsletter");
  await name.press("Enter");
  await name.waitFor({ state: "detached" });
  const [list, ...others] = await lists();
  expect([list, others]).toMatchObject([{ name: "Newsletter" }, []]);
  return list!;
}

describe.skipIf(lacksBrowser())("the first list", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterEach(async () => {
    await visit.end();
    // Not before: an open page still asks for what it shows.
    for (const path of made.splice(0)) await api.call("DELETE", path);
    for (const { id } of await lists()) await api.call("DELETE", `/lists/${id}`);
  });
  afterAll(() => api.stop());

  test("is made once, however fast somebody clicks twice", async () => {
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/lists");
    await page.getByRole("button", { name: "Create a list" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Newsletter");
    // Two clicks that waited for a busy page come right after each other, before any timer.
    await dialog.getByRole("button", { name: "Create a list" }).evaluate((button: any) => {
      const again = new MessageChannel();
      again.port1.addEventListener("message", () => button.click());
      again.port1.start();
      again.port2.postMessage(null);
      button.click();
    });
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Newsletter" }).waitFor();
    expect((await lists()).map(({ name }) => name)).toEqual(["Newsletter"]);
  });

  test("has nobody yet, and its page says how people come onto it", async () => {
    await api.call("POST", "/lists", { name: "Newsletter" });
    const [list] = await lists();
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/lists/${list?.id}`);
    await page.getByText("0 people, 0 of them subscribed").waitFor();
    await page.getByText(/^People come onto it from a file/).waitFor();
    expect(await page.getByRole("link", { name: "See its 0 people" }).count()).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Import a file" }).click();
    await page.getByRole("heading", { name: "Import contacts" }).waitFor();
  });

  /** Somebody is chosen who is to be added to a list, and there is none. */
  async function choosingAList(): Promise<Page> {
    await person(api, "ada@example.com");
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("checkbox", { name: /ada@/ }).check();
    await page.getByRole("button", { name: "Tag / List" }).click();
    await page.getByRole("menuitem", { name: "Add to list" }).click();
    return page;
  }

  test("is not made of half its name by Enter that only ends a word of an input method", async () => {
    const page = await choosingAList();
    const name = page.getByLabel("Name of the list");
    await name.fill("ニュース");
    await endWord(name, "Chrome");
    await endWord(name, "Safari");
    await name.fill("ニュースレター");
    await name.press("Enter");
    await name.waitFor({ state: "detached" });
    expect((await lists()).map((list) => list.name)).toEqual(["ニュースレター"]);
  });

  test("is made for many people, who are on it then", async () => {
    const page = await choosingAList();
    await makeFirst(page);
    await page.getByRole("button", { name: "Add 1 person to the list" }).click();
    await page.getByText("1 added to the list").waitFor();
    expect(await lists()).toMatchObject([{ name: "Newsletter", contactCount: 1 }]);
  });

  test("is made on somebody's page, who is on it then", async () => {
    const { id } = await person(api, "grace@example.com");
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/contacts/${id}`);
    await makeFirst(page);
    await page.getByRole("link", { name: "Newsletter", exact: true }).waitFor();
    expect(await lists()).toMatchObject([{ name: "Newsletter", contactCount: 1 }]);
  });

  test("is made in a campaign, and whoever is subscribed is put on it", async () => {
    const draft = { name: "Spring", subject: "Spring", body: "<p>Hello</p>" };
    const { id } = (await api.call("POST", "/campaigns", draft)).body.data;
    made.push(`/campaigns/${id}`);
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/campaigns/${id}`);
    await makeFirst(page);
    await page.getByText("Nobody is on this list yet. 2 contacts are subscribed.").waitFor();
    await page.getByRole("button", { name: "Add all of them to this list" }).click();
    await page.getByText("Nobody is on this list yet.").waitFor({ state: "detached" });
    await page.getByText("2 people", { exact: true }).waitFor();
    expect(await lists()).toMatchObject([{ name: "Newsletter", contactCount: 2 }]);
  });

  test("is made while a file is looked at, whose people are on it then", async () => {
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    const file = { name: "two.csv", mimeType: "text/csv", buffer: Buffer.from("email\na@x.org\nb@x.org\n") };
    await page.locator("input[type=file]").setInputFiles(file);
    await makeFirst(page);
    await page.locator(".mantine-Pill-label", { hasText: "Newsletter" }).waitFor();
    await page.getByLabel("They agreed to marketing mail").check();
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    expect(await lists()).toMatchObject([{ name: "Newsletter", contactCount: 2 }]);
  });

  test("is made in the settings of a form, which leads to it then", async () => {
    const { id } = (await api.call("POST", "/forms", { name: "Stay in touch" })).body.data;
    made.push(`/forms/${id}`);
    visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/forms/${id}`);
    const list = await makeFirst(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved /).waitFor();
    expect((await api.call("GET", `/forms/${id}`)).body.data.listId).toBe(list.id);
  });
});
