/** The settings in a real browser: what is entered is kept, what is refused says why, and roles hold. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page, Request } from "playwright-core";
import { endWord, hasFocus, tabTo } from "../../support/browser/keyboard.ts";
import { comesBack } from "../../support/browser/comes-back.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

/** A line of text that would break out of its place, if anything let it. */
const HOSTILE = `"><img src=x onerror=alert(1)>'{{7*7}}`;

const settingsOf = async (): Promise<any> => (await api.call("GET", "/settings")).body.data;

/** Where to go from a field that is left. */
const OTHER: Readonly<Record<string, string>> = {
  Name: "Postal address",
  "Quiet from": "Quiet until",
  "For how many days": "First day",
};

/** Waits until a setting is so. */
const becomes = (name: string, value: unknown): Promise<void> =>
  eventually(async () => Bun.deepEquals((await settingsOf())[name], value));

/** Waits until what was typed is said to be saved. */
const saved = (page: Page) => page.getByText(/^Saved /).waitFor();

describe.skipIf(lacksBrowser())("settings", () => {
  beforeAll(async () => {
    api = await startConsole();
    await api.call("PATCH", "/settings", { name: HOSTILE, fromEmail: "news@example.com" });
    await api.call("POST", "/keys", { name: HOSTILE });
    await api.call("POST", "/suppressions", { email: "gone@example.net", reason: "HARD_BOUNCE" });
    await api.call("POST", "/blocked-domains", { domain: "spamtrap.example" });
    await api.call("POST", "/scoring-rules", { event: "purchase", points: 10 });
    await api.call("POST", "/webhooks", { url: "https://example.com/hook", events: ["*"] });
  });
  afterAll(() => api.stop());

  test("each section has a title of its own", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings");
    const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await links.first().waitFor();
    for (const link of await links.all()) {
      await link.click();
      const title = `${await link.innerText()} · Settings · Postrider`;
      await eventually(async () => (await page.title()) === title);
    }
    await visit.end();
  });

  test("what is typed is saved when the field is left, by keyboard alone, and is there after a reload", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings");
    const address = page.getByLabel("Postal address");
    await address.fill("1 Example Street\nSpringfield");
    await page.keyboard.press("Tab");
    await saved(page);
    expect((await settingsOf()).mailingAddress).toBe("1 Example Street\nSpringfield");
    await page.reload();
    expect(await address.inputValue()).toBe("1 Example Street\nSpringfield");

    await visit.open("/settings/limits");
    await page.getByLabel("Warm-up of a new sender").press("Space");
    await page.getByLabel("For how many days").fill("10");
    await page.getByLabel("First day", { exact: true }).fill("2027-03-01");
    await page.keyboard.press("Shift+Tab");
    await page.getByText("200 on the first day, up to 2,120 on the last.").waitFor();
    await becomes("warmUp", "200 30% 10 2027-03-01");

    await page.getByRole("button", { name: "Add a provider" }).press("Enter");
    const row = page.getByRole("group", { name: "New limit" });
    await hasFocus(page, row.getByLabel("Domains of one provider"));
    await page.keyboard.type("no domain!");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2000");
    await page.getByLabel("Pause automatically").focus();
    await page.getByText(/^Not saved: /).waitFor();
    const own = page.getByLabel("Domains of one provider");
    await own.fill("gmail.com, googlemail.com");
    await page.getByLabel("Pause automatically").focus();
    await becomes("domainLimits", { "gmail.com,googlemail.com": { perHour: 2000 } });
    expect(await axeProblems(page)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Remove the limit of gmail.com, googlemail.com" }).press("Enter");
    await becomes("domainLimits", null);
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("domainLimits", { "gmail.com,googlemail.com": { perHour: 2000 } });
    // Another owner's page sets one, while this page is in front.
    const both = { "gmail.com,googlemail.com": { perHour: 2000 }, "gmx.de": { perHour: 500 } };
    await api.call("PATCH", "/settings", { domainLimits: both });
    await page.getByLabel("Messages an hour").fill("3000");
    await page.getByLabel("Pause automatically").focus();
    await becomes("domainLimits", { ...both, "gmail.com,googlemail.com": { perHour: 3000 } });
    await page.getByRole("group", { name: "gmx.de" }).waitFor();
    await page.getByLabel("Quiet hours").press("Space");
    await page.getByLabel("Quiet from").waitFor();
    expect((await settingsOf()).quietHours).toBe("22:00-07:00");
    const changed = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await page.getByLabel("Quiet from").fill("23:30");
    await tabTo(page, page.getByLabel("Quiet until"));
    await changed;
    expect((await settingsOf()).quietHours).toBe("23:30-07:00");
    await page.getByLabel("Campaign messages a day, at most").fill("500");
    await page.keyboard.press("Tab");
    await saved(page);
    await page.getByLabel("Pause automatically").press("Space");
    await saved(page);
    expect(await settingsOf()).toMatchObject({ dailyCap: 500, autoPause: false });
    await visit.end([422]);
  });

  test("the name of a group of fields looks as that of one field, and so does what explains it", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/settings/limits");
    const group = page.getByRole("group", { name: "Limits by provider" });
    await group.waitFor();
    const lookOf = (text: Locator) =>
      text.evaluate((element: any) => {
        const style = element.ownerDocument.defaultView.getComputedStyle(element);
        const { fontWeight, fontSize, lineHeight, color } = style;
        return { fontWeight, fontSize, lineHeight, color };
      });
    expect(await lookOf(group.locator("legend"))).toEqual(
      await lookOf(page.getByText("Campaign messages a day, at most")),
    );
    expect(await lookOf(group.getByText("The domains of one provider share"))).toEqual(
      await lookOf(page.getByText("A send that would exceed it is refused")),
    );
    await end();
  });

  test("a key is shown once and is gone when its name is typed", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Shop");
    await page.getByLabel("Send and report").check();
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    await page.locator(".copy-line code").waitFor();
    await page.mouse.click(5, 5);
    const key = await page.locator(".copy-line code").innerText();
    expect(key).toStartWith("pr_");
    expect((await api.call("GET", "/contacts", undefined, key)).status).toBe(403);
    await page.getByRole("button", { name: "I have copied it" }).click();
    const row = page.getByRole("row", { name: /^Shop/ });
    await row.getByText("Send and report").waitFor();
    expect(await page.content()).not.toContain(key);

    await row.getByRole("button", { name: "Revoke" }).click();
    const revoke = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel("Type “Shop” to confirm").fill("shop");
    await revoke.click();
    await row.getByText("Revoked").waitFor();
    expect((await api.call("POST", "/events", {}, key)).status).toBe(401);
    await visit.end();
  });

  test("where the browser lets no button copy, a key is selected and it is said which keys copy it", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/settings/keys");
    await page.evaluate("delete Navigator.prototype.clipboard");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("By hand");
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    const key = await page.locator(".copy-line code").innerText();
    await page.getByRole("button", { name: /^Copy: / }).click();
    await page.getByText("press Ctrl+C").waitFor();
    expect(await page.evaluate<string>("String(getSelection())")).toBe(key);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await end();
  });

  test("a webhook is deleted only by the name of its server, and another one stays", async () => {
    const hooks = async () => (await api.call("GET", "/webhooks")).body.data.map(({ url }: any) => url);
    await api.call("POST", "/webhooks", { url: "https://shop.example/events", events: ["*"] });
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/settings/webhooks");
    const row = page.getByRole("row", { name: /shop\.example/ });
    await row.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("https://shop.example/events").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await page.route("**/api/v1/webhooks/*", (route) => route.fulfill({ status: 502 }));
    await page.getByLabel("Type “shop.example” to confirm").fill("shop.example");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("alert").getByText("Postrider cannot be reached").waitFor();
    await page.unrouteAll();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await hooks()).toHaveLength(2);
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByLabel("Type “shop.example” to confirm").fill("shop.example");
    expect(await dialog.getByRole("alert").count()).toBe(0);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect(await hooks()).toEqual(["https://example.com/hook"]);
    await visit.end([502]);
  });

  test("two quick clicks within one answer: both are saved, one after the other, and it says so", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/limits");
    const field = page.getByLabel("Pause automatically");
    await field.waitFor();
    let underWay = 0;
    const atOnce: number[] = [];
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route("**/api/v1/settings", async (route) => {
      if (route.request().method() !== "PATCH") return await route.continue();
      atOnce.push(++underWay);
      await mayGo;
      const response = await route.fetch();
      underWay--;
      await route.fulfill({ response });
    });
    await field.press("Space");
    await field.press("Space");
    await page.getByText("Saving …").waitFor();
    go();
    await saved(page);
    expect(atOnce).toEqual([1, 1]);
    await page.unrouteAll();
    await visit.end();
  });

  test("what is typed further while the answer is on its way stays, and is saved when the field is left", async () => {
    await api.call("PATCH", "/settings", { warmUp: "200 30% 10 2027-03-01", quietHours: "22:00-07:00" });
    const before = (await settingsOf()).name;
    const { page, open, end } = await visitAs(api);
    let answers = Promise.withResolvers<void>();
    await page.route("**/api/v1/settings", async (route) => {
      if (route.request().method() !== "PATCH") return await route.continue();
      const response = await route.fetch();
      await answers.promise;
      await route.fulfill({ response });
    });
    const answered = () => page.waitForResponse((answer) => answer.request().method() === "PATCH");
    /** Types `first`, goes on with `then` before the answer, and leaves the field once it is there. */
    const typesOn = async (label: string, first: string, then: string): Promise<void> => {
      const field = page.getByLabel(label, { exact: true });
      const other = page.getByLabel(OTHER[label] ?? "", { exact: true });
      answers = Promise.withResolvers<void>();
      const done = answered();
      await field.fill(first);
      await other.focus();
      await page.getByText("Saving …").waitFor();
      await field.fill(then);
      answers.resolve();
      await done;
      await saved(page);
      expect(await field.inputValue()).toBe(then);
      await other.focus();
    };
    await open("/settings");
    await typesOn("Name", "Acme", "Acme GmbH");
    await becomes("name", "Acme GmbH");
    await open("/settings/limits");
    await typesOn("Quiet from", "20:00", "21:00");
    await becomes("quietHours", "21:00-07:00");
    await typesOn("For how many days", "12", "14");
    await becomes("warmUp", "200 30% 14 2027-03-01");

    // What changes elsewhere is shown where nothing is typed.
    await api.call("PATCH", "/settings", { quietHours: "19:00-07:00" });
    await saved(page);
    await comesBack(page, "**/api/v1/settings");
    const from = page.getByLabel("Quiet from", { exact: true });
    await eventually(async () => (await from.inputValue()) === "19:00");
    await end();
    await api.call("PATCH", "/settings", { name: before, warmUp: null, quietHours: null });
  });

  test("a test that was sent is said of the address it went to, whatever is typed since", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/relay");
    await page.route("**/api/v1/send", (route) => route.fulfill({ json: { data: {} } }));
    const to = page.getByLabel("Send a test to");
    await to.fill("ada@example.com");
    await page.getByRole("button", { name: "Send a test" }).click();
    const says = page.getByRole("status").getByText(/message for/);
    await says.waitFor();
    await to.fill("grace@example.com");
    expect(await says.innerText()).toContain("message for ada@example.com");
    await visit.end();
  });

  test("an address is taken off the list and put back by undo, with its reason", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/suppressions?q=gone");
    const row = page.getByRole("row", { name: /gone@example.net/ });
    await row.getByRole("button", { name: "Allow again" }).click();
    await row.waitFor({ state: "detached" });
    expect((await api.call("GET", "/suppressions?q=gone")).body.data).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByText("The address does not exist").waitFor();
    expect((await api.call("GET", "/suppressions?q=gone")).body.data).toMatchObject([
      { email: "gone@example.net", reason: "HARD_BOUNCE" },
    ]);
    expect(await page.getByPlaceholder("Search addresses").inputValue()).toBe("gone");
    await visit.end();
  });

  test("an invited editor comes in by the link, and sees neither keys nor people; settings are not theirs to change", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/people");
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByRole("dialog").getByLabel("Email address").fill("grace@example.com");
    await page.getByRole("button", { name: "Create the link" }).click();
    const link = new URL(await page.locator(".copy-line code").innerText()).pathname;
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("row", { name: /grace@example.com.*Not yet/ }).waitFor();
    await visit.end();

    const guest = await visitAs(api, "viewer");
    await guest.context.clearCookies();
    await guest.page.goto(api.url + link);
    await guest.page.getByRole("heading", { name: "Welcome" }).waitFor();
    expect(await axeProblems(guest.page)).toEqual([]);
    await guest.page.getByLabel("Password", { exact: true }).fill("seven quiet lamps");
    await guest.page.getByRole("button", { name: "Open the account" }).click();
    await guest.page.getByRole("heading", { name: "Overview" }).waitFor();
    await guest.open("/settings");
    expect(await guest.page.getByLabel("Postal address").isDisabled()).toBe(true);
    const sections = await guest.page.locator(".settings-sections a").allInnerTexts();
    expect(sections).not.toContain("API keys");
    expect(sections).not.toContain("People and roles");
    await guest.open("/settings/keys");
    await guest.page.getByRole("heading", { name: "Your role does not allow this" }).waitFor();
    await guest.end([401]);
  });

  test("a time zone is shown by whatever name it was set, though a browser lists one of each", async () => {
    for (const name of ["Asia/Kolkata", "Asia/Calcutta", "US/Eastern"]) {
      await api.call("PATCH", "/settings", { timezone: name });
      const { page, open, end } = await visitAs(api);
      await open("/settings/workspace");
      const zone = page.getByRole("combobox", { name: "Time zone" });
      await zone.waitFor();
      expect(await zone.inputValue()).toBe(name.replaceAll("_", " "));
      await end();
    }
    await api.call("PATCH", "/settings", { timezone: "UTC" });
  });

  test("half a name is not saved by Enter that only ends a word of an input method", async () => {
    const { page, open, end } = await visitAs(api);
    const changes: string[] = [];
    const onRequest = (request: Request): void => {
      if (request.method() === "PATCH") changes.push(request.postData()!);
    };
    page.on("request", onRequest);
    await open("/settings/workspace");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("ニュース");
    for (const browser of ["Chrome", "Safari"] as const) await endWord(name, browser);
    await name.fill(HOSTILE);
    await page.keyboard.press("Tab");
    await name.fill("ニュースレター");
    await page.keyboard.press("Enter");
    await becomes("name", "ニュースレター");
    // The server may have it before the browser's request is told of here.
    await eventually(() => changes.length > 0);
    expect(changes.map((body) => JSON.parse(body))).toEqual([{ name: "ニュースレター" }]);
    page.off("request", onRequest);
    await end();
    await api.call("PATCH", "/settings", { name: HOSTILE });
  });

  test("signing out everywhere else ends the other sessions and not this one", async () => {
    const visit = await visitAs(api);
    const { email, password } = visit.person;
    const { signIn } = await import("../../support/server/signed-in.ts");
    const other = await signIn(api, email, password);
    await visit.open("/settings/account");
    await visit.page.getByRole("button", { name: "Sign out everywhere else (1)" }).click();
    await visit.page.getByRole("button", { name: /everywhere else/ }).waitFor({ state: "detached" });
    expect((await other.call("GET", "/session")).status).toBe(401);
    expect((await visit.person.call("GET", "/session")).status).toBe(200);
    await visit.end();
  });
});
