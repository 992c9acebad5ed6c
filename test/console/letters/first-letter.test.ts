/**
 * A new user's first letter, from an empty data directory to the mailbox, told by nothing but the screens: by pointer,
 * and by keyboard alone.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  closesBrowser,
  isWiderThanScreen,
  visitConsole,
  type ConsoleVisit,
  type Look,
} from "../../support/browser/console.ts";
import { chooseByArrows, goBy, hasFocus, pressOn, typeInto } from "../../support/browser/keyboard.ts";
import { startPostrider, temporaryDirectory, type RunningServer } from "../../support/server/postrider.ts";
import { PASSWORD } from "../../support/server/signed-in.ts";

closesBrowser();

const PATIENCE_MS = 60_000;
const LIMIT_MS = 300_000;

const SUBJECT = "The first snow";
const LETTER = "It snowed all night.";

/** How much a first letter may ask of somebody with a pointer: it grows with every field that stands in the way. */
const MOST = { clicks: 26, keys: 200 };

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

/** The letter arrived, once, with its subject and its words, in a mailbox that looks like the console it is reached from. */
async function readInMailbox(page: Page, subject: string, ...letter: string[]): Promise<void> {
  const seen = () => page.evaluate<string[]>(LOOK);
  const before = await seen();
  await page.goto(`${new URL(page.url()).origin}/mailbox`);
  const letters = page.getByRole("link").filter({ hasText: subject });
  await letters.filter({ hasText: "ada@example.com" }).waitFor({ timeout: PATIENCE_MS });
  expect(await letters.count()).toBe(1);
  expect(await seen()).toEqual(before);
  expect(await isWiderThanScreen(page)).toBe(false);
  const shown = await fetch(`${new URL(page.url()).origin}${await letters.getAttribute("href")}/html`);
  const html = await shown.text();
  for (const words of letter) expect(html).toContain(words);
}

/** What makes two pages look like one program: ground, ink, type, and the size of what is read and of headings. */
const LOOK = `(() => {
  const { fontFamily, fontSize, color, backgroundColor } = getComputedStyle(document.body);
  return [fontFamily.split(",")[0], fontSize, color, backgroundColor, getComputedStyle(document.querySelector("h1")).fontSize];
})()`;

/** Somebody follows the link that the new server printed. */
async function follow(look: Look = {}): Promise<Page> {
  const { origin, pathname } = welcomeLink();
  visit = await visitConsole({ url: origin }, look);
  hand = countedHand(visit.page);
  await visit.open(pathname.replace("/console", ""));
  return visit.page;
}

