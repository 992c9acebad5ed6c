/** The table of contacts: what of it is drawn, loaded and chosen, and where it stands. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  startConsole,
  visitAs,
  type ConsoleVisit,
} from "../../support/browser/console.ts";
import { contactsTagged, contactsWhere } from "../../support/browser/contacts-path.ts";
import { crowd, person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";
import { writeTo } from "../../support/server/services.ts";

let api: TestApi;
closesBrowser();

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

describe.skipIf(lacksBrowser())("the table of contacts", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("choosing moves nothing, Shift chooses those between, and whoever is taken out of all stays out", async () => {
    await crowd(api, "pick", 40);
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(contactsTagged("pick"));
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
    await crowd(api, "crowd", 3_000);
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    await visit.open(contactsTagged("crowd"));
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
    await crowd(api, "far", 2_700);
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    await visit.open(contactsTagged("far"));
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
    await crowd(api, "searched", 2_700);
    const { page, open, end } = await visitAs(api, "viewer");
    await open(contactsTagged("searched"));
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
    const path = contactsWhere({ field: "domain", op: "equals", value: "opened.example" });
    const askedFor = ({ requests }: ConsoleVisit) =>
      requests.filter((url) => /\/contacts\/search\?/.test(url)).map((url) => url.includes("lastOpenedAt"));
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(path);
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
    await phone.open(path);
    await phone.page.getByRole("link", { name: "reads@opened.example" }).waitFor();
    expect(await phone.page.getByText("Zuletzt geöffnet").count()).toBe(0);
    expect(askedFor(phone)).toEqual([false]);
    await phone.end();
  });

  test("what is seen is what is asked for: one page, attributes only for a column, few elements", async () => {
    await crowd(api, "many", 1_000);
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    const pagesAsked = () => visit.requests.filter((url) => /\/api\/v1\/contacts(?:\/search)?\?/.test(url));
    await visit.open(contactsTagged("many"));
    await page.getByText("1,000 people").waitFor();
    await page.getByRole("link", { name: "many-999@example.com", exact: true }).waitFor();
    expect(pagesAsked()).toHaveLength(1);
    expect(pagesAsked().filter((url) => url.includes("attributes"))).toEqual([]);
    expect(await page.locator(".contacts-table *").count()).toBeLessThan(800);
    await visit.open(`${contactsTagged("many")}&columns=city`);
    await page.getByRole("columnheader", { name: "city" }).waitFor();
    await page.getByRole("link", { name: "many-999@example.com", exact: true }).waitFor();
    expect(pagesAsked().filter((url) => url.includes("include=attributes"))).toHaveLength(1);
    await visit.end();
  });
});
