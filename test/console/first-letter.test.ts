/**
 * A new user's first letter, from an empty data directory to the mailbox, told by nothing but the screens: by pointer,
 * and by keyboard alone.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { builtConsole } from "../../scripts/console/build.ts";
import { lacksBrowser } from "../support/browser/browser.ts";
import { closesBrowser, visitConsole, type ConsoleVisit } from "../support/browser/console.ts";
import { chooseByArrows, goBy, hasFocus, pressOn, tabTo, typeInto } from "../support/browser/keyboard.ts";
import { startPostrider, temporaryDirectory, type RunningServer } from "../support/server/postrider.ts";
import { PASSWORD } from "../support/server/signed-in.ts";

closesBrowser();

const PATIENCE_MS = 60_000;
const LIMIT_MS = 300_000;

const SUBJECT = "The first snow";
const LETTER = "It snowed all night.";

/** How much a first letter may ask of somebody with a pointer: it grows with every field that stands in the way. */
const MOST = { clicks: 30, keys: 200 };

let home: ReturnType<typeof temporaryDirectory>;
let server: RunningServer;
let visit: ConsoleVisit;
let hand: ReturnType<typeof countedHand>;

/** Does what a person does with pointer and keys, and counts it. */
function countedHand(page: Page) {
  const { keyboard } = page;
  const [press, type] = [keyboard.press.bind(keyboard), keyboard.type.bind(keyboard)];
  const did = { clicks: 0, keys: 0 };
  Object.assign(keyboard, {
    press: (...given: Parameters<typeof press>) => (did.keys++, press(...given)),
    type: (...given: Parameters<typeof type>) => ((did.keys += given[0].length), type(...given)),
  });
  return {
    did,
    async click(what: Locator): Promise<void> {
      did.clicks++;
      await what.click();
    },
    /** Clicks into a field, and types over what stands in it. */
    async write(field: Locator, text: string): Promise<void> {
      did.clicks++;
      await field.click();
      await keyboard.press("Control+a");
      await keyboard.type(text);
    },
    letGo: () => void Object.assign(keyboard, { press, type }),
  };
}

const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name });
const field = (page: Page, name: string): Locator => page.getByRole("textbox", { name });
const listField = (page: Page): Locator => page.getByRole("combobox", { name: "List", exact: true });
const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor({ timeout: PATIENCE_MS });

/** What the new server tells whoever started it. */
const welcomeLink = (): URL => new URL(/open (\S+\/console\/welcome\/\S+)/.exec(server.out())![1]!);

