/** A campaign from nothing to its report, as a person makes it: by pointer, and by keyboard alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { startCaptured, type CapturedApi } from "../../support/server/captured.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { chooseByArrows, hasFocus, pressOn, tabTo, typeInto } from "../../support/browser/keyboard.ts";
import { makeLongList } from "../../support/sending/sending.ts";

let api: CapturedApi;
closesBrowser();

const PEOPLE = 1_000;
const PATIENCE_MS = 60_000;

const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name });

const brightest = (page: Page): Promise<string[]> =>
  page.locator(".send-bar button[data-variant=filled]").allInnerTexts();

/** Everything that was typed is on the server. */
const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor({ timeout: PATIENCE_MS });

async function begin(page: Page, name: string, way: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("radio", { name: way }).click();
  await button(page, "Create campaign").click();
  await page.getByRole("textbox", { name: "Subject" }).waitFor();
}

async function chooseList(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "List", exact: true }).click();
  await page.getByRole("option", { name: "Everybody" }).click();
  await page.getByText("1,000 people", { exact: true }).waitFor({ timeout: PATIENCE_MS });
}

/** Sends it to the thousand, and watches the report to its end. @returns whom mail went to */
async function sendToAll(page: Page): Promise<readonly string[]> {
  const before = api.recipients.length;
  await button(page, "Send to 1,000 people").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It goes to 1,000 people: Everybody.").waitFor();
  expect(await dialog.getByRole("button", { name: "Send to 1,000 people" }).isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("1000");
  await dialog.getByRole("button", { name: "Send to 1,000 people" }).click();
  await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
  await page.getByText("100%").first().waitFor({ timeout: PATIENCE_MS });
  const report = await api.call("GET", `/campaigns/${idIn(page)}/report`);
  expect(report.body.data).toMatchObject({ planned: PEOPLE, sent: PEOPLE, remaining: 0 });
  return api.recipients.slice(before);
}

/** Has a test sent, which goes to nobody else. */
async function testToMe(page: Page, email: string): Promise<void> {
  const before = api.recipients.length;
  await button(page, "Send me a test").click();
  await button(page, "Send test").click();
  await page.getByText(`Sent to ${email}`).waitFor({ timeout: PATIENCE_MS });
  await page.keyboard.press("Escape");
  expect(api.recipients.slice(before)).toEqual([email]);
}

/**
 * Replaces what stands in the source. It is emptied first: where Chromium itself types over coloured words, it tries to keep
 * their colour as an inline style, which the page's policy stops and says so.
 */
async function write(page: Page, field: Locator, text: string): Promise<void> {
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.insertText(text);
}

const idIn = (page: Page): string => /campaigns\/([^/?]+)/.exec(page.url())?.[1] ?? "";

describe.skipIf(lacksBrowser())("a campaign", () => {
  beforeAll(async () => {
    api = await startCaptured();
    await makeLongList(api, PEOPLE);
  });
  afterAll(() => api.stop());

  test(
    "is put together from blocks, tested, scheduled, taken back, sent to 1,000 people, and watched to its end",
    async () => {
      const { page, open, end, person } = await visitAs(api);
      await open("/campaigns");
      await page.getByRole("link", { name: "New campaign" }).first().click();
      await begin(page, "November letter", "With blocks");
      await page.getByRole("textbox", { name: "Subject" }).fill("Snow, and three books");
      await page.getByText("write your letter here").first().click();
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.fill("The first snow fell today.");
      await button(page, "Add a block").first().click();
      await page.getByRole("menuitem", { name: "Divider" }).click();
      await chooseList(page);
      await saved(page);

      const frame = page.frameLocator('iframe:not([hidden])[title*="Snow, and three books"]');
      await frame.getByText("The first snow fell today.").waitFor({ timeout: PATIENCE_MS });

      await testToMe(page, person.email);

      await button(page, /^Schedule$/).click();
      await button(page, /^Schedule for/).click();
      await page.getByText(/^Goes out/).waitFor({ timeout: PATIENCE_MS });
      // What goes out by itself is not to be sent by haste: the brightest button is another time.
      expect(await brightest(page)).toEqual(["Change time"]);
      expect(await button(page, "Send to 1,000 people now").isEnabled()).toBe(true);
      await button(page, "Cancel the schedule").click();
      await button(page, /^Schedule$/).waitFor({ timeout: PATIENCE_MS });
      expect(await brightest(page)).toEqual(["Send to 1,000 people"]);

      expect(new Set(await sendToAll(page)).size).toBe(PEOPLE);
      await end();
    },
    3 * PATIENCE_MS,
  );

  test(
    "is written as source, where what is wrong stands at its line; tested, sent to 1,000 people, and found in the mailbox",
    async () => {
      const { page, open, end, person } = await visitAs(api);
      await open("/campaigns/new");
      await begin(page, "By hand", "As source");
      const source = page.getByRole("textbox", { name: "Source of the letter" });
      await write(page, source, "<p>Hello {{ contact.firstName }}</p>\n<p>{% if %}</p>");
      await page.getByText("Check", { exact: true }).waitFor();
      const place = button(page, "line 2").first();
      await place.waitFor({ timeout: PATIENCE_MS });
      await place.click();
      await write(
        page,
        source,
        "<p>Hello {{ contact.firstName }}, <a href='https://shop.example.org/'>the shop</a>.</p>",
      );
      await page.getByText("Nothing is wrong with the letter.").waitFor({ timeout: PATIENCE_MS });
      await saved(page);
      const { body } = await api.call("GET", `/campaigns/${idIn(page)}/content`);
      expect(body.data).toMatchObject({
        format: "html",
        body: "<p>Hello {{ contact.firstName }}, <a href='https://shop.example.org/'>the shop</a>.</p>",
      });
      await chooseList(page);
      await testToMe(page, person.email);
      expect(new Set(await sendToAll(page)).size).toBe(PEOPLE);
      await page.goto(`${api.url}/mailbox`);
      await page.getByRole("link").filter({ hasText: "By hand" }).first().waitFor();
      await end();
    },
    3 * PATIENCE_MS,
  );

  test(
    "is made, written, tested, scheduled, taken back and sent by keyboard alone",
    async () => {
      const { page, open, end, person } = await visitAs(api);
      const before = api.recipients.length;
      await open("/campaigns");
      await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
      await page.keyboard.press("c");
      await hasFocus(page, page.getByRole("textbox", { name: "Name" }));
      await page.keyboard.type("Only keys");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Subject" }).waitFor();
      await typeInto(page, page.getByRole("textbox", { name: "Subject" }), "Written without a mouse");
      const text = page.getByRole("group", { name: /^Text\. Press Enter/ });
      await tabTo(page, text);
      await page.keyboard.press("Control+d");
      await hasFocus(page, text.nth(1));
      await page.keyboard.press("Alt+ArrowUp");
      await page.getByText("Text moved.").waitFor({ state: "attached" });
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await text.nth(1).waitFor({ state: "detached" });
      await pressOn(page, text);
      await typeInto(page, page.getByRole("textbox", { name: "Text", exact: true }), "All by keys.");
      const list = page.getByRole("combobox", { name: "List", exact: true });
      await chooseByArrows(page, list, page.getByRole("option", { name: "Everybody" }));
      await page.keyboard.press("Tab");
      await pressOn(page, list, "Shift+Tab");
      expect(await list.inputValue()).toBe("Everybody");
      await page.getByText("1,000 people", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await saved(page);

      await pressOn(page, button(page, "Send me a test"));
      await pressOn(page, button(page, "Send test"));
      await page.getByText(`Sent to ${person.email}`).waitFor({ timeout: PATIENCE_MS });
      await page.keyboard.press("Escape");
      await pressOn(page, button(page, /^Schedule$/));
      await pressOn(page, button(page, /^Schedule for/));
      await page.getByText(/^Goes out/).waitFor({ timeout: PATIENCE_MS });
      await pressOn(page, button(page, "Cancel the schedule"));
      await button(page, /^Schedule$/).waitFor({ timeout: PATIENCE_MS });
      expect(api.recipients.slice(before)).toEqual([person.email]);

      await pressOn(page, button(page, "Send to 1,000 people"));
      await hasFocus(page, page.getByRole("dialog").getByRole("textbox"));
      await page.keyboard.type("1,000");
      await page.keyboard.press("Enter");
      await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      const { body } = await api.call("GET", `/campaigns/${idIn(page)}`);
      expect(body.data).toMatchObject({ subject: "Written without a mouse", status: "SENT" });
      expect(new Set(api.recipients.slice(before)).size).toBe(PEOPLE + 1);
      const content = await api.call("GET", `/campaigns/${idIn(page)}/content`);
      expect(content.body.data.body).toContain("All by keys.");
      await end();
    },
    3 * PATIENCE_MS,
  );
});
