/** The screens of contacts, lists and segments in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { contactsTagged, contactsWhere } from "../../support/browser/contacts-path.ts";
import { goBy } from "../../support/browser/keyboard.ts";
import { crowd, person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("contacts in the console", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("an empty workspace says what to do first, and a viewer gets no button that would be refused", async () => {
    const owner = await visitAs(api, "owner");
    for (const [path, says, button] of [
      ["/contacts", "No contacts yet", "Add a contact"],
      ["/lists", "No lists yet", "Create a list"],
      ["/segments", "No segments yet", "Create a segment"],
    ] as const) {
      await owner.open(path);
      await owner.page.getByText(says).waitFor();
      expect(await axeProblems(owner.page)).toEqual([]);
      expect(await owner.page.getByText(button).count()).toBeGreaterThan(0);
    }
    await owner.end();
    const viewer = await visitAs(api, "viewer");
    for (const [path, says, button] of [
      ["/contacts", "No contacts yet", "Add a contact"],
      ["/lists", "No lists yet", "Create a list"],
      ["/segments", "No segments yet", "Create a segment"],
    ] as const) {
      await viewer.open(path);
      await viewer.page.getByText(says).waitFor();
      expect(await viewer.page.getByText(button).count()).toBe(0);
    }
    await viewer.end();
  });

  test("somebody filters, saves the filter as a segment, and sees who is in it", async () => {
    await crowd(api, "walk", 30);
    await person(api, "vip@example.com", { tags: ["walk", "vip"], attributes: { city: "Bern" } });
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByText("31 people").waitFor();
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByRole("menuitem", { name: "Tag", exact: true }).click();
    await page.getByRole("combobox", { name: "Value" }).fill("vip");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("1 person").waitFor();
    await page.getByRole("button", { name: "Change: who has the tag “vip”" }).waitFor();
    await page.reload();
    await page.getByText("1 person").waitFor();
    await page.getByRole("link", { name: "vip@example.com" }).waitFor();
    await page.getByRole("button", { name: "Save as segment" }).click();
    await page.getByText("Everybody who has the tag “vip”.").waitFor();
    await page.getByLabel("Name of the segment").fill("Important");
    await page.keyboard.press("Enter");
    await page.getByText("1 person, 1 of them subscribed").waitFor();
    await page.getByText("Nothing uses it.").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const { data } = (await api.call("GET", "/segments")).body;
    expect([data.length, data[0].name, data[0].rules]).toEqual([
      1,
      "Important",
      { all: [{ field: "tag", op: "equals", value: "vip" }] },
    ]);
    await visit.end();
  });

  test("many are tagged at once and untagged again, and deleted only by their number", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(contactsTagged("walk"));
    await page.getByText("31 people").waitFor();
    await page.getByRole("checkbox", { name: /@/ }).first().check();
    await page.getByRole("button", { name: "Choose all 31" }).click();
    await page.getByRole("button", { name: "Tag / List" }).click();
    await page.getByRole("menuitem", { name: "Add tag" }).click();
    await page.getByRole("dialog").getByLabel("Tag").fill("chosen");
    await page.getByRole("button", { name: "Tag 31 people" }).click();
    await page.getByText("31 tagged").waitFor();
    const tagged = async (): Promise<number> =>
      (await api.call("GET", "/contacts?tag=chosen")).body.pagination.total;
    expect(await tagged()).toBe(31);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("31 untagged").waitFor();
    // Whoever gets a tag back has its mails already.
    const sent = page.waitForRequest(/contacts\/actions/);
    await page.getByRole("button", { name: "Undo" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ action: "addTag", startAutomations: false });
    await page.getByText("31 tagged").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("31 untagged").waitFor();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("checkbox", { name: /@/ }).first().check();
    await page.getByRole("checkbox", { name: /@/ }).nth(1).check();
    await page.getByRole("button", { name: "Delete" }).click();
    const erase = page.getByRole("button", { name: "Delete 2 people" });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel("Type 2 to confirm").fill("2");
    await erase.click();
    await page.getByText("2 deleted").waitFor();
    await page.getByText("29 people").waitFor();
    expect([await tagged(), (await api.call("GET", "/contacts?tag=walk")).body.pagination.total]).toEqual([
      0, 29,
    ]);
    await visit.end();
  });

  test("a filter reads as a sentence, also where it leaves people out", async () => {
    await person(api, "reader@sentence.example", { tags: ["sentence", "told"] });
    await person(api, "other@sentence.example", { tags: ["sentence"] });
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    const told = { field: "tag", op: "equals", value: "told" };
    const has = { field: "tag", op: "equals", value: "sentence" };
    const shows = async (rules: object, sentence: string): Promise<void> => {
      await visit.open(contactsWhere(rules));
      await page.getByRole("table").first().waitFor();
      const words: string = await page.locator(".rules").evaluate((line: any) => {
        const read = (node: any): string =>
          node.tagName === "SELECT"
            ? node.selectedOptions[0].label
            : node.nodeType === 3
              ? node.data
              : [...node.childNodes].map(read).join(" ");
        return read(line);
      });
      expect(words.replaceAll(/\s+/g, " ")).toStartWith(sentence);
    };
    await shows({ all: [has, told] }, "Everybody who has the tag “sentence” and who has the tag “told”");
    await shows({ any: [has, told] }, "Everybody who has the tag “sentence” or who has the tag “told”");
    await shows({ not: { any: [told] } }, "Everybody except anyone who has the tag “told”");
    expect(await page.getByRole("link", { name: "reader@sentence.example" }).count()).toBe(0);
    await visit.end();
  });

  test("who leaves a page finds what they typed, and a list saves itself", async () => {
    const rules = { field: "tag", op: "equals", value: "kept" };
    const segment = (await api.call("POST", "/segments", { name: "Keepers", rules })).body.data.id;
    const list = (await api.call("POST", "/lists", { name: "Drafty" })).body.data.id;
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    const storedName = async (path: string) => (await api.call("GET", path)).body.data.name;
    await visit.open(`/segments/${segment}`);
    await name.fill("Half done");
    await page.getByRole("link", { name: "Lists" }).click();
    await page.getByRole("link", { name: "Drafty" }).waitFor();
    await page.goBack();
    await page.getByText("Not saved yet: campaigns still use the segment as it was.").waitFor();
    expect([await name.inputValue(), await storedName(`/segments/${segment}`)]).toEqual([
      "Half done",
      "Keepers",
    ]);
    await page.getByRole("button", { name: "Discard the changes" }).click();
    expect(await name.inputValue()).toBe("Keepers");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved /).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Half done" }).waitFor();
    expect(await page.getByRole("button", { name: "Discard the changes" }).count()).toBe(0);
    await visit.open(`/lists/${list}`);
    await name.fill("Never saved by hand");
    await page.getByText(/^Saved /).waitFor();
    expect(await storedName(`/lists/${list}`)).toBe("Never saved by hand");
    await visit.end();
  });

  test("by keyboard alone: to the contacts, a condition, a person, a name changed", async () => {
    await person(api, "keys@example.com");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await goBy(page, "p", "Contacts");
    await page.keyboard.press("/");
    await page.keyboard.type("keys@");
    await page.getByText("1 person").waitFor();
    await page.getByRole("link", { name: "keys@example.com" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Gets campaigns").waitFor();
    await page.getByLabel("First name").focus();
    await page.keyboard.type("Vera");
    await page.keyboard.press("Enter");
    await page.getByText(/^Saved /).waitFor();
    const { data } = (await api.call("GET", "/contacts?q=keys@")).body;
    expect(data[0].firstName).toBe("Vera");
    await visit.end();
  });

  test("what is not there and what cannot be read says so", async () => {
    const visit = await visitAs(api, "owner", { locale: "de-DE" });
    for (const path of ["/contacts/ct_nobody", "/lists/list_none", "/segments/seg_none"]) {
      await visit.open(path);
      await visit.page.getByText("Hier ist nichts").waitFor();
    }
    await visit.open(contactsWhere({ field: "phone" }));
    await visit.page.getByRole("alert").waitFor();
    await visit.end([404, 422]);
  });
});