/** The letter arrived, once, with its subject and its words. */
async function readInMailbox(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/mailbox`);
  const letters = page.getByRole("link").filter({ hasText: SUBJECT });
  await letters.filter({ hasText: "to ada@example.com" }).waitFor({ timeout: PATIENCE_MS });
  expect(await letters.count()).toBe(1);
  const shown = await fetch(`${origin}${await letters.getAttribute("href")}/html`);
  expect(await shown.text()).toContain(LETTER);
}

describe.skipIf(lacksBrowser())("a new user's first letter", () => {
  beforeAll(() => builtConsole());
  beforeEach(async () => {
    home = temporaryDirectory();
    server = await startPostrider(home.path);
    visit = await visitConsole({ url: welcomeLink().origin });
    hand = countedHand(visit.page);
  });
  afterEach(async () => {
    hand.letGo();
    await server.end("SIGTERM");
    home.remove();
  });

  test(
    "is written with blocks, sent and read, by pointer",
    async () => {
      const { page } = visit;
      const { click, write } = hand;
      const { origin, pathname } = welcomeLink();
      await visit.open(pathname.replace("/console", ""));
      await write(page.getByLabel("Email address"), "owner@example.com");
      await write(page.getByLabel("Password", { exact: true }), PASSWORD);
      await click(button(page, "Come in"));

      await page.getByRole("heading", { name: "First steps" }).waitFor();
      await write(field(page, "Sender's address"), "news@example.com");
      await write(field(page, "Postal address"), "1 Example Street");

      await click(page.getByRole("link", { name: "Lists", exact: true }));
      await click(button(page, "Create a list").first());
      await write(page.getByRole("dialog").getByLabel("Name"), "Readers");
      await click(page.getByRole("dialog").getByRole("button", { name: "Create a list" }));
      await page.getByRole("heading", { name: "Readers", level: 1 }).waitFor();

      await click(page.getByRole("link", { name: "Contacts", exact: true }));
      await click(button(page, "Add a contact").first());
      await write(page.getByRole("dialog").getByLabel("Email address"), "ada@example.com");
      await click(page.getByRole("dialog").getByRole("button", { name: "Add" }));
      await page.getByLabel("Add to a list").selectOption({ label: "Readers" });
      await page.getByRole("link", { name: "Readers", exact: true }).waitFor();

      await click(page.getByRole("link", { name: "Campaigns", exact: true }));
      await click(page.getByRole("link", { name: "New campaign" }).first());
      await write(field(page, "Name"), "My first letter");
      await click(button(page, "Create campaign"));
      await write(field(page, "Subject"), SUBJECT);
      await click(page.getByText("write your letter here").first());
      await write(page.getByRole("textbox", { name: "Text", exact: true }), LETTER);
      await click(listField(page));
      await click(page.getByRole("option", { name: "Readers" }));
      await page.getByText("1 person", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await saved(page);

      await click(button(page, "Send to 1 person"));
      await write(page.getByRole("dialog").getByRole("textbox"), "1");
      await click(page.getByRole("dialog").getByRole("button", { name: "Send to 1 person" }));
      await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      expect(hand.did.clicks).toBeLessThanOrEqual(MOST.clicks);
      expect(hand.did.keys).toBeLessThanOrEqual(MOST.keys);
      await readInMailbox(page, origin);
      await visit.end([401]);
    },
    LIMIT_MS,
  );

  test(
    "is written with blocks, sent and read, by keyboard alone",
    async () => {
      const { page } = visit;
      const { keyboard } = page;
      const { origin, pathname } = welcomeLink();
      await visit.open(pathname.replace("/console", ""));
      await hasFocus(page, page.getByLabel("Email address"));
      await typeInto(page, page.getByLabel("Email address"), "owner@example.com");
      await typeInto(page, page.getByLabel("Password", { exact: true }), PASSWORD);
      await keyboard.press("Enter");

      await page.getByRole("heading", { name: "First steps" }).waitFor();
      await typeInto(page, field(page, "Sender's address"), "news@example.com");
      await typeInto(page, field(page, "Postal address"), "1 Example Street");
      await keyboard.press("Tab");
      const steps = page.locator(".first-steps > li");
      await steps.first().getByLabel("Done").waitFor();
      // Mail is captured here: that it leaves and is vouched for is not claimed.
      for (const step of [1, 2]) await steps.nth(step).getByLabel("Later").waitFor();
      expect(await steps.getByLabel("Done").count()).toBe(1);

      await goBy(page, "l", "Lists");
      await keyboard.press("n");
      await hasFocus(page, page.getByRole("dialog").getByLabel("Name"));
      await keyboard.type("Readers");
      await keyboard.press("Enter");
      await page.getByRole("heading", { name: "Readers", level: 1 }).waitFor();

      await goBy(page, "p", "Contacts");
      await keyboard.press("n");
      await hasFocus(page, page.getByRole("dialog").getByLabel("Email address"));
      await keyboard.type("ada@example.com");
      await keyboard.press("Enter");
      await tabTo(page, page.getByLabel("Add to a list"));
      // Its first letter takes the choice, and there is nothing left to choose from.
      await keyboard.press("R");
      await page.getByRole("link", { name: "Readers", exact: true }).waitFor();

      await goBy(page, "c", "Campaigns");
      await keyboard.press("c");
      await hasFocus(page, field(page, "Name"));
      await keyboard.type("My first letter");
      await keyboard.press("Enter");
      await field(page, "Subject").waitFor();
      await typeInto(page, field(page, "Subject"), SUBJECT);
      await pressOn(page, page.getByRole("group", { name: /^Text\. Press Enter/ }));
      await typeInto(page, page.getByRole("textbox", { name: "Text", exact: true }), LETTER);
      await chooseByArrows(page, listField(page), page.getByRole("option", { name: "Readers" }));
      await page.getByText("1 person", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await saved(page);

      await pressOn(page, button(page, "Send to 1 person"));
      await hasFocus(page, page.getByRole("dialog").getByRole("textbox"));
      await keyboard.type("1");
      await keyboard.press("Enter");
      await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      expect(hand.did.clicks).toBe(0);
      await readInMailbox(page, origin);
      await visit.end([401]);
    },
    LIMIT_MS,
  );
});
