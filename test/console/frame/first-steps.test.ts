/** From the one-time link to a workspace that can send, in a real browser, and back out again. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { comesBack } from "../../support/browser/comes-back.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
  visitConsole,
} from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const PASSWORD = "seven quiet lamps";

describe.skipIf(lacksBrowser())("the first steps", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("the one-time link makes the owner, whose first steps are marked as they are done; then they sign out and in", async () => {
    const token = await api.services.users.firstLink();
    const visit = await visitConsole(api);
    const { page } = visit;
    await visit.open(`/welcome/${token}`);
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "First steps" }).waitFor();
    const steps = page.locator(".first-steps > li");
    const done = () => steps.evaluateAll((all) => all.map((one) => (one as any).dataset.done !== undefined));
    // The heading is there before them.
    await steps.first().waitFor();
    expect(await done()).toEqual([false, expect.any(Boolean), false, false, false]);
    await page.getByLabel("Name", { exact: true }).fill("Letters by Ada");
    await page.getByLabel("Sender's address").fill("news@example.com");
    await page.getByLabel("Postal address").fill("1 Example Street");
    await page.keyboard.press("Tab");
    await steps.first().getByLabel("Done").waitFor();
    await page.locator(".rail").getByText("Letters by Ada").waitFor();
    await api.call("POST", "/contacts", { email: "grace@example.com" });
    await page.reload();
    await steps.nth(3).getByLabel("Done").waitFor();
    expect((await done()).at(-1)).toBe(false);
    expect(await axeProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "ada@example.com" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await visit.open("/settings/limits");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Hours and limits" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/settings/limits");
    await visit.end([401]);
  });

  test("a link that was used says so, and sign-in leads to no other site", async () => {
    const visit = await visitConsole(api);
    const { page } = visit;
    await visit.open("/welcome/nothing-that-was-ever-given-out-to-anybody00");
    await page.getByLabel("Email address").fill("eve@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("This link was used, or is too old").waitFor();
    await visit.open("/sign-in?next=//evil.example");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(new URL(page.url()).origin).toBe(api.url);
    await visit.end([404, 401]);
  });

  test("a browser that keeps no cookies is told so, and not that the right password is wrong", async () => {
    await api.services.users.add(api.workspaceId, "cookieless@example.com", "viewer", PASSWORD);
    const visit = await visitConsole(api);
    const { page } = visit;
    await visit.open("/sign-in");
    await page.getByLabel("Email address").fill("cookieless@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.route("**/api/v1/session", async (route) => {
      if (route.request().method() === "GET") await visit.context.clearCookies();
      await route.continue();
    });
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("this browser keeps no cookies").waitFor();
    await page.unrouteAll();
    await visit.end([401]);
  });

  test("who may not do a step is told who can", async () => {
    const fresh = await startConsole();
    const OWNER = "An owner of the workspace does this.";
    const EDITOR = "An editor or an owner of the workspace does this.";
    for (const [role, told] of [
      ["owner", [0, 0, 0]],
      ["editor", [1, 0, 0]],
      ["viewer", [1, 1, 1]],
    ] as const) {
      const { page, open, end } = await visitAs(fresh, role);
      await open("/first-steps");
      const step = (name: string) => page.getByRole("button", { name });
      await step("Send your first campaign").waitFor();
      const asked = [
        step("Say who you are").getByText(OWNER),
        step("Bring your readers").getByText(EDITOR),
        step("Send your first campaign").getByText(EDITOR),
      ];
      expect([role, await Promise.all(asked.map((sentence) => sentence.count()))]).toEqual([role, [...told]]);
      expect(await axeProblems(page)).toEqual([]);
      await end();
    }
    await fresh.stop();
  });

  test("all of it fits a phone", async () => {
    const visit = await visitConsole(api, { width: 390, colorScheme: "dark" });
    const { page } = visit;
    await visit.open("/sign-in?next=/first-steps");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.locator(".first-steps > li").first().waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings", exact: true }).waitFor();
    await visit.end([401]);
  });

  test("that could not be loaded can be tried again, and stay when they could not be loaded once more", async () => {
    const { page, open, end } = await visitAs(api, "owner");
    const refuse = () =>
      page.route("**/api/v1/settings", (route) =>
        route.fulfill({
          status: 429,
          json: { error: { code: "RATE_LIMITED", message: "Too many requests." } },
        }),
      );
    await refuse();
    await open("/first-steps");
    await page.getByRole("alert").getByText("This could not be loaded").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    const steps = page.locator(".first-steps");
    await steps.waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await refuse();
    await comesBack(page, "**/api/v1/settings");
    expect([await steps.count(), await page.getByRole("alert").count()]).toEqual([1, 0]);
    await end([429]);
  });
});
