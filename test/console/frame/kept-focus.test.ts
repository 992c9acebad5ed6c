/** What a keyboard stands on is never lost, in a real browser: when it is disabled while it works, and when it is gone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { hasFocus, tabTo } from "../../support/browser/keyboard.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("the focus", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("comes back to a button that was disabled while it worked", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/settings/suppressions");
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/v1/blocked-domains", async (route) => {
      if (route.request().method() === "POST") await answered.promise;
      await route.continue();
    });
    const add = page.getByRole("button", { name: "Block", exact: true });
    await page.getByRole("textbox", { name: "Domain" }).fill("third.example");
    await add.focus();
    await page.keyboard.press("Enter");
    await page.locator("body:not(:has(:focus)) button[data-loading]:disabled").waitFor();
    answered.resolve();
    await hasFocus(page, add);
    await end();
  });

  test("stays where a row was removed, on no button: the key may still be down", async () => {
    await api.call("POST", "/blocked-domains", { domain: "first.example" });
    await api.call("POST", "/blocked-domains", { domain: "second.example" });
    const { page, open, end } = await visitAs(api);
    await open("/settings/suppressions");
    const rows = page.getByRole("row").filter({ hasText: "Unblock" });
    const left = await rows.nth(1).innerText();
    await rows.first().getByRole("button").focus();
    await page.keyboard.press("Enter");
    await hasFocus(page, rows.first().filter({ hasText: left.split("\t")[0] ?? "" }));
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await hasFocus(page, rows.first().getByRole("button"));
    expect(await rows.first().innerText()).toBe(left);
    await end();
  });

  test("goes to a menu's button when a dialog is closed that the menu opened", async () => {
    const { id } = (await api.call("POST", "/automations", { name: "Welcome" })).body.data;
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}`);
    await page.getByRole("heading", { level: 1, name: "Welcome" }).waitFor();
    const menu = page.getByRole("button", { name: "Menu", exact: true }).last();
    await menu.focus();
    await page.keyboard.press("Enter");
    await hasFocus(page, page.getByRole("menuitem", { name: "Rename" }));
    await page.keyboard.press("Enter");
    await hasFocus(page, page.getByRole("dialog").getByRole("textbox"));
    await page.keyboard.press("Escape");
    await hasFocus(page, menu);
    await end();
  });

  test("is where it was after another window was in front", async () => {
    await api.call("POST", "/blocked-domains", { domain: "away.example" });
    await api.call("POST", "/blocked-domains", { domain: "back.example" });
    const { page, context, open, end } = await visitAs(api);
    await open("/settings/suppressions");
    const rows = page.getByRole("row").filter({ hasText: "Unblock" });
    await rows.first().getByRole("button").focus();
    await page.keyboard.press("Enter");
    await page.locator("tr:focus").waitFor();
    const chromium = await context.newCDPSession(page);
    await chromium.send("Emulation.setFocusEmulationEnabled", { enabled: false });
    const other = await context.newPage();
    await other.bringToFront();
    await page.waitForFunction("!document.hasFocus()");
    await page.bringToFront();
    await page.waitForFunction("document.hasFocus()");
    await page.locator("tr:focus").waitFor();
    await other.close();
    await chromium.detach();
    await end();
  });

  test("goes from a message that was closed to what the Tab key left for it", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/settings/suppressions");
    await page.getByRole("textbox", { name: "Domain" }).focus();
    await page.evaluate(`
      const message = document.body.appendChild(document.createElement("div"));
      const close = message.appendChild(document.createElement("button"));
      close.textContent = "Close it";
      close.addEventListener("click", () => close.remove());
    `);
    const close = page.getByRole("button", { name: "Close it" });
    await tabTo(page, close);
    await page.keyboard.press("Shift+Tab");
    const last = await page.evaluateHandle("document.activeElement");
    await page.keyboard.press("Tab");
    await hasFocus(page, close);
    await page.keyboard.press("Enter");
    await page.waitForFunction((element: any) => element.ownerDocument.activeElement === element, last);
    await end();
  });

  test("stays beside a button that stays disabled, and comes back to it when it is enabled again", async () => {
    const list = await api.call("POST", "/lists", { name: "Newsletter" });
    const form = await api.call("POST", "/forms", { name: "Stay in touch", listId: list.body.data.id });
    const { page, open, end } = await visitAs(api);
    await open(`/forms/${form.body.data.id}`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("In touch");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.focus();
    await page.keyboard.press("Enter");
    await page.locator("div:focus", { has: save.and(page.locator(":disabled")) }).waitFor();
    const { id } = (await api.call("POST", "/automations", { name: "Hello" })).body.data;
    await open(`/automations/${id}`);
    const node = page.locator(".react-flow__node");
    const undo = page.getByRole("button", { name: "Undo", exact: true }).first();
    await node.focus();
    await page.keyboard.press("Enter");
    await page.locator(".react-flow__node.selected").waitFor();
    await node.focus();
    await page.keyboard.press("Delete");
    await undo.and(page.locator(":enabled")).waitFor();
    await undo.focus();
    await page.keyboard.press("Enter");
    await page.locator("div:focus", { has: undo }).waitFor();
    await page.keyboard.press("r");
    await hasFocus(page, undo);
    await end();
  });
});
