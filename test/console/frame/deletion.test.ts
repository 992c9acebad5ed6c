/** What is deleted for good, in a real browser: its name is asked for, what went wrong is said there, and its list opens. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LETTER = { subject: "Hello", body: "<p>Hello</p>" };
/** Its é is two characters, as in the file names of some systems. No keyboard makes it so. */
const WEEKLY = { name: "Cafe\u0301 weekly" };

/** What there is to make, what its screen calls the deletion, and the button that a menu stands behind. */
const THINGS: readonly { list: string; fields: object; action: string; menu?: string }[] = [
  { list: "lists", fields: WEEKLY, action: "Delete this list" },
  { list: "campaigns", fields: { ...WEEKLY, ...LETTER }, action: "Delete", menu: "More" },
  { list: "templates", fields: { ...WEEKLY, ...LETTER }, action: "Delete" },
  { list: "automations", fields: WEEKLY, action: "Delete", menu: "Menu" },
];

describe.skipIf(lacksBrowser())("deleting by name", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("the dialog is there at once, for everybody: where it appeared bit by bit, WebKit did not always draw it", async () => {
    const { id } = (await api.call("POST", "/lists", WEEKLY)).body.data;
    const { page, open, end } = await visitAs(api, "editor");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.addInitScript(`
      document.addEventListener("transitionrun", ({ target }) => {
        if (target.matches("[role=dialog], .mantine-Modal-overlay")) document.documentElement.dataset.moved = "";
      });
    `);
    await open(`/lists/${id}`);
    await page.getByRole("button", { name: "Delete this list", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("no");
    // Nobody misses what was typed only to confirm.
    await page.mouse.click(5, 5);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.locator("[data-moved]").count()).toBe(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await end();
    await api.call("DELETE", `/lists/${id}`);
  });

  test.each(THINGS)("$list: says what went wrong, then deletes and opens the list", async (thing) => {
    const { list, fields, action, menu } = thing;
    const { id } = (await api.call("POST", `/${list}`, fields)).body.data;
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/${list}/${id}`);
    await page.getByRole("heading", { level: 1, name: WEEKLY.name }).waitFor();
    if (menu === undefined) await page.getByRole("button", { name: action, exact: true }).click();
    else {
      await page.getByRole("button", { name: menu, exact: true }).last().click();
      await page.getByRole("menuitem", { name: action }).click();
    }
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: action, exact: true });
    await dialog.getByLabel(`Type “${WEEKLY.name}” to confirm`).fill("Café");
    expect(await confirm.isDisabled()).toBe(true);
    await page.route(`**/api/v1/${list}/${id}`, (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 502 }) : route.continue(),
    );
    await dialog.getByRole("textbox").fill("café weekly");
    await confirm.click();
    await dialog.getByRole("alert").getByText("Postrider cannot be reached").waitFor();
    await page.unrouteAll();
    await confirm.click();
    await page.waitForURL(`**/console/${list}`);
    await page.getByText(WEEKLY.name).waitFor({ state: "detached" });
    expect((await api.call("GET", `/${list}/${id}`)).status).toBe(404);
    await end([502]);
  });
});
