/** Sign-up forms as people meet them: hosted without scripts, embedded in a site of somebody else's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { lacksBrowser, openBrowser, overflows, picture, visitor } from "../support/browser/browser.ts";
import { embedded, site, strict } from "../support/browser/site.ts";
import { membersOf, newForm, startForms, type FormsApi } from "../support/people/forms.ts";
import { consentLog, contactOf } from "../support/people/people.ts";

const SCREENS = [
  [1280, "light"],
  [390, "light"],
  [390, "dark"],
] as const;

const STYLE = {
  buttonText: "Count me in",
  buttonColor: "#0b6e4f",
  backgroundColor: "#fff8e7",
  textColor: "#2d2a26",
  cornerRadius: 16,
  fontSize: 17,
};

/** What people keep about themselves in a password manager or a contact card, by the names of fields that take it. */
const CARD = [
  [/e-?mail/i, "card@example.com"],
  [/first.?name/i, "Ada"],
  [/last.?name/i, "Lovelace"],
  [/title/i, "Countess"],
  [/web.?site|url|home.?page/i, "https://ada.example"],
  [/company|organi[sz]ation|job|department/i, "Engines Ltd"],
  [/phone|tel|fax|mobile/i, "+44 20 7946 0000"],
  [/street|address|city|zip|post|region|country|state/i, "London"],
  [/birth|^(age|sex|gender)$/i, "1815"],
] as const;

let api: FormsApi;
let browser: Browser;

