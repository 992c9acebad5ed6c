/** A page that could not be loaded again stays: what is typed there, asked there, or shown only once is not lost. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { comesBack } from "../../support/browser/comes-back.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

/** A refusal that is over soon, as of a proxy that is asked too often. */
const BUSY = { status: 429, json: { error: { code: "RATE_LIMITED", message: "Too many requests." } } };

/** Comes back to the tab while this cannot be loaded, and once more when it can. */
async function comesBackTwice(page: Page, address: string): Promise<void> {
  await page.route(address, (route) => route.fulfill(BUSY));
  await comesBack(page, address);
  await page.unroute(address);
  await comesBack(page, address);
}

describe.skipIf(lacksBrowser())("a page that could not be loaded again", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("keeps what is typed into a setting, and shows what changed elsewhere when it is loaded", async () => {
    const { page, open, end } = await visitAs(api, "owner");
    await open("/settings");
    const address = page.getByLabel("Postal address");
    await address.fill("Half an addr");
    await api.call("PATCH", "/settings", { name: "Renamed" });
    await comesBackTwice(page, "**/api/v1/settings");
    const name = page.getByLabel("Name", { exact: true });
    await eventually(async () => (await name.inputValue()) === "Renamed");
    expect(await address.inputValue()).toBe("Half an addr");
    await end([429]);
  });

  test("keeps a key that is shown only once", async () => {
    const { page, open, end } = await visitAs(api, "owner");
    await open("/settings/keys");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByRole("button", { name: "New key" }).click();
    const key = await page.locator(".copy-line code").innerText();
    await comesBackTwice(page, "**/api/v1/settings");
    expect(await page.locator(".copy-line code").innerText()).toBe(key);
    await end([429]);
  });

  test("keeps a name that is typed on the page of a contact", async () => {
    const { id } = await person(api, "typed@example.com");
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts/${id}`);
    const first = page.getByLabel("First name");
    await first.fill("Gra");
    await api.call("PATCH", `/contacts/${id}`, { lastName: "Hopper" });
    await comesBackTwice(page, `**/api/v1/contacts/${id}?*`);
    const last = page.getByLabel("Last name");
    await eventually(async () => (await last.inputValue()) === "Hopper");
    expect(await first.inputValue()).toBe("Gra");
    await end([429]);
  });

  test("keeps the question of a report whether to stop", async () => {
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    const id = await makeCampaign(api, listId, { name: "Under way" });
    const { data } = (await api.call("GET", `/campaigns/${id}/report?include=reasons`)).body;
    const report = { ...data, startedAt: new Date().toISOString(), planned: 9, remaining: 9 };
    const { page, open, end } = await visitAs(api, "editor");
    let refused = 0;
    let isBusy = false;
    await page.route(`**/campaigns/${id}/report?**`, (route) => {
      if (isBusy) refused++;
      return route.fulfill(isBusy ? BUSY : { json: { data: report } });
    });
    await open(`/campaigns/${id}/report`);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByLabel("Type 9 to confirm").fill("9");
    isBusy = true;
    // It is asked for again only when the refusal before was heard.
    await eventually(async () => refused > 1);
    expect(await page.getByLabel("Type 9 to confirm").inputValue()).toBe("9");
    await end([429]);
  });

  test("keeps the rows of a list whose next page could not be loaded, and says so beside them", async () => {
    for (let at = 0; at < 101; at++) await api.call("POST", "/segments", { name: `S${at}`, rules: RULES });
    const { page, open, end } = await visitAs(api, "editor");
    await open("/segments");
    const rows = page.getByRole("row").filter({ has: page.getByRole("link") });
    await rows.first().waitFor();
    const before = await rows.count();
    await page.route("**/api/v1/segments?**", (route) => route.fulfill(BUSY));
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("alert").getByText("Too many requests.").waitFor();
    expect(await rows.count()).toBe(before);
    await page.unrouteAll();
    await page.getByRole("button", { name: "More" }).click();
    await eventually(async () => (await rows.count()) > before);
    expect(await page.getByRole("alert").count()).toBe(0);
    await end([429]);
  });

  test("keeps the contacts when those further down could not be loaded, and asks again only by the button", async () => {
    const contacts = Array.from({ length: 150 }, (_, at) => ({ email: `row-${at}@rows.example` }));
    await api.call("POST", "/contacts/bulk", { contacts });
    const { page, open, end } = await visitAs(api, "viewer");
    let refused = 0;
    await page.route(/\/contacts\?.*after=/, (route) => {
      refused++;
      return route.fulfill(BUSY);
    });
    await open("/contacts?q=rows.example");
    const first = page.getByRole("link", { name: "row-149@rows.example" });
    await first.waitFor();
    const box = page.getByRole("region", { name: "Contacts" });
    const scrollTo = (share: number) =>
      box.evaluate((element, by) => element.scrollTo(0, by * element.scrollHeight), share);
    await scrollTo(1);
    await page.getByRole("alert").getByText("Too many requests.").waitFor();
    await scrollTo(0);
    await first.waitFor();
    await scrollTo(1);
    await page.getByRole("link", { name: "row-50@rows.example" }).waitFor();
    expect(refused).toBe(1);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await scrollTo(1);
    await page.getByRole("link", { name: "row-0@rows.example" }).waitFor();
    await end([429]);
  });
});

const RULES = { field: "email", op: "exists" };
