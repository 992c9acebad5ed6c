import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { LANGUAGES } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";
import { axeProblems } from "../support/browser/axe.ts";
import { naughtyStrings } from "../support/common/corpora.ts";
import { lacksBrowser, openBrowser, overflows, picture, visitor } from "../support/browser/browser.ts";
import { tabStops } from "../support/browser/keyboard.ts";
import { listOf } from "../support/people/people.ts";
import { makePublic, startPreferences, type PreferencesApi } from "../support/people/preferences.ts";

const SCREENS = [
  [1280, "light"],
  [1280, "dark"],
  [390, "light"],
  [390, "dark"],
] as const;

let api: PreferencesApi;
let browser: Browser;

const settings = (change: object): Promise<void> =>
  api.services.workspaces.changeSettings(api.workspaceId, change);

/** Whether anything is painted behind the logo: the page looks different without its background. */
async function showsPlate(page: Page): Promise<boolean> {
  const before = await page.screenshot();
  await page.evaluate(`document.querySelector("img").style.background = "none"`);
  return !before.equals(await page.screenshot());
}

describe.skipIf(lacksBrowser())("public pages in a browser", () => {
  beforeAll(async () => {
    api = await startPreferences();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test.each(SCREENS)(
    "a reader %d pixels wide (%s) chooses, by mouse and without scripts",
    async (width, scheme) => {
      const { news, offers } = api.lists;
      const reader = await api.newReader([news], { firstName: "Ada", lastName: "Lovelace" });
      const visit = await visitor(browser, width, scheme);
      const { page } = visit;
      await page.goto(api.url + reader.path);
      await picture(page, `preferences-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      await page.getByLabel("News").uncheck();
      await page.getByLabel("Offers").check();
      await page.getByLabel("Last name").fill("King");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").filter({ hasText: "saved" }).waitFor();
      await picture(page, `preferences-saved-${width}-${scheme}`);
      expect(await api.standing(reader)).toMatchObject({ on: ["offers"], name: "Ada King" });
      expect([
        await page.getByLabel("News").isChecked(),
        await page.getByLabel("Offers").isChecked(),
      ]).toEqual([false, true]);
      await page.getByRole("button", { name: "Unsubscribe from everything" }).click();
      await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
      expect((await api.standing(reader)).status).toBe("UNSUBSCRIBED");
      await page.goto(api.url + reader.path);
      await picture(page, `preferences-out-${width}-${scheme}`);
      await page.getByRole("heading", { name: "You get no emails" }).waitFor();
      expect(visit.complaints).toEqual([]);
      expect([...visit.requests].filter((url) => !url.startsWith(api.url))).toEqual([]);
      expect(offers).not.toBe(news);
      await visit.close();
    },
  );

  test("with the keyboard alone: every field in the order of reading, with a focus that is seen, and Enter saves", async () => {
    const reader = await api.newReader([api.lists.news]);
    const { page, close } = await visitor(browser, 390, "light", true);
    await page.goto(api.url + reader.path);
    expect(await tabStops(page, 6)).toEqual([
      "lists News",
      "lists Offers",
      "firstName",
      "lastName",
      "Save",
      "leave",
    ]);
    await page.getByLabel("Offers").focus();
    await page.keyboard.press("Space");
    await page.getByLabel("First name").focus();
    await page.keyboard.type("Grace");
    await page.keyboard.press("Enter");
    await page.getByRole("status").waitFor();
    expect(await api.standing(reader)).toMatchObject({
      status: "SUBSCRIBED",
      on: ["news", "offers"],
      name: "Grace",
    });
    await close();
  });

  /** Colours that would be hard to read if nobody looked. */
  const COLOURS = ["", "#ffe066", "#0b1020"];
  const LOOKS = COLOURS.flatMap((colour) => [[colour, "light"] as const, [colour, "dark"] as const]);

  test.each(LOOKS)("axe finds nothing on any page in the colour %p, %s", async (brandColor, scheme) => {
    await settings({ brandColor });
    const form = (await api.call("POST", "/forms", { name: "Letters", fields: ["firstName"] })).body.data;
    const reader = await api.newReader([api.lists.news]);
    const out = await api.newReader([], { status: "BOUNCED" });
    const { page, close } = await visitor(browser, 390, scheme, true);
    for (const [name, path] of [
      ["out", out.path],
      ["unsubscribe", reader.unsubscribe],
      ["form", `/forms/${form.id}`],
      ["broken", "/p/x"],
      ["preferences", reader.path],
    ] as const) {
      await page.goto(api.url + path);
      await picture(page, `colour-${name}-${brandColor.slice(1)}-${scheme}`);
      expect([name, await axeProblems(page)]).toEqual([name, []]);
    }
    await page.getByRole("button", { name: "Save" }).click();
    expect(["saved", await axeProblems(page)]).toEqual(["saved", []]);
    await close();
    await settings({ brandColor: "" });
  });

  test.each(LANGUAGES)(
    "in %s every page fits on a phone, and says in which language it is",
    async (language) => {
      await settings({ language });
      const reader = await api.newReader([api.lists.news]);
      const visit = await visitor(browser, 390);
      const { page } = visit;
      const texts = textsIn(language);
      await page.goto(api.url + reader.path);
      await picture(page, `preferences-${language}`);
      expect(await overflows(page)).toBe(false);
      expect(await page.locator("html").getAttribute("lang")).toBe(language);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(texts.preferences.heading);
      await page.getByRole("button", { name: texts.preferences.save }).click();
      await page.getByRole("status").filter({ hasText: texts.preferences.saved }).waitFor();
      await page.goto(api.url + reader.unsubscribe);
      await picture(page, `unsubscribe-${language}`);
      expect(await overflows(page)).toBe(false);
      await page.getByRole("button", { name: texts.unsubscribe.button }).click();
      await page.getByRole("heading", { name: texts.unsubscribe.doneHeading }).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
      await settings({ language: "en" });
    },
  );

  test("a logo is the only thing that is loaded, and nothing breaks where it is missing", async () => {
    const asked: string[] = [];
    const images = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        asked.push(new URL(request.url).pathname);
        return new Response(
          `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="160" height="40" rx="8" fill="#0b6e4f"/><text x="18" y="27" font-family="sans-serif" font-size="20" fill="#fff">Bluebird</text></svg>`,
          { headers: { "Content-Type": "image/svg+xml" } },
        );
      },
    });
    const origin = `http://localhost:${images.port}`;
    await settings({
      name: "Bluebird Books",
      brandColor: "#0b6e4f",
      logoUrl: `${origin}/a;b,c/logo.png?v=2`,
    });
    const reader = await api.newReader([api.lists.news]);
    for (const scheme of ["light", "dark"] as const) {
      const visit = await visitor(browser, 1280, scheme);
      await visit.page.goto(api.url + reader.path);
      await picture(visit.page, `logo-1280-${scheme}`);
      const loaded = await visit.page.evaluate(`document.querySelector("img").naturalWidth`);
      expect(loaded).toBe(160);
      expect(visit.complaints).toEqual([]);
      expect([...visit.requests].filter((url) => !url.startsWith(api.url))).toEqual([
        `${origin}/a;b,c/logo.png?v=2`,
      ]);
      expect(await showsPlate(visit.page)).toBe(scheme === "dark");
      await visit.close();
    }
    expect(new Set(asked)).toEqual(new Set(["/a;b,c/logo.png"]));
    await images.stop(true);
    for (const scheme of ["light", "dark"] as const) {
      const visit = await visitor(browser, 390, scheme);
      await visit.page.goto(api.url + reader.unsubscribe);
      await picture(visit.page, `logo-missing-390-${scheme}`);
      expect(await visit.page.locator(".from").innerText()).toBe("Bluebird Books");
      expect(await overflows(visit.page)).toBe(false);
      expect(await showsPlate(visit.page)).toBe(false);
      await visit.close();
    }
    await settings({ name: "Default", brandColor: "", logoUrl: "" });
  });

  test("hostile names of lists, people and workspaces are text: no script runs, and nothing is wider than the screen", async () => {
    const hostile = naughtyStrings()
      .map((text) => text.replaceAll("\0", "").trim().slice(0, 200))
      .filter((text) => /[<>"'&]|script|\u202e|[\u0600-\u06ff]/.test(text) && text.isWellFormed());
    expect(hostile.length).toBeGreaterThan(100);
    const lists: string[] = [];
    for (const text of hostile.slice(0, 60)) {
      const list = await listOf(api, text);
      await makePublic(api, list, { publicName: text, description: hostile.at(-lists.length - 1)! });
      lists.push(list);
    }
    const [firstName, lastName] = [`"><img src=x onerror=alert(1)>`, `' autofocus onfocus='alert(1)`];
    const reader = await api.newReader(lists.slice(0, 3), { firstName, lastName });
    await settings({ name: `</title><script>alert(1)</script>` });
    const visit = await visitor(browser, 390, "light", true);
    const { page } = visit;
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await page.goto(api.url + reader.path);
    await picture(page, "preferences-hostile");
    expect(await overflows(page)).toBe(false);
    const shown = await page.locator("label.choice .list").allTextContents();
    expect(shown.slice(2)).toEqual(hostile.slice(0, 60));
    expect(await page.locator("script, iframe, main img").count()).toBe(0);
    expect(await page.getByLabel("First name").inputValue()).toBe(firstName);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").waitFor();
    const standing = await api.standing(reader);
    expect([standing.name, standing.on.length, standing.log]).toEqual([`${firstName} ${lastName}`, 3, []]);
    expect([dialogs, visit.complaints]).toEqual([0, []]);
    await visit.close();
    for (const list of lists) await api.call("DELETE", `/lists/${list}`);
    await settings({ name: "Default" });
  });
});
