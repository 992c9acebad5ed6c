/** What is typed into a field that is saved when it is left: no way of leaving the page loses it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { signsIn } from "../../support/browser/signs-in.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const settingsOf = async (): Promise<any> => (await api.call("GET", "/settings")).body.data;
const contactOf = async (id: string): Promise<any> =>
  (await api.call("GET", `/contacts/${id}?include=attributes`)).body.data;

const newContact = async (email: string): Promise<string> =>
  (await api.call("POST", "/contacts", { email, attributes: { city: "Berlin" } })).body.data.id;

const keptOn = (page: Page): Promise<string[]> =>
  page.evaluate(
    `Object.keys({ ...localStorage, ...sessionStorage }).filter((key) => key.includes("unsaved"))`,
  );

describe.skipIf(lacksBrowser())("fields that are saved when they are left", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("who goes back from a field has what they typed saved, in the settings and of a contact", async () => {
    const id = await newContact("back@example.com");
    const { page, open, end } = await visitAs(api);
    await open("/contacts");
    await page.getByRole("link", { name: "back@example.com" }).click();
    await page.getByLabel("First name").fill("Ada");
    await page.goBack();
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await eventually(async () => (await contactOf(id)).firstName === "Ada");

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Postal address").fill("1 Back Street");
    await page.goBack();
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await eventually(async () => (await settingsOf()).mailingAddress === "1 Back Street");
    await eventually(async () => (await keptOn(page)).length === 0);
    await end();
  });

  test("after a reload it is there and saved, also if the request of the page that went did not arrive", async () => {
    const id = await newContact("reload@example.com");
    const { page, open, end } = await visitAs(api);
    await open(`/contacts/${id}`);
    await page.getByRole("textbox", { name: "city" }).fill("Hamburg");
    await page.reload();
    await page.getByRole("textbox", { name: "city" }).waitFor();
    expect(await page.getByRole("textbox", { name: "city" }).inputValue()).toBe("Hamburg");
    await eventually(async () => (await contactOf(id)).attributes.city === "Hamburg");

    await open("/settings");
    await page.getByLabel("Postal address").fill("2 Reload Street");
    let isGone = false;
    await page.route("**/api/v1/settings", (route) =>
      route.request().method() === "PATCH" && !isGone ? route.abort() : route.continue(),
    );
    await page.reload();
    isGone = true;
    await page.getByLabel("Postal address").waitFor();
    expect(await page.getByLabel("Postal address").inputValue()).toBe("2 Reload Street");
    await page.getByLabel("Postal address").focus();
    await page.keyboard.press("Tab");
    await eventually(async () => (await settingsOf()).mailingAddress === "2 Reload Street");
    await eventually(async () => (await keptOn(page)).length === 0);
    await page.unrouteAll();
    await end();
  });

  test("if the session ended meanwhile, the page says so, and after signing in it is there and saved", async () => {
    const id = await newContact("ended@example.com");
    const visit = await visitAs(api);
    const { page, open, person } = visit;
    const ends = () => person.call("DELETE", "/session");
    await open("/settings/senders");
    await page.getByLabel("Sender's name").fill("The Daily Rider");
    await ends();
    await page.keyboard.press("Tab");
    await page.getByRole("status").getByText("Your session has ended").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await signsIn(page, person);
    await page.getByLabel("Sender's name").waitFor();
    expect(await page.getByLabel("Sender's name").inputValue()).toBe("The Daily Rider");
    await eventually(async () => (await settingsOf()).fromName === "The Daily Rider");

    await open(`/contacts/${id}`);
    await page.getByLabel("Last name").fill("Lovelace");
    await page.context().clearCookies();
    await page.keyboard.press("Tab");
    await page.getByRole("status").getByText("Your session has ended").waitFor();
    await signsIn(page, person);
    await page.getByLabel("Last name").waitFor();
    expect(await page.getByLabel("Last name").inputValue()).toBe("Lovelace");
    await eventually(async () => (await contactOf(id)).lastName === "Lovelace");
    await visit.end([401]);
  });

  test("if it ended while a dialog is open, what was typed there stays, and is used after the sign-in", async () => {
    const visit = await visitAs(api);
    const { page, open, person } = visit;
    await open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a contact" });
    await dialog.getByLabel("Email address").fill("dialog@example.com");
    await dialog.getByLabel("First name").fill("Dora");
    await page.context().clearCookies();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await ended.getByRole("button", { name: "I have signed in" }).click();
    expect(await ended.isVisible()).toBe(true);
    const opened = page.context().waitForEvent("page");
    await ended.getByRole("link", { name: "Sign in (new tab)" }).click();
    const other = await opened;
    await signsIn(other, person);
    await ended.waitFor({ state: "detached" });
    expect(await dialog.getByLabel("First name").inputValue()).toBe("Dora");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("heading", { name: "dialog@example.com" }).waitFor();
    await other.close();
    await visit.end([401]);
  });

  test("who signs out in another tab leaves nothing on the screen, whatever is open there", async () => {
    const visit = await visitAs(api);
    const { page, open, person } = visit;
    await open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    await page.getByLabel("Email address").waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: person.email }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await other.close();
    await visit.end([401]);
  });

  test("what the server refused is there after a reload with its reason, and Escape discards it", async () => {
    await api.call("PATCH", "/settings", { fromEmail: "news@example.com" });
    const { page, open, end } = await visitAs(api);
    await open("/settings/senders");
    const field = page.getByLabel("Sender's address");
    await field.fill("news@");
    await page.keyboard.press("Tab");
    await page.getByText(/^Not saved: /).waitFor();
    await page.reload();
    await page.getByText(/^Not saved: /).waitFor();
    expect(await field.inputValue()).toBe("news@");
    await field.press("Escape");
    expect(await field.inputValue()).toBe("news@example.com");
    expect(await keptOn(page)).toEqual([]);
    await end([422]);
  });

  test("what somebody else saved meanwhile is not written over until the person has chosen", async () => {
    const id = await newContact("meanwhile@example.com");
    const visit = await visitAs(api);
    const { page, open, person } = visit;
    await open(`/contacts/${id}`);
    const city = page.getByRole("textbox", { name: "city" });
    await city.fill("Köln");
    await page.context().clearCookies();
    await page.keyboard.press("Tab");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await api.call("PATCH", `/contacts/${id}`, { attributes: { city: "Rome" } });
    const changes: string[] = [];
    page.on("request", (request) => void (request.method() === "PATCH" && changes.push(request.url())));
    await signsIn(page, person);
    await page.getByText("“Rome” has been saved here meanwhile").waitFor();
    expect(await city.inputValue()).toBe("Köln");
    expect(await axeProblems(page)).toEqual([]);
    await open("/contacts");
    await page.getByRole("link", { name: "meanwhile@example.com" }).waitFor();
    expect([changes, (await contactOf(id)).attributes.city]).toEqual([[], "Rome"]);
    await open(`/contacts/${id}`);
    await page.getByText("“Rome” has been saved here meanwhile").waitFor();
    await page.getByRole("button", { name: "Keep my version" }).click();
    await eventually(async () => (await contactOf(id)).attributes.city === "Köln");
    await page.getByText("“Rome” has been saved here meanwhile").waitFor({ state: "detached" });
    page.removeAllListeners("request");
    await visit.end([401]);
  });

  test("nor is what was saved on another device while this page was in front all the time", async () => {
    const id = await newContact("front@example.com");
    const { page, open, end } = await visitAs(api);
    await open(`/contacts/${id}`);
    const city = page.getByRole("textbox", { name: "city" });
    await city.waitFor();
    await api.call("PATCH", `/contacts/${id}`, { attributes: { city: "Rome" } });
    await city.fill("Köln");
    await page.keyboard.press("Tab");
    await page.getByText("“Rome” has been saved here meanwhile").waitFor();
    expect([await city.inputValue(), (await contactOf(id)).attributes.city]).toEqual(["Köln", "Rome"]);
    await page.getByRole("button", { name: "Use the saved version" }).click();

    await open("/settings");
    const address = page.getByLabel("Postal address");
    await address.waitFor();
    await api.call("PATCH", "/settings", { mailingAddress: "3 Other Street" });
    await address.fill("4 Own Street");
    await page.keyboard.press("Tab");
    await page.getByText("“3 Other Street” has been saved here meanwhile").waitFor();
    await page.getByRole("button", { name: "Keep my version" }).click();
    await eventually(async () => (await settingsOf()).mailingAddress === "4 Own Street");
    await eventually(async () => (await keptOn(page)).length === 0);
    await end();
  });

  test("nor is what was saved while the page showed something else, after the server was away", async () => {
    const id = await newContact("away@example.com");
    const { page, open, end } = await visitAs(api);
    await open(`/contacts/${id}`);
    const city = page.getByRole("textbox", { name: "city" });
    await page.route(`**/api/v1/contacts/${id}*`, (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await city.fill("Köln");
    await page.keyboard.press("Tab");
    await page.getByText(/^Not saved: /).waitFor();
    await page.getByRole("link", { name: "Contacts" }).first().click();
    await page.getByRole("link", { name: "away@example.com" }).waitFor();
    await page.unrouteAll();
    await api.call("PATCH", `/contacts/${id}`, { attributes: { city: "Rome" } });
    await page.getByRole("link", { name: "away@example.com" }).click();
    await page.getByText("“Rome” has been saved here meanwhile").waitFor();
    expect([await city.inputValue(), (await contactOf(id)).attributes.city]).toEqual(["Köln", "Rome"]);
    await city.press("Escape");
    await end([503]);
  });

  test("a password in an address is kept for this tab only", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/settings/relay");
    await page.getByLabel("Relay of this workspace").fill("smtps://ada:secret@smtp.example.com:465x");
    expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("secret");
    await page.keyboard.press("Tab");
    await page.getByText(/^Not saved: /).waitFor();
    await page.reload();
    await page.getByText(/^Not saved: /).waitFor();
    expect(await page.getByLabel("Relay of this workspace").inputValue()).toContain("secret");
    expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("secret");
    await page.getByLabel("Relay of this workspace").press("Escape");
    await end([422]);
  });
});
