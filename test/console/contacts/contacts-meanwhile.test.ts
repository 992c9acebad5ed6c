/** Contacts that others change while somebody looks at them: nobody is deleted unseen, and no tag is lost or comes back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { comesBack } from "../../support/browser/comes-back.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { contactsTagged } from "../../support/browser/contacts-path.ts";
import { endWord, hasFocus } from "../../support/browser/keyboard.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const tagsOf = async (id: string): Promise<string[]> =>
  (await api.call("GET", `/contacts/${id}`)).body.data.tags.toSorted();
const act = (id: string, action: "addTag" | "removeTag", tag: string) =>
  api.call("POST", "/contacts/actions", { action, tag, contactIds: [id] });

const pill = (page: Page, tag: string) => page.locator(".mantine-TagsInput-pill", { hasText: tag });
const remove = (page: Page, tag: string) => pill(page, tag).locator("button").click();
const field = (page: Page) => page.getByRole("combobox", { name: "Tags" });

describe.skipIf(lacksBrowser())("contacts that are changed elsewhere meanwhile", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("are not deleted by a filter that somebody else fits by now, and are once their number was confirmed", async () => {
    const leaver = (name: string) => person(api, `${name}@example.com`, { tags: ["leaver"] });
    for (const name of ["ada", "grace", "linus"]) await leaver(name);
    const left = async (): Promise<number> =>
      (await api.call("GET", "/contacts?tag=leaver")).body.pagination.total;
    const { page, open, end } = await visitAs(api, "editor");
    const chooseAll = async (count: number): Promise<void> => {
      await page
        .getByRole("columnheader")
        .getByRole("checkbox", { name: `Choose all ${count}` })
        .click();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByLabel(`Type ${count} to confirm`).fill(String(count));
    };
    await open(contactsTagged("leaver"));
    await page.getByText("3 people").waitFor();
    await chooseAll(3);
    await leaver("late");
    await page.getByRole("button", { name: "Delete 3 people" }).click();
    await page.getByRole("alert").getByText("It is not 3 any more").waitFor();
    expect(await left()).toBe(4);

    await page.getByText("4 people").waitFor();
    await chooseAll(4);
    expect(await page.getByText("It is not 3 any more").count()).toBe(1);
    await page.getByRole("button", { name: "Delete 4 people" }).click();
    await page.getByText("4 deleted").waitFor();
    expect([await left(), await page.getByRole("alert").count()]).toEqual([0, 0]);
    await end();
  });

  test("lose both tags that are removed quickly, and keep the one that was added elsewhere", async () => {
    const { id } = await person(api, "quick@example.com", { tags: ["first", "second", "third"] });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    await pill(page, "third").waitFor();
    await act(id, "addTag", "theirs");
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route("**/api/v1/contacts/**", (route) => mayGo.then(() => route.continue()));
    const asked = page.waitForRequest((request) => request.method() !== "GET");
    await remove(page, "first");
    await asked;
    await remove(page, "second");
    go();
    await pill(page, "theirs").waitFor();
    await eventually(async () => (await pill(page, "second").count()) === 0);
    expect(await tagsOf(id)).toEqual(["theirs", "third"]);
    expect(await pill(page, "first").count()).toBe(0);
    await field(page).fill("fourth");
    await page.keyboard.press("Enter");
    await pill(page, "fourth").waitFor();
    // The page shows it before it is stored.
    await eventually(async () => (await tagsOf(id)).length === 3);
    expect(await tagsOf(id)).toEqual(["fourth", "theirs", "third"]);
    await end();
  });

  test("lose the last two tags by two quick Backspaces: the second asks for the tag before", async () => {
    const { id } = await person(api, "keys@example.com", { tags: ["first", "second", "third"] });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    await pill(page, "third").waitFor();
    const shown = await page.locator(".mantine-TagsInput-pill").allTextContents();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    const asked: string[] = [];
    await page.route("**/api/v1/contacts/actions", async (route) => {
      asked.push(route.request().postDataJSON().tag);
      await mayGo;
      await route.continue();
    });
    await field(page).press("Backspace");
    await field(page).press("Backspace");
    await eventually(async () => (await page.locator(".mantine-TagsInput-pill").count()) === 1);
    go();
    await page.getByText(/^Saved \d/).waitFor();
    await eventually(async () => asked.length === 2 && (await tagsOf(id)).length === 1);
    expect([asked, await tagsOf(id)]).toEqual([[shown[2]!, shown[1]!], [shown[0]!]]);
    await end();
  });

  test("keep both of two words that are added quickly to a list that is known of them", async () => {
    const { id } = await person(api, "lists@example.com", { attributes: { colours: ["red"] } });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    const colours = page.getByRole("combobox", { name: "colours" });
    await pill(page, "red").waitFor();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route(`**/api/v1/contacts/${id}?*`, async (route) => {
      if (route.request().method() === "PATCH") await mayGo;
      await route.continue();
    });
    for (const word of ["green", "blue"]) {
      await colours.fill(word);
      await colours.press("Enter");
    }
    go();
    const stored = async () =>
      (await api.call("GET", `/contacts/${id}?include=attributes`)).body.data.attributes.colours;
    await eventually(async () => (await stored()).includes("blue"));
    expect(await stored()).toEqual(["red", "green", "blue"]);
    await pill(page, "blue").waitFor();
    expect(await page.locator(".mantine-TagsInput-pill").allTextContents()).toEqual(["red", "green", "blue"]);
    await end();
  });

  test("keep what is typed on into a name while it is being saved", async () => {
    const { id } = await person(api, "typist@example.com");
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    const name = page.getByLabel("First name");
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route(`**/api/v1/contacts/${id}?*`, async (route) => {
      if (route.request().method() === "PATCH") await mayGo;
      await route.continue();
    });
    await name.fill("Ada");
    const isSent = page.waitForRequest((request) => request.method() === "PATCH");
    await name.press("Enter");
    await isSent;
    await name.fill("Ada Byron");
    go();
    await page.getByText(/^Saved \d/).waitFor();
    expect(await name.inputValue()).toBe("Ada Byron");
    const isAnswered = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await name.press("Enter");
    await isAnswered;
    const stored = async () => (await api.call("GET", `/contacts/${id}`)).body.data.firstName;
    await eventually(async () => (await stored()) === "Ada Byron");
    // What changes elsewhere is shown where nothing is typed.
    await api.call("PATCH", `/contacts/${id}`, { firstName: "Augusta" });
    await comesBack(page, `**/api/v1/contacts/${id}?*`);
    await eventually(async () => (await name.inputValue()) === "Augusta");
    await end();
  });

  test("get no half of a tag or a name by Enter that only ends a word of an input method", async () => {
    const { id } = await person(api, "ime@example.com", { tags: ["first"] });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    await field(page).fill("vip");
    for (const browser of ["Chrome", "Safari"] as const) await endWord(field(page), browser);
    await field(page).pressSequentially("客户");
    expect(await page.locator(".mantine-TagsInput-pill").allTextContents()).toEqual(["first"]);
    await field(page).press("Enter");
    await eventually(async () => Bun.deepEquals(await tagsOf(id), ["first", "vip客户"]));

    const name = page.getByLabel("First name");
    await name.fill("明");
    for (const browser of ["Chrome", "Safari"] as const) await endWord(name, browser);
    await hasFocus(page, name);
    await end();
  });

  test("are not changed where the server refuses: it says why in the reader's language, for each of many", async () => {
    const { id } = await person(api, "left@example.com", { status: "UNSUBSCRIBED", tags: ["leavers"] });
    expect((await api.call("GET", `/contacts/${id}`)).body.data.status).toBe("UNSUBSCRIBED");
    await api.call("POST", "/lists", { name: "Readers" });
    const { page, open, end } = await visitAs(api, "editor", { locale: "de-DE" });
    await open("/contacts?q=left@example.com");
    await page.getByRole("checkbox", { name: /left@example.com/ }).check();
    await page.getByRole("button", { name: "Tag / Liste" }).click();
    await page.getByRole("menuitem", { name: "Auf eine Liste setzen" }).click();
    await page.getByRole("dialog").getByLabel("Liste").selectOption({ label: "Readers" });
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Person/ })
      .click();
    await page.getByText("Wer abgemeldet ist, kommt auf keine Liste.").waitFor();
    await end();
  });

  test.each([
    ["en-GB", "Not saved: A contact has at most 50 tags; these are 51. Send fewer."],
    ["de-DE", "Nicht gespeichert: Ein Kontakt hat höchstens 50 Tags; das sind 51. Nehmen Sie weniger."],
  ])("%s: get no tag too many; it is said why", async (locale, why) => {
    const tags = Array.from({ length: 49 }, (_, i) => `tag ${i}`);
    const { id } = await person(api, `${locale.toLowerCase()}@example.com`, { tags });
    const { page, open, end } = await visitAs(api, "editor", { locale });
    await open(`/contacts/${id}`);
    await pill(page, "tag 48").waitFor();
    await act(id, "addTag", "theirs");
    await field(page).fill("mine");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText(why).waitFor();
    expect(await tagsOf(id)).toEqual([...tags, "theirs"].toSorted());
    await pill(page, "theirs").waitFor();
    expect(await pill(page, "mine").count()).toBe(0);
    await end();
  });
});
