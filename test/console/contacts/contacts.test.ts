/** The screens of contacts, lists and segments in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { goBy } from "../../support/browser/keyboard.ts";
import { DAY_MS } from "#core/time/time.ts";
import {
  axeProblems,
  closesBrowser,
  startConsole,
  visitAs,
  type ConsoleVisit,
} from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";
import { writeTo } from "../../support/server/services.ts";

let api: TestApi;
closesBrowser();

const bulk = async (count: number, tag: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 1_000) {
    const contacts = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      email: `${tag}-${from + i}@example.com`,
      tags: [tag],
    }));
    const { body } = await api.call("POST", "/contacts/bulk", { contacts });
    ids.push(...body.data.results.map(({ id }: { id: string }) => id));
  }
  return ids;
};

/** As the ledger keeps it. */
async function openedACampaign(contactId: string, at: number): Promise<void> {
  const workspace = "(SELECT workspace FROM contacts WHERE id = ?)";
  await writeTo(
    api,
    `INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (${workspace}, 'campaign', 'cmp_opened', 'finished', 1)`,
    contactId,
  );
  await writeTo(
    api,
    `INSERT INTO deliveries (mailing, contact, address, state, settled_at, opened_at)
     SELECT m.seq, c.seq, c.email, 'sent', 1, ${at} FROM mailings AS m, contacts AS c WHERE m.source_id = 'cmp_opened' AND c.id = ?`,
    contactId,
  );
}

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
    await bulk(30, "walk");
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
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "walk" }));
    await visit.open(`/contacts?rules=${rules}`);
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
      await visit.open(`/contacts?rules=${encodeURIComponent(JSON.stringify(rules))}`);
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

  test("choosing moves nothing, Shift chooses those between, and whoever is taken out of all stays out", async () => {
    await bulk(40, "pick");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "pick" }));
    await visit.open(`/contacts?rules=${rules}`);
    await page.getByText("40 people").waitFor();
    const box = (i: number) =>
      page.getByRole("checkbox", { name: `Choose pick-${i}@example.com`, exact: true });
    const all = page.getByRole("columnheader").getByRole("checkbox", { name: "Choose all 40" });
    const topOfTable = () => page.getByRole("table").evaluate((table) => table.getBoundingClientRect().top);
    const before = await topOfTable();
    await box(38).check();
    await page.getByText("1 chosen").waitFor();
    expect(await topOfTable()).toBe(before);
    await box(35).click({ modifiers: ["Shift"] });
    await page.getByText("4 chosen").waitFor();
    expect(await box(36).isChecked()).toBe(true);
    await all.click();
    await page.getByText("chosen", { exact: false }).waitFor({ state: "detached" });
    expect(await topOfTable()).toBe(before);
    await all.click();
    await page.getByText("40 chosen").waitFor();
    await box(37).uncheck();
    await page.getByText("39 chosen").waitFor();
    await page.getByRole("button", { name: "Tag / List" }).click();
    await page.getByRole("menuitem", { name: "Add tag" }).click();
    await page.getByRole("dialog").getByLabel("Tag").fill("but-one");
    await page.getByRole("button", { name: "Tag 39 people" }).click();
    await page.getByText("39 tagged").waitFor();
    const { body } = await api.call("GET", "/contacts?tag=pick&limit=100");
    const without = body.data.filter(({ tags }: { tags: string[] }) => !tags.includes("but-one"));
    expect(without.map(({ email }: { email: string }) => email)).toEqual(["pick-37@example.com"]);
    await visit.end();
  });

  test("thousands scroll while few rows are drawn and few pages are kept", async () => {
    await bulk(3_000, "crowd");
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "crowd" }));
    await visit.open(`/contacts?rules=${rules}`);
    await page.getByText("3,000 people").waitFor();
    const box = page.getByRole("region", { name: "Contacts" });
    const last = page.getByRole("link", { name: "crowd-0@example.com", exact: true });
    while ((await last.count()) === 0) {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
    }
    await last.waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(60);
    const first = page.getByRole("link", { name: "crowd-2999@example.com", exact: true });
    while ((await first.count()) === 0) {
      await box.evaluate((element) => element.scrollTo(0, 0));
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
    }
    await first.waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await visit.end();
  });

  test("who comes back from a person finds the table where it was, also far from its beginning", async () => {
    await bulk(2_700, "far");
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "far" }));
    await visit.open(`/contacts?rules=${rules}`);
    await page.getByText("2,700 people").waitFor();
    const box = page.getByRole("region", { name: "Contacts" });
    const somebody = page.getByRole("link", { name: "far-250@example.com", exact: true });
    const goTo = async (one: typeof somebody, top: number): Promise<void> => {
      while ((await one.count()) === 0) {
        await box.evaluate((element, by) => element.scrollBy(0, by), top);
        await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
      }
    };
    await goTo(somebody, 1_000);
    const topOf = () => somebody.evaluate((link) => link.getBoundingClientRect().top);
    await somebody.scrollIntoViewIfNeeded();
    const before = await topOf();
    await somebody.click();
    await page.getByRole("heading", { name: "far-250@example.com" }).waitFor();
    await page.goBack();
    await somebody.waitFor();
    expect(await topOf()).toBe(before);
    const first = page.getByRole("link", { name: "far-2699@example.com", exact: true });
    await goTo(first, -2_000);
    expect(await page.getByRole("row").nth(1).getByRole("link").innerText()).toBe("far-2699@example.com");
    await visit.end();
  });

  test("who searches far from the beginning and clears the search sees everybody once, in order, from where they were", async () => {
    await bulk(2_700, "searched");
    const { page, open, end } = await visitAs(api, "viewer");
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "searched" }));
    await open(`/contacts?rules=${rules}`);
    await page.getByText("2,700 people").waitFor();
    const box = page.getByRole("region", { name: "Contacts" });
    const link = (number: number) =>
      page.getByRole("link", { name: `searched-${number}@example.com`, exact: true });
    const seen = new Map<string, string>();
    /** Scrolls until this is there, and notes who stood in which row. */
    const goTo = async (one: ReturnType<typeof link>, top: number): Promise<void> => {
      while ((await one.count()) === 0) {
        await box.evaluate((element, by) => element.scrollBy(0, by), top);
        await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
        const rows = await page
          .locator(".contacts-row:has(a)")
          .evaluateAll((all) =>
            all.map((row) => [row.getAttribute("aria-rowindex"), row.querySelector("a")?.textContent]),
          );
        for (const [row, who] of rows) seen.set(String(row), String(who));
      }
    };
    // The first pages are dropped on the way.
    await goTo(link(250), 1_000);
    const search = page.getByRole("searchbox", { name: "Search by address or name" });
    await search.fill("searched-77@");
    await page.getByText("1 person").waitFor();
    await search.fill("");
    await page.getByText("2,700 people").waitFor();
    await link(250).waitFor();
    seen.clear();
    await goTo(link(2_699), -1_000);
    await goTo(page.locator('[aria-rowindex="400"] a'), 1_000);
    const inOrder = [...seen.keys()].map((row) => [row, `searched-${2_701 - Number(row)}@example.com`]);
    expect([...seen]).toEqual(inOrder as [string, string][]);
    await end();
  });

  test("when somebody last opened a campaign has a column that can be hidden, and a phone does not ask for it", async () => {
    const { id } = await person(api, "reads@opened.example");
    await person(api, "quiet@opened.example");
    await openedACampaign(id, Date.now() - 3 * DAY_MS);
    const rules = encodeURIComponent(
      JSON.stringify({ field: "domain", op: "equals", value: "opened.example" }),
    );
    const askedFor = ({ requests }: ConsoleVisit) =>
      requests.filter((url) => /\/contacts\/search\?/.test(url)).map((url) => url.includes("lastOpenedAt"));
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/contacts?rules=${rules}`);
    const reads = page.getByRole("row").filter({ hasText: "reads@opened.example" });
    await reads.getByText("3 days ago").waitFor();
    expect(await reads.locator("time").first().getAttribute("title")).toMatch(/\d\d:\d\d/);
    await page.getByRole("row").filter({ hasText: "quiet@opened.example" }).getByText("Never").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "Last opened" }).uncheck();
    await page.getByRole("columnheader", { name: "Last opened" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("link", { name: "reads@opened.example" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Last opened" }).count()).toBe(0);
    expect(askedFor(visit).at(-1)).toBe(false);
    await visit.end();
    const phone = await visitAs(api, "editor", { width: 390, locale: "de-DE" });
    await phone.open(`/contacts?rules=${rules}`);
    await phone.page.getByRole("link", { name: "reads@opened.example" }).waitFor();
    expect(await phone.page.getByText("Zuletzt geöffnet").count()).toBe(0);
    expect(askedFor(phone)).toEqual([false]);
    await phone.end();
  });

  test("what is seen is what is asked for: one page, attributes only for a column, few elements", async () => {
    await bulk(1_000, "many");
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    const rules = encodeURIComponent(JSON.stringify({ field: "tag", op: "equals", value: "many" }));
    const pagesAsked = () => visit.requests.filter((url) => /\/api\/v1\/contacts(?:\/search)?\?/.test(url));
    await visit.open(`/contacts?rules=${rules}`);
    await page.getByText("1,000 people").waitFor();
    await page.getByRole("link", { name: "many-999@example.com", exact: true }).waitFor();
    expect(pagesAsked()).toHaveLength(1);
    expect(pagesAsked().filter((url) => url.includes("attributes"))).toEqual([]);
    expect(await page.locator(".contacts-table *").count()).toBeLessThan(800);
    await visit.open(`/contacts?rules=${rules}&columns=city`);
    await page.getByRole("columnheader", { name: "city" }).waitFor();
    await page.getByRole("link", { name: "many-999@example.com", exact: true }).waitFor();
    expect(pagesAsked().filter((url) => url.includes("include=attributes"))).toHaveLength(1);
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
    await visit.open(`/contacts?rules=${encodeURIComponent(JSON.stringify({ field: "phone" }))}`);
    await visit.page.getByRole("alert").waitFor();
    await visit.end([404, 422]);
  });

  test("people are added one after the other, and are on the only list that there is", async () => {
    const fresh = await startConsole();
    const { body } = await fresh.call("POST", "/lists", { name: "Readers" });
    const visit = await visitAs(fresh, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("List")
      .locator("option:checked", { hasText: "Readers" })
      .waitFor({ state: "attached" });
    for (const email of ["ada@example.com", "grace@example.com"]) {
      await dialog.getByLabel("Email address").fill(email);
      await dialog.getByRole("button", { name: "Add, then another" }).click();
      await dialog.getByText(`${email} was added`).waitFor();
      expect(await dialog.getByLabel("Email address").inputValue()).toBe("");
    }
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByLabel("List").selectOption({ label: "On no list" });
    await dialog.getByLabel("Email address").fill("linus@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "linus@example.com", level: 1 }).waitFor();
    const found = await fresh.call("GET", `/lists/${body.data.id}/contacts`);
    expect(found.body.data.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      "ada@example.com",
      "grace@example.com",
    ]);
    await visit.end();
    await fresh.stop();
  });

  test("somebody who is there already is not added once more: their tags and consent stay", async () => {
    const fresh = await startConsole();
    await fresh.call("POST", "/lists", { name: "Readers" });
    const ada = await person(fresh, "ada@xn--bcher-kva.example", { status: "PENDING", tags: ["vip"] });
    const visit = await visitAs(fresh, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog");
    for (const label of ["Readers", "On no list"]) {
      await dialog.getByLabel("List").selectOption({ label });
      await dialog.getByLabel("Email address").fill("Ada@bücher.example");
      const looked = page.waitForResponse(/contacts\/search/);
      await dialog.getByRole("button", { name: "Add, then another" }).click();
      await looked;
      await dialog.getByText("is a contact already").waitFor();
    }
    const now = (await fresh.call("GET", `/contacts/${ada.id}`)).body.data;
    expect([now.tags, now.status]).toEqual([["vip"], "PENDING"]);
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("link", { name: "Open ada@" }).click();
    await page.getByRole("heading", { name: ada.email, level: 1 }).waitFor();
    await visit.end();
    await fresh.stop();
  });
});