describe.skipIf(lacksBrowser())("a new user's first letter", () => {
  beforeAll(() => buildConsole());
  beforeEach(async () => {
    home = temporaryDirectory();
    server = await startPostrider(home.path);
  });
  afterEach(async () => {
    hand.letGo();
    await server.end("SIGTERM");
    home.remove();
  });

  test(
    "is written with blocks, sent and read, by pointer",
    async () => {
      const page = await follow();
      const { click, write } = hand;
      await write(page.getByLabel("Email address"), "owner@example.com");
      await write(page.getByLabel("Password", { exact: true }), PASSWORD);
      await click(button(page, "Open the account"));

      await page.getByRole("heading", { name: "First steps" }).waitFor();
      await write(field(page, "Sender's address"), "news@example.com");
      // What is missing is named, and what was typed last needs no click of its own.
      await click(button(page, "Next: Bring your readers"));
      await page.getByText("Still missing: Postal address").waitFor();
      await write(field(page, "Postal address"), "1 Example Street");
      await click(button(page, "Next: Bring your readers"));

      await click(page.getByRole("link", { name: "Add by hand" }));
      await click(button(page, "Add a contact").first());
      await write(page.getByRole("dialog").getByLabel("Email address"), "ada@example.com");
      await click(page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }));
      await write(page.getByLabel("Name of the list"), "Readers");
      await click(button(page, "Create a list"));
      await page.getByRole("link", { name: "Readers", exact: true }).waitFor();

      await click(page.getByRole("link", { name: "Overview", exact: true }));
      await click(page.getByRole("link", { name: "New campaign" }).first());
      await write(field(page, "Name"), "My first letter");
      await click(button(page, "Create campaign"));
      await write(field(page, "Subject"), SUBJECT);
      await page.getByText("The words that a new letter begins with are still there.").waitFor();
      await click(page.getByText("write your letter here").first());
      await write(page.getByRole("textbox", { name: "Text", exact: true }), LETTER);
      await page.getByText("Nothing is wrong with the letter.").waitFor({ timeout: PATIENCE_MS });
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
      await readInMailbox(page, SUBJECT, LETTER);
      await visit.end([401]);
    },
    LIMIT_MS,
  );

  test(
    "is written with blocks, sent and read, by keyboard alone",
    async () => {
      const page = await follow();
      const { keyboard } = page;
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
      // Leaving the last field moved nothing: the step stays until somebody goes on.
      await hasFocus(page, button(page, "Next: Bring your readers"));
      await keyboard.press("Enter");
      await page.getByRole("link", { name: "Add by hand" }).waitFor();

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
      // The only list there is stands there already, once the lists are loaded.
      await page.getByRole("dialog").getByLabel("List", { exact: true }).waitFor();
      await keyboard.press("Enter");
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
      await readInMailbox(page, SUBJECT, LETTER);
      await visit.end([401]);
    },
    LIMIT_MS,
  );

  test(
    "is written in German on a phone, with the list made where it is missing",
    async () => {
      const page = await follow({ width: 390, locale: "de-DE" });
      const { click, write } = hand;
      await write(page.getByLabel("E-Mail-Adresse"), "owner@example.com");
      await write(page.getByLabel("Passwort", { exact: true }), PASSWORD);
      await click(button(page, "Konto öffnen"));

      await page.getByRole("heading", { name: "Erste Schritte" }).waitFor();
      await write(field(page, "Adresse des Absenders"), "brief@example.com");
      await write(field(page, "Postanschrift"), "Beispielweg 1");
      await click(button(page, /Deutsch.* übernehmen/));
      await button(page, /Deutsch.* übernehmen/).waitFor({ state: "detached" });
      await click(button(page, "Weiter: Holen Sie Ihre Leser dazu"));

      await click(page.getByRole("link", { name: "Von Hand eintragen" }));
      await click(button(page, "Kontakt hinzufügen").first());
      const dialog = page.getByRole("dialog");
      await write(dialog.getByLabel("E-Mail-Adresse"), "ada@example.com");
      await click(dialog.getByRole("button", { name: "Hinzufügen", exact: true }));
      await page.getByRole("heading", { name: "ada@example.com", level: 1 }).waitFor();

      await click(page.getByRole("link", { name: "Übersicht", exact: true }));
      await click(page.getByRole("link", { name: "Neue Kampagne" }));
      await write(field(page, "Name"), "Erster Schnee");
      await click(button(page, "Kampagne anlegen"));
      await click(page.getByText("hier steht Ihr Brief").first());
      await write(page.getByRole("textbox", { name: "Text", exact: true }), "Es hat geschneit.");
      await write(page.getByLabel("Name der Liste"), "Leser");
      await click(button(page, "Liste anlegen"));
      await click(button(page, "Alle auf diese Liste setzen"));
      await click(button(page, "An 1 Person schicken"));
      await write(dialog.getByRole("textbox"), "1");
      await click(dialog.getByRole("button", { name: "An 1 Person schicken" }));
      await page.getByText("Verschickt", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      expect(hand.did.clicks).toBeLessThanOrEqual(MOST.clicks);
      await readInMailbox(page, "Erster Schnee", "Es hat geschneit.", "Abmelden");
      await page.getByRole("heading", { name: "Postfach" }).waitFor();
      await visit.end([401]);
    },
    LIMIT_MS,
  );
});
