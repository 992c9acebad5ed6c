/** An answer that comes late leaves people where they are by then. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { heldUp } from "../../support/browser/held-up.ts";
import { listOf, person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 120_000;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const called = async (page: Page, button: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Late");
  await press(page, button);
};

/** What is done, where, and what it asks the server for. */
type Row = readonly [
  what: string,
  path: () => Promise<string>,
  act: (page: Page) => Promise<void>,
  asks: readonly [method: string, path: string],
];

async function importsOne(page: Page): Promise<void> {
  const buffer = Buffer.from("email\nlate@example.com\n");
  await page.locator("input[type=file]").setInputFiles({ name: "late.csv", mimeType: "text/csv", buffer });
  await page.getByLabel("I do not know").check();
  await press(page, "Import 1 row");
}

const DONE: readonly Row[] = [
  [
    "a new campaign",
    async () => "/campaigns/new",
    (page) => called(page, "Create campaign"),
    ["POST", "/campaigns"],
  ],
  [
    "a new template",
    async () => "/templates/new",
    (page) => called(page, "Create template"),
    ["POST", "/templates"],
  ],
  ["an import", async () => "/imports/new", importsOne, ["POST", "/imports"]],
  [
    "a deletion",
    async () => `/lists/${await listOf(api, "Late list")}`,
    async (page) => {
      await press(page, "Delete this list");
      await page.getByRole("dialog").getByRole("textbox").fill("Late list");
      await page.getByRole("dialog").getByRole("button", { name: "Delete this list" }).click();
    },
    ["DELETE", "/lists/*"],
  ],
];

describe.skipIf(lacksBrowser())("who has gone to another screen", () => {
  beforeAll(async () => {
    api = await startConsole();
    await person(api, "somebody@example.com");
  });
  afterAll(() => api.stop());

  test.each(DONE)(
    "is left there by the answer to %s",
    async (_, path, act, [method, asked]) => {
      const { page, open, end } = await visitAs(api);
      await open(await path());
      const answer = await heldUp(page, `**/api/v1${asked}`, method);
      await act(page);
      await answer.came;
      // A dialog covers the way to another screen.
      await page.keyboard.press("Escape");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Contacts" }).click();
      const search = page.getByRole("searchbox");
      await search.fill("ad");
      await answer.goesOn();
      await search.press("End");
      await page.keyboard.type("a");
      await page.waitForURL("**/contacts?q=ada");
      await end();
    },
    LIMIT_MS,
  );

  test(
    "is asked before the page is left while a file is being sent, and no more when it is there",
    async () => {
      const { page, open, end } = await visitAs(api);
      await open("/imports/new");
      const answer = await heldUp(page, "**/api/v1/imports", "POST");
      await importsOne(page);
      await answer.came;
      const left = page.waitForEvent("dialog");
      await page.evaluate("void setTimeout(() => location.reload())");
      const question = await left;
      expect(question.type()).toBe("beforeunload");
      await question.dismiss();
      await answer.goesOn();
      const isDone = page.getByText("Done", { exact: true });
      await isDone.waitFor();
      await page.reload();
      await isDone.waitFor();
      await end();
    },
    LIMIT_MS,
  );
});
