/** A form from nothing to a confirmed subscriber: with the mouse, and by keyboard alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { openMailbox, startCaptured, type CapturedApi } from "../../support/server/captured.ts";
import { axeProblems, closesBrowser, visitAs } from "../../support/browser/console.ts";
import { chooseNative, goBy, press, pressOn, typeInto } from "../../support/browser/keyboard.ts";
import { contactOf, listOf } from "../../support/people/people.ts";

let api: CapturedApi;
closesBrowser();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const settings = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const idIn = (page: Page): string => page.url().split("/").at(-1) ?? "";

const WALK_MS = 180_000;

/** Longer than anybody needs to fill in a form. */
const FILL_MS = 10_000;

const statusOf = async (email: string): Promise<string> => (await contactOf(api, email)).status;

describe.skipIf(lacksBrowser())("a form in the console", () => {
  beforeAll(async () => {
    api = await startCaptured({ name: "Ada's Shop", doubleOptIn: true });
    await listOf(api, "Newsletter");
  });
  afterAll(() => api.stop());

  test(
    "leads from nothing to a confirmed subscriber, with a warning where colours cannot be read",
    async () => {
      const visit = await visitAs(api, "editor");
      const { page } = visit;
      await visit.open("/forms");
      await page.getByText("No forms yet").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await button(page, "Create a form").click();
      // A form is online at once: so nothing is made before it has its heading, and nobody joins a list unasked.
      const made = async () => (await api.call("GET", "/forms")).body.data;
      await page.getByRole("dialog").getByText("It is online as soon as it is made").waitFor();
      expect(await page.getByRole("dialog").getByLabel("List").inputValue()).toBe("");
      expect([await button(page, "Create it").isDisabled(), await made()]).toEqual([true, []]);
      expect(await axeProblems(page)).toEqual([]);
      await settings(page, "Name").fill("Stay in touch");
      await page.getByRole("dialog").getByLabel("List").selectOption({ label: "Newsletter" });
      await button(page, "Create it").click();
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      const listId = (await api.call("GET", "/lists")).body.data[0].id;
      expect(await made()).toMatchObject([{ name: "Stay in touch", listId }]);
      const languages = page.getByLabel("Language", { exact: true }).locator("option");
      expect((await languages.allInnerTexts()).slice(0, 3)).toEqual([
        "As the workspace",
        "English",
        "Deutsch",
      ]);
      await page.getByLabel("Text of the button").fill("Count me in");
      await settings(page, "Button").fill("#777777");
      await settings(page, "Text on the button").fill("#888888");
      await page.getByText("Below 4.5:1 many cannot read it").waitFor();
      await settings(page, "Text on the button").fill("#ffffff");
      await settings(page, "Button").fill("#0b6e4f");
      await page.getByRole("heading", { name: "Settings" }).click();
      const shown = page.frameLocator("iframe:not([hidden])");
      await shown.getByRole("button", { name: "Count me in" }).waitFor();
      await shown.getByRole("heading", { name: "Stay in touch" }).waitFor();
      await page.getByText("Not saved yet").waitFor();
      await button(page, "Save").click();
      await page.getByText(/^Saved /).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      const id = idIn(page);
      await page.getByText(`/forms/${id}/embed.js`).waitFor();

      await page.goto(`${api.url}/forms/${id}`);
      api.clock.shift(FILL_MS);
      await page.getByLabel("Email").fill("reader@example.com");
      await button(page, "Count me in").click();
      await page.getByLabel("Email").waitFor({ state: "detached" });
      await openMailbox(page, api, "reader@example.com");
      expect(await statusOf("reader@example.com")).toBe("PENDING");
      await page.getByRole("link").filter({ hasText: "to reader@example.com" }).click();
      const [confirming] = await Promise.all([
        page.waitForEvent("popup"),
        page.frameLocator("iframe").getByRole("link").first().click(),
      ]);
      await confirming.getByRole("button").click();
      await confirming.getByRole("button").waitFor({ state: "detached" });

      await visit.open(`/forms/${id}`);
      await page.getByText("Asked to confirm").waitFor();
      expect(await statusOf("reader@example.com")).toBe("SUBSCRIBED");
      expect((await api.call("GET", `/forms/${id}/stats`)).body.data).toEqual({
        asked: 1,
        confirmed: 1,
        joined: 1,
        left: 0,
      });
      expect((await api.call("GET", "/lists")).body.data[0].contactCount).toBe(1);
      expect(api.recipients).toEqual(["reader@example.com"]);
      await visit.end();
    },
    WALK_MS,
  );

  test(
    "is made, filled in and confirmed by keyboard alone",
    async () => {
      const visit = await visitAs(api, "editor");
      const { page } = visit;
      await visit.open("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await goBy(page, "f", "Forms");
      await pressOn(page, button(page, "Create a form"));
      await typeInto(page, settings(page, "Name"), "By keys");
      await chooseNative(page, page.getByRole("dialog").getByLabel("List"), "Newsletter");
      await pressOn(page, button(page, "Create it"));
      await typeInto(page, page.getByLabel("Text of the button"), "Join");
      await pressOn(page, button(page, "Save"), "Shift+Tab");
      await page.getByText(/^Saved /).waitFor();
      const id = idIn(page);
      expect((await api.call("GET", `/forms/${id}`)).body.data).toMatchObject({
        name: "By keys",
        listId: (await api.call("GET", "/lists")).body.data[0].id,
        style: { buttonText: "Join" },
      });

      await page.goto(`${api.url}/forms/${id}`);
      api.clock.shift(FILL_MS);
      await typeInto(page, page.getByLabel("Email"), "keys@example.com");
      await page.keyboard.press("Enter");
      await page.getByLabel("Email").waitFor({ state: "detached" });
      await openMailbox(page, api, "keys@example.com");
      await pressOn(page, page.getByRole("link").filter({ hasText: "to keys@example.com" }));
      // The mail's frame runs no script, so that the focus is only seen from outside.
      const link = page.frameLocator("iframe").locator("a:focus");
      while ((await link.count()) === 0) await press(page, "Tab");
      const [confirming] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
      await pressOn(confirming, confirming.getByRole("button"));
      await confirming.getByRole("button").waitFor({ state: "detached" });
      expect(await statusOf("keys@example.com")).toBe("SUBSCRIBED");
      await visit.end();
    },
    WALK_MS,
  );
});
