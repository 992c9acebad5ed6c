/** From a file of 10,000 to a segment of them and a campaign to it: with the mouse, and by keyboard alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { startCaptured, type CapturedApi } from "../../support/server/captured.ts";
import { axeProblems, closesBrowser, visitAs } from "../../support/browser/console.ts";
import {
  chooseNative,
  chooserTakes,
  hasFocus,
  pressOn,
  tabTo,
  takeByArrows,
  typeInto,
} from "../../support/browser/keyboard.ts";
import { fixture } from "../../support/people/imports.ts";

let api: CapturedApi;
closesBrowser();

const PATIENCE_MS = 60_000;
const WALK_MS = 240_000;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const file = (text: string, name: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
/** People of whom one in ten lives in Bern. */
const rowsOf = (count: number, name: string): string =>
  Array.from(
    { length: count },
    (_, i) => `${name}${i}@example.com;P${i};${i % 10 === 0 ? "Bern" : "Basel"}`,
  ).join("\n");

describe.skipIf(lacksBrowser())("an import in the console", () => {
  beforeAll(async () => {
    api = await startCaptured();
  });
  afterAll(() => api.stop());

  test(
    "brings 10,000 people in with a mapping, a filter finds some, is kept as a segment, and a campaign goes to them",
    async () => {
      const { page, open, end } = await visitAs(api, "editor");
      await open("/imports/new");
      const people = file(`E-Mail;Rufname;Ort\n${rowsOf(10_000, "p")}\nbroken;X;Y\n`, "people.csv");
      await page.locator("input[type=file]").setInputFiles(people);
      await page.getByLabel("What E-Mail becomes").selectOption("email");
      await page.getByLabel("What Rufname becomes").selectOption("firstName");
      await page.getByLabel("What Ort becomes").selectOption({ label: "Attribute: Ort" });
      await page.getByText("Say how they agreed").waitFor();
      expect(await button(page, "Import 10,001 rows").isDisabled()).toBe(true);
      await page.getByLabel("They agreed to marketing mail").check();
      await page.getByText("p19@example.com").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await button(page, "Import 10,001 rows").click();
      await page.getByText("10,001 rows read").waitFor({ timeout: WALK_MS });
      await page.getByText("Done").waitFor();
      await page.getByRole("cell", { name: "10002" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        button(page, "Download the messages").click(),
      ]);
      expect(download.suggestedFilename()).toBe("people.csv.errors.csv");
      const failed = async (press: () => Promise<void>): Promise<string> => {
        const [kept] = await Promise.all([page.waitForEvent("download"), press()]);
        return await Bun.file(await kept.path()).text();
      };
      const rows = await failed(() => button(page, "Download these rows").click());
      expect(rows.split("\r\n")).toEqual([
        '"What is wrong";E-Mail;Rufname;Ort',
        expect.stringMatching(/^".+";broken;X;Y$/),
        "",
      ]);
      // Somebody who comes back later has the file itself, and this page has not.
      await page.reload();
      await button(page, "Choose the file again to get its rows").waitFor();
      const given = page.locator("input[type=file]");
      await given.setInputFiles(file("E-Mail;Rufname;Ort\n", "other.csv"));
      await page.getByText("These rows are not in it").waitFor();
      expect(await failed(() => given.setInputFiles(people))).toBe(rows);

      await page.getByRole("link", { name: "To the contacts" }).click();
      await page.getByText("10,000 people").waitFor();
      await button(page, "Add a condition").click();
      await page.getByRole("menuitem", { name: "Attribute", exact: true }).click();
      await page.getByRole("combobox", { name: "Name of the attribute" }).fill("Ort");
      await page.getByRole("textbox", { name: "Value", exact: true }).fill("Bern");
      await button(page, "Done").click();
      await page.getByText("1,000 people").waitFor();
      await button(page, "Save as segment").click();
      await page.getByLabel("Name of the segment").fill("Bern");
      await page.keyboard.press("Enter");
      await page.getByText("1,000 people, 1,000 of them subscribed").waitFor();

      await page.getByRole("link", { name: "Write to them" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("To Bern");
      await button(page, "Create campaign").click();
      await page.getByText("1,000 people", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await button(page, "Send to 1,000 people").click();
      await page.getByRole("dialog").getByRole("textbox").fill("1000");
      await page.keyboard.press("Enter");
      await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await page.getByText("100%").first().waitFor({ timeout: PATIENCE_MS });
      const inBern = Array.from({ length: 1_000 }, (_, i) => `p${i * 10}@example.com`);
      expect(api.recipients.toSorted()).toEqual(inBern.toSorted());
      await end();
    },
    WALK_MS,
  );

  test(
    "of another tool's file says that whoever left there stays out, and so it is with columns of one's own",
    async () => {
      const { page, open, end } = await visitAs(api, "editor");
      await open("/imports/new");
      const left = Buffer.from(fixture("mailchimp-unsubscribed.csv"));
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "left.csv", mimeType: "text/csv", buffer: left });
      await button(page, "Choose the columns myself").click();
      await page.getByLabel("They agreed to marketing mail").check();
      await page.getByText("Whoever unsubscribed in mailchimp stays unsubscribed").waitFor();
      await page.getByRole("row", { name: /linus@mailchimp\.example.*Unsubscribed/ }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await end();
    },
    WALK_MS,
  );

  test("of people who never agreed, as the file's name says, is refused while it would subscribe them", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    await open("/imports/new");
    const people = file(
      "Email Address,LEID\nada@never.example,1\n",
      "nonsubscribed_members_export_0a1b2c.csv",
    );
    await page.locator("input[type=file]").setInputFiles(people);
    await page.getByLabel("They agreed to marketing mail").check();
    const refusal = page.getByText(
      "people who never agreed to marketing mail: leave it out, or choose that you do not know",
    );
    await refusal.waitFor();
    expect(await button(page, "Import 1 row").isDisabled()).toBe(true);
    await page.getByLabel("I do not know").check();
    await page.getByRole("row", { name: /ada@never\.example.*Waiting for confirmation/ }).waitFor();
    expect([await refusal.count(), await button(page, "Import 1 row").isDisabled()]).toEqual([0, false]);
    await end();
  });

  test(
    "of a tool's file that does not say who left says so, as long as it would subscribe them",
    async () => {
      const { page, open, end } = await visitAs(api, "editor");
      await open("/imports/new");
      const give = (name: string, text: string | Uint8Array) =>
        page
          .locator("input[type=file]")
          .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
      await give("subscribers.csv", fixture("listmonk.csv"));
      const hidden = page.getByText("listmonk has people who left a list or never confirmed as enabled");
      await hidden.waitFor();
      const becomes = page.getByLabel("Those whom the file does not show as unsubscribed or blocked become:");
      expect(await becomes.inputValue()).toBe("SUBSCRIBED");
      await page.getByRole("row", { name: /ada@listmonk\.example.*Subscribed/ }).waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await becomes.selectOption({ label: "Unsubscribed" });
      await page.getByRole("row", { name: /ada@listmonk\.example.*Unsubscribed/ }).waitFor();
      expect([await hidden.count(), await page.getByText("stays unsubscribed").count()]).toEqual([0, 0]);

      await button(page, "Another file").click();
      await give("contacts.csv", "EMAIL;FIRSTNAME;ADDED_TIME\nada@brevo.example;Ada;12-04-2022\n");
      await page.getByText("This file does not say who unsubscribed in brevo").waitFor();
      expect(await page.getByText("stays unsubscribed").count()).toBe(0);
      await end();
    },
    WALK_MS,
  );

  test(
    "is chosen, mapped, filtered, kept as a segment and written to by keyboard alone",
    async () => {
      const before = api.recipients.length;
      const { page, open, end } = await visitAs(api, "editor");
      const rows = rowsOf(20, "k").replaceAll(/;P\d+;/g, ";");
      const fileGiven = chooserTakes(page, file(`E-Mail;Quelle\n${rows}\n`, "keys.csv"));
      await open("/contacts");
      await pressOn(page, page.getByRole("link", { name: "Import a file" }).first());
      await pressOn(page, page.locator(".imports-drop"));
      await fileGiven;
      await chooseNative(page, page.getByLabel("What Quelle becomes"), "Attribute: Quelle");
      await tabTo(page, page.getByRole("radio", { name: "They agreed to marketing mail" }));
      await page.keyboard.press("Space");
      await page.getByText("k19@example.com").waitFor();
      await pressOn(page, button(page, "Import 20 rows"));
      await page.getByText("20 rows read").waitFor();
      await pressOn(page, page.getByRole("link", { name: "To the contacts" }));

      await pressOn(page, button(page, "Add a condition"));
      await takeByArrows(page, page.getByRole("menuitem", { name: "Attribute", exact: true }));
      const attribute = page.getByRole("combobox", { name: "Name of the attribute" });
      await hasFocus(page, attribute);
      await typeInto(page, attribute, "Quelle");
      await typeInto(page, page.getByRole("textbox", { name: "Value", exact: true }), "Bern");
      await page.keyboard.press("Enter");
      await page.getByText("2 people").waitFor();
      await pressOn(page, button(page, "Save as segment"));
      await hasFocus(page, page.getByLabel("Name of the segment"));
      await page.keyboard.type("By keys");
      await page.keyboard.press("Enter");
      await pressOn(page, page.getByRole("link", { name: "Write to them" }));
      await hasFocus(page, page.getByRole("textbox", { name: "Name" }));
      await page.keyboard.type("To two");
      await page.keyboard.press("Enter");
      await page.getByText("2 people", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await pressOn(page, button(page, "Send to 2 people"), "Shift+Tab");
      await hasFocus(page, page.getByRole("dialog").getByRole("textbox"));
      await page.keyboard.type("2");
      await page.keyboard.press("Enter");
      await page.getByText("Sent", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      expect(api.recipients.slice(before).toSorted()).toEqual(["k0@example.com", "k10@example.com"]);
      await end();
    },
    WALK_MS,
  );
});