describe.skipIf(lacksBrowser())("a sign-up form in a browser", () => {
  beforeAll(async () => {
    api = await startForms({ doubleOptIn: true });
    browser = await openBrowser();
  });
  // All of them come from this machine: nobody is to be the sixth within ten minutes.
  beforeEach(() => api.clock.shift(11 * 60_000));
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test.each(SCREENS)(
    "hosted, %d pixels wide (%s), without scripts: filled in, confirmed by the mail's link, on the list",
    async (width, scheme) => {
      const form = await newForm(api, { fields: ["firstName", "lastName"] });
      if (scheme === "light") await api.call("PATCH", `/forms/${form.id}`, { style: STYLE });
      const email = `ada-${width}-${scheme}@example.com`;
      const visit = await visitor(browser, width, scheme);
      const { page } = visit;
      await page.goto(`${api.url}/forms/${form.id}`);
      await picture(page, `form-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      expect(await page.getByLabel("Leave this empty").boundingBox()).toMatchObject({
        x: expect.any(Number),
      });
      api.clock.shift(60_000);
      await page.getByLabel("Email address").fill(email);
      await page.getByLabel("First name").fill("Ada");
      await page.getByRole("button", { name: scheme === "light" ? "Count me in" : "Subscribe" }).click();
      await page.getByRole("heading", { name: "Thanks! One more step." }).waitFor();
      await picture(page, `form-thanks-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);

      const [link] = await api.confirmLinks(email);
      await page.goto(api.url + link!);
      await picture(page, `confirm-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      expect((await membersOf(api, form))[email]).toBe("PENDING");
      await page.getByRole("button", { name: "Confirm subscription" }).click();
      await page.getByRole("heading", { name: "You are subscribed" }).waitFor();
      await picture(page, `confirmed-${width}-${scheme}`);
      expect((await membersOf(api, form))[email]).toBe("SUBSCRIBED");
      expect(await contactOf(api, email)).toMatchObject({
        firstName: "Ada",
        lastName: "",
        status: "SUBSCRIBED",
      });
      expect(await consentLog(api)).toContain(`GIVEN ${email} confirmation`);
      expect(visit.complaints).toEqual([]);
      expect([...visit.requests].filter((url) => !url.startsWith(api.url))).toEqual([]);
      await visit.close();
    },
  );

  test("hosted: what cannot be taken is shown again with the words typed, and taken when mended; a quick hand too", async () => {
    const form = await newForm(api);
    const visit = await visitor(browser, 390);
    const { page } = visit;
    await page.goto(`${api.url}/forms/${form.id}`);
    await page.getByLabel("Email address").fill("grace@localhost");
    await page.getByLabel("First name").fill('Grace "Amazing" <Hopper>');
    await page.getByRole("button").click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("quick");
    api.clock.shift(60_000);
    await page.getByRole("button").click();
    await page.getByText("must have a dot").waitFor();
    await picture(page, "form-again-390");
    expect(await page.getByLabel("First name").inputValue()).toBe('Grace "Amazing" <Hopper>');
    api.clock.shift(60_000);
    await page.getByLabel("Email address").fill("grace@example.com");
    await page.getByRole("button").click();
    await page.getByRole("heading", { name: "Thanks!" }).waitFor();
    expect(await contactOf(api, "grace@example.com")).toMatchObject({
      firstName: 'Grace "Amazing" <Hopper>',
    });
    expect(visit.complaints.filter((text) => !text.includes("400"))).toEqual([]);
    await visit.close();
  });

  test("hosted: who has it filled in by a password manager is signed up like anybody", async () => {
    const form = await newForm(api, { fields: ["firstName", "lastName"] });
    const visit = await visitor(browser, 390);
    const { page } = visit;
    await page.goto(`${api.url}/forms/${form.id}`);
    // As managers do it: every field that has a box and a name that the person's card knows, also one for nobody.
    for (const input of await page.locator("input:not([type=hidden])").all()) {
      const name = (await input.getAttribute("name"))!;
      const value = CARD.find(([field]) => field.test(name))?.[1];
      if (value !== undefined && (await input.boundingBox())!.height > 10)
        await input.fill(value, { force: true });
    }
    api.clock.shift(60_000);
    await page.getByRole("button").click();
    await page.getByRole("heading", { name: "Thanks!" }).waitFor();
    expect(await contactOf(api, "card@example.com")).toMatchObject({ firstName: "Ada" });
    await visit.close();
  });

  test("hosted: allowed origins do not lock out the service's own page", async () => {
    const form = await newForm(api);
    await api.services.workspaces.changeSettings(api.workspaceId, {
      allowedOrigins: ["https://shop.example.com"],
    });
    const visit = await visitor(browser, 390);
    await visit.page.goto(`${api.url}/forms/${form.id}`);
    api.clock.shift(60_000);
    await visit.page.getByLabel("Email address").fill("own-page@example.com");
    await visit.page.getByRole("button").click();
    await visit.page.getByRole("heading", { name: "Thanks!" }).waitFor();
    await visit.close();
    await api.services.workspaces.changeSettings(api.workspaceId, { allowedOrigins: [] });
  });

  test.each(SCREENS)(
    "embedded in a strict site, %d pixels wide (%s): filled in, confirmed, on the list",
    async (width, scheme) => {
      const form = await newForm(api);
      if (width === 390) await api.call("PATCH", `/forms/${form.id}`, { style: STYLE });
      const shop = site(api, form.id, embedded);
      const email = `linus-${width}-${scheme}@example.com`;
      const visit = await visitor(browser, width, scheme, true);
      const { page } = visit;
      await page.goto(shop.url);
      await page.getByLabel("Email address").waitFor();
      await picture(page, `embedded-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      // The form took its place between what stands before and after the script.
      expect((await page.locator("main").innerText()).indexOf("After the form")).toBeGreaterThan(0);
      await page.getByLabel("Email address").fill("linus@localhost");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "dot" }).waitFor();
      await picture(page, `embedded-error-${width}-${scheme}`);
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button").click();
      await page.getByRole("status").filter({ hasText: "Thanks! One more step." }).waitFor();
      await picture(page, `embedded-thanks-${width}-${scheme}`);
      const [link] = await api.confirmLinks(email);
      await page.goto(api.url + link!);
      await page.getByRole("button", { name: "Confirm subscription" }).click();
      await page.getByRole("heading", { name: "You are subscribed" }).waitFor();
      expect((await membersOf(api, form))[email]).toBe("SUBSCRIBED");
      expect(visit.complaints.filter((text) => !text.includes("400"))).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
      await visit.close();
      await shop.stop();
    },
  );

  test.each([
    ["with its look", () => ""],
    ["without it, if the site's policy allows no style", strict],
  ])(
    "embedded: a browser that makes no sheets from scripts (Safari before 16.4) shows it %s",
    async (_, policy) => {
      const form = await newForm(api);
      const shop = site(api, form.id, embedded, policy(api.url));
      const visit = await visitor(browser, 390, "light", true);
      const { page } = visit;
      await page.addInitScript({
        content: `window.CSSStyleSheet = class { constructor() { throw new TypeError("Illegal constructor"); } }`,
      });
      await page.goto(shop.url);
      await page.getByLabel("Email address").waitFor();
      const isStyled = (await page.getByRole("button").boundingBox())!.height > 40;
      expect(isStyled).toBe(policy(api.url) === "");
      await visit.close();
      await shop.stop();
    },
  );

  test("embedded: a place can be named, so that the script may stand in the head", async () => {
    const form = await newForm(api);
    const shop = site(
      api,
      form.id,
      (url) => `<div data-postrider-form="${form.id}"></div><p>Between</p>${embedded(url)}`,
    );
    const visit = await visitor(browser, 390, "light", true);
    await visit.page.goto(shop.url);
    await visit.page.getByLabel("Email address").waitFor();
    expect(
      await visit.page.locator(`[data-postrider-form="${form.id}"]`).getByLabel("Email address").count(),
    ).toBe(1);
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await shop.stop();
  });
});
