/** The frame around all screens, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { comesBack } from "../../support/browser/comes-back.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { hasFocus, takeByArrows } from "../../support/browser/keyboard.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
  visitConsole,
} from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";
import { joins } from "../../support/server/signed-in.ts";

let api: TestApi;
closesBrowser();

const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

describe.skipIf(lacksBrowser())("the console, before somebody has signed in", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each(LOOKS)("is a page everybody can use ($width, $colorScheme)", async (look) => {
    const visit = await visitConsole(api, look);
    const { page } = visit;
    await visit.open("/sign-in");
    await page.getByLabel("Email address").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await page.title()).toBe("Sign in · Postrider");
    await visit.end([401]);
  });

  test("speaks the browser's language", async () => {
    const visit = await visitConsole(api, { locale: "de-DE" });
    await visit.open("/sign-in");
    await visit.page.getByLabel("E-Mail-Adresse").waitFor();
    // The library's own buttons too.
    const names = await visit.page
      .locator("main button[aria-label]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    expect(names).toEqual(["Passwort zeigen oder verbergen"]);
    expect(await visit.page.locator("html").getAttribute("lang")).toBe("de");
    await visit.end([401]);
  });
});

describe.skipIf(lacksBrowser())("the console, signed in", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("is walked by keyboard: Ctrl-K, g and a letter, ? for all of them; what is typed into a field stays there", async () => {
    const visit = await visitAs(api, "owner", { colorScheme: "dark" });
    const { page } = visit;
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Find a page, a person, or anything by its name").fill("sett");
    await page.locator(".mantine-Spotlight-action", { hasText: "Settings" }).first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Settings", exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.keyboard.type("g o?");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("g o?");
    await page.locator("#main").focus();
    await page.keyboard.type("go");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Go to Settings").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await visit.end();
  });

  test("keys that are pressed alone can be switched off, also after a reload; Ctrl-K stays", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/forms");
    await page.getByRole("heading", { level: 1, name: "Forms" }).waitFor();
    await page.keyboard.press("?");
    const off = page.getByRole("switch", { name: "Keys without Ctrl" });
    await off.uncheck({ force: true });
    await page.getByRole("dialog").getByText("Go to Lists").waitFor({ state: "hidden" });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Forms" }).waitFor();
    for (const key of ["?", "c", "g", "l"]) await page.keyboard.press(key);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByText("New campaign").waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/forms");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await off.check({ force: true });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { level: 1, name: "Lists" }).waitFor();
    await end();
  });

  test("keys are called as they are on the keyboards of the reader's language", async () => {
    const { page, open, end } = await visitAs(api, "viewer", { locale: "de-DE" });
    await open("/lists");
    await page.getByRole("button", { name: "Suchen Strg K" }).waitFor();
    await page.keyboard.press("?");
    await page
      .getByRole("dialog")
      .getByRole("row", { name: /^Suchen Strg ?K$/ })
      .waitFor();
    await end();
  });

  test("Ctrl-K leads to settings and begins things, as far as the role allows; c writes a campaign from anywhere", async () => {
    const seen: Record<string, readonly [string, string, string][]> = {
      owner: [
        ["api k", "API keys", "API keys"],
        ["hours", "Hours and limits", "Hours and limits"],
        ["import a", "Import a file", "Import contacts"],
      ],
      viewer: [["hours", "Hours and limits", "Hours and limits"]],
    };
    for (const [role, asked] of Object.entries(seen)) {
      const visit = await visitAs(api, role as "owner");
      const { page } = visit;
      await visit.open("/forms");
      await page.getByRole("heading", { name: "Forms", level: 1 }).waitFor();
      for (const [typed, label, heading] of asked) {
        await page.keyboard.press("Control+k");
        await hasFocus(page, page.locator(".mantine-Spotlight-search"));
        await page.keyboard.type(typed);
        await page.locator(".mantine-Spotlight-action[data-selected]", { hasText: label }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: heading }).first().waitFor();
        await page.locator(".mantine-Spotlight-search").waitFor({ state: "detached" });
      }
      await page.keyboard.press("Control+k");
      await hasFocus(page, page.locator(".mantine-Spotlight-search"));
      await page.keyboard.type("api keys");
      const keys = page.locator(".mantine-Spotlight-action", { hasText: "API keys" });
      if (role === "owner") await keys.waitFor();
      else await page.getByText("Nothing found.").waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".mantine-Spotlight-search").waitFor({ state: "detached" });
      await page.locator("#main").focus();
      await page.keyboard.press("c");
      if (role === "owner") await page.getByRole("heading", { name: "New campaign" }).waitFor();
      else expect(new URL(page.url()).pathname).toBe("/console/settings/limits");
      await visit.end();
    }
  });

  test("Ctrl-K finds people: arrows mark one, Enter goes there; what comes late is marked by itself", async () => {
    for (const email of ["vera@example.com", "verena@example.com"])
      await api.call("POST", "/contacts", { email });
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    const search = page.getByPlaceholder("Find a page, a person, or anything by its name");
    const found = (text: string) => page.locator(".mantine-Spotlight-action", { hasText: text });
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Control+k");
    await hasFocus(page, search);
    await page.keyboard.type("ver");
    await found("verena@example.com").waitFor();
    await takeByArrows(page, found("vera@example.com"));
    await page.getByRole("heading", { name: "vera@example.com", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await hasFocus(page, search);
    await page.keyboard.type("verena@");
    await found("verena@example.com").and(page.locator("[data-selected]")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "verena@example.com", level: 1 }).waitFor();
    await visit.end();
  });

  test("keeps the look and the language that somebody chose", async () => {
    const visit = await visitAs(api);
    const { page, person } = visit;
    await visit.open("/");
    await page.getByRole("button", { name: person.email }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.locator('[data-mantine-color-scheme="dark"]').waitFor();
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Übersicht" }).waitFor();
    await page.locator('[data-mantine-color-scheme="dark"]').waitFor();
    await visit.end();
  });

  test("somebody in two workspaces sees one at a time, and changes between them", async () => {
    await api.call("PATCH", "/settings", { name: "The first one" });
    const visit = await visitAs(api);
    const { page, person } = visit;
    const other = await api.services.workspaces.create("The other one");
    await joins(api, other.id, person, "viewer");
    await visit.open("/settings");
    await page.getByLabel("Name", { exact: true }).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("The first one");
    await page.getByRole("button", { name: /^Workspace: The first one/ }).click();
    await page.getByRole("menuitem", { name: /The other one/ }).click();
    await page.getByRole("button", { name: /^Workspace: The other one/ }).waitFor();
    await visit.open("/settings");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("The other one");
    expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    await visit.end();
  });

  test("a page stays in its workspace, whatever another tab chooses, also after a reload, until the person is no longer in it", async () => {
    await api.call("PATCH", "/settings", { name: "The first one" });
    const visit = await visitAs(api, "editor");
    const { page, context, person } = visit;
    const second = await api.services.workspaces.create("The second one");
    await joins(api, second.id, person, "viewer");
    const here = (name: string) => page.getByRole("button", { name: new RegExp(`^Workspace: ${name}`) });
    await visit.open("/contacts");
    await here("The first one").waitFor();

    const other = await context.newPage();
    await other.goto(`${api.url}/console/contacts`);
    await other.getByRole("button", { name: /^Workspace: The first one/ }).click();
    await other.getByRole("menuitem", { name: /The second one/ }).click();
    await other.getByRole("button", { name: /^Workspace: The second one/ }).waitFor();
    await api.call("PATCH", "/settings", { name: "The first one, renamed" });
    await comesBack(page, "**/api/v1/session");
    await here("The first one, renamed").waitFor();
    await page.reload();
    await here("The first one, renamed").waitFor();
    await other.reload();
    await other.getByRole("button", { name: /^Workspace: The second one/ }).waitFor();

    const loadedAgain = page.waitForEvent("load");
    await api.services.users.removeByEmail(api.workspaceId, person.email);
    await comesBack(page, "**/api/v1/session");
    await loadedAgain;
    // Who is in one workspace only sees its name, and no choice.
    await page.getByText("The second one", { exact: true }).waitFor();
    await visit.end([404]);
    await joins(api, api.workspaceId, person, "editor");
  });

  test("a link that is opened in a new tab leads into its own workspace, whatever another tab has chosen since", async () => {
    await api.call("PATCH", "/settings", { name: "The first one" });
    await api.call("POST", "/lists", { name: "Of the first one" });
    const visit = await visitAs(api, "editor");
    const { page, context, person } = visit;
    const second = await api.services.workspaces.create("Elsewhere");
    await joins(api, second.id, person, "editor");
    await visit.open(`/lists?w=${api.workspaceId}`);
    const link = page.getByRole("link", { name: "Of the first one" });
    await link.waitFor();
    const other = await context.newPage();
    await other.goto(`${api.url}/console/?w=${api.workspaceId}`);
    await other.getByRole("button", { name: /^Workspace: The first one/ }).click();
    await other.getByRole("menuitem", { name: /Elsewhere/ }).click();
    await other.getByRole("button", { name: /^Workspace: Elsewhere/ }).waitFor();
    for (const open of [() => link.click({ button: "middle" }), () => link.press("Control+Enter")]) {
      const [opened] = await Promise.all([context.waitForEvent("page"), open()]);
      await opened.getByRole("button", { name: /^Workspace: The first one/ }).waitFor();
      await opened.getByRole("heading", { name: "Of the first one" }).waitFor();
      await opened.close();
      await other.getByRole("button", { name: /^Workspace: / }).click();
      await other.getByRole("menuitem", { name: /Elsewhere/ }).press("Enter");
      await other.getByRole("button", { name: /^Workspace: Elsewhere/ }).waitFor();
    }
    await other.close();
    await visit.end();
    await api.services.users.removeByEmail(second.id, person.email);
  });

  test("an address that leads nowhere says so, and a session that ended leads to signing in and back", async () => {
    const visit = await visitAs(api);
    const { page, person } = visit;
    await visit.open("/nothing/here");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await visit.open("/settings/limits");
    await page.getByLabel("Quiet hours").waitFor();
    await person.call("DELETE", "/session");
    await page.getByLabel("Quiet hours").press("Space");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).search).toBe("?next=%2Fsettings%2Flimits");
    await visit.end([401]);
  });

  test("who is signed in goes on from the sign-in to what was wanted, also when it is loaded again, unless they asked for it", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/sign-in");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await visit.open("/sign-in?next=%2Flists");
    await page.getByRole("heading", { name: "Lists", exact: true }).waitFor();
    // The page was left at the sign-in, and its person signed in elsewhere.
    const cookies = await visit.context.cookies();
    await visit.context.clearCookies();
    await visit.open("/sign-in?next=%2Fforms");
    await page.getByLabel("Email address").waitFor();
    await visit.context.addCookies(cookies);
    await page.reload();
    await page.getByRole("heading", { name: "Forms", exact: true }).waitFor();
    await visit.open("/welcome/somebody-elses");
    await page.getByRole("link", { name: "I have signed in here before" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(new URL(page.url()).pathname).toBe("/console/sign-in");
    await visit.end([401]);
  });

  test("what does not exist has its own name in the browser's tab, and not that of the page before", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/lists");
    await page.getByRole("heading", { name: "Lists", exact: true }).waitFor();
    for (const path of ["/campaigns/none", "/campaigns/none/report", "/contacts/none", "/nowhere"]) {
      await page.evaluate(`history.pushState(null, "", "/console${path}")`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      expect([path, await page.title()]).toEqual([path, "There is nothing here · Postrider"]);
      await visit.open("/lists");
      await page.getByRole("heading", { name: "Lists", exact: true }).waitFor();
    }
    await visit.end([404]);
  });

  test("works in a browser that keeps nothing on the device, as one that blocks all cookies", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    const blocked = await page.addInitScript({
      content: `for (const memory of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, memory, {
          get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
        });`,
    });
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await visit.open("/segments/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Not kept");
    await visit.context.clearCookies();
    await visit.open("/sign-in");
    await page.getByLabel("Email address").waitFor();
    await blocked.dispose();
    await visit.end([401]);
  });

  test("is asked for anew where a browser shows a page that was left as it stood: its person may have signed out", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const loaded = page.waitForEvent("load");
    await visit.context.clearCookies();
    // As Safari does under http when somebody goes back.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    await loaded;
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("heading", { name: "Overview" }).count()).toBe(0);
    await visit.end([401]);
  });

  test("a hostile letter in its frame runs nothing, sends nothing and goes nowhere", async () => {
    const visit = await visitAs(api);
    const { page, person } = visit;
    const html =
      '<!doctype html><p id="shown">Hello</p><script>parent.postMessage("ran", "*")</script>' +
      '<img src="data:," onerror="parent.postMessage(1, \'*\')"><meta http-equiv="refresh" content="0;url=/health">' +
      '<form action="/health"><button id="go">Go</button></form><svg onload="parent.postMessage(2, \'*\')">';
    const { path } = (await person.call("POST", "/letters/preview", { html })).body.data;
    await visit.open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.evaluate(`
      const frame = document.createElement("iframe");
      Object.assign(frame, { src: ${JSON.stringify(path)}, name: "letter" });
      frame.setAttribute("sandbox", "");
      addEventListener("message", (event) => document.body.append("ran: " + event.data));
      document.body.append(frame);
    `);
    const letter = page.frameLocator("iframe[name=letter]");
    await letter.locator("#shown").waitFor();
    await letter.locator("#go").click();
    await letter.locator("#shown").waitFor();
    expect(await page.getByText(/^ran:/).count()).toBe(0);
    expect(visit.requests.some((url) => url.endsWith("/health"))).toBe(false);
    await visit.context.close();
  });
});
