/**
 * Owner, editor and viewer of one workspace, over its main screens: what somebody may do is there and works, and what
 * they may not do is not offered. What each role may ask of the API is in test/api/users/roles.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { ROLES, type Role } from "#users/role.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { pathOf, TOUR, type Stop } from "../../support/browser/console-tour.ts";
import { fillWorld, type World } from "../../support/browser/console-world.ts";
import { goBy, pressOn } from "../../support/browser/keyboard.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { webhookTarget } from "../../support/webhooks/webhook-target.ts";
import { isPostgres } from "../../support/server/services.ts";

let api: SendingApi;
let world: World;
const target = webhookTarget();
closesBrowser();

const PATIENCE_MS = 60_000;
const LIMIT_MS = 300_000;

/** What a screen offers: the least role that may do it, and what is pressed for it. */
type Offer = readonly [role: Role, what: "button" | "link", name: string | RegExp];

/** The main screens, by their names on the tour. */
const SCREENS: Readonly<Record<string, readonly Offer[]>> = {
  campaigns: [["editor", "link", "New campaign"]],
  "campaign-html": [
    ["editor", "button", "Send me a test"],
    ["editor", "button", "Schedule"],
    ["editor", "button", /^Send to/],
    ["editor", "button", "More"],
  ],
  report: [["editor", "button", "Write to those who did not open"]],
  "report-not-begun": [["editor", "link", "Go on writing"]],
  automations: [["editor", "button", "New automation"]],
  automation: [
    ["editor", "button", "Set live"],
    ["editor", "button", "Menu"],
  ],
  contacts: [
    ["editor", "button", "Add a contact"],
    ["editor", "link", "Import a file"],
  ],
  contact: [["editor", "button", "Delete this contact"]],
  lists: [["editor", "button", "Create a list"]],
  list: [
    ["editor", "button", "Delete this list"],
    ["editor", "link", "Write to them"],
  ],
  segments: [["editor", "link", "Create a segment"]],
  segment: [
    ["editor", "button", "Save"],
    ["editor", "link", "Write to them"],
  ],
  templates: [["editor", "link", "New template"]],
  template: [
    ["editor", "button", "Delete"],
    ["editor", "link", "Use in a campaign"],
  ],
  forms: [["editor", "button", "Create a form"]],
  form: [["editor", "button", "Delete this form"]],
  imports: [["editor", "link", "Import a file"]],
  "settings-relay": [["editor", "button", "Send a test"]],
  "settings-webhooks": [["editor", "button", "New webhook"]],
  "settings-scoring": [["editor", "button", "Add rule"]],
};

/** Sections of the settings that only owners see, and what they do there. */
const OWNERS = {
  people: "Invite somebody",
  keys: "New key",
  ...(isPostgres ? {} : { backups: "Make a backup" }),
};

const STOPS = Object.values(TOUR).flat();
const stopOf = (name: string): Stop => STOPS.find((stop) => stop.name === name)!;

const offered = (page: Page, [, what, name]: Offer): Locator =>
  page.getByRole("main").getByRole(what, { name, exact: true });

/** So much more than a role needs is what it has. */
const mayAs = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

describe.skipIf(lacksBrowser())("roles in the console", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    world = await fillWorld(api, target, (text) => text);
  });
  afterAll(async () => {
    await api.stop();
    target.stop();
  });

  test(
    "who may only look is told so on each screen whose fields others change",
    async () => {
      for (const role of ["viewer", "editor"] as const) {
        const { page, open, end } = await visitAs(api, role);
        const says = page.getByText("You can look at this. To change it you need the role “Editor”.");
        for (const name of ["contact", "list", "segment", "form", "automation", "automation-live"]) {
          const stop = stopOf(name);
          await open(pathOf(stop, world));
          await page.locator(stop.ready).first().waitFor({ timeout: PATIENCE_MS });
          if (role === "viewer") await says.waitFor({ timeout: PATIENCE_MS });
          else expect([name, await says.count()]).toEqual([name, 0]);
        }
        const publishes = await page.getByText("This automation is live.").count();
        expect(publishes).toBe(role === "viewer" ? 0 : 1);
        await end();
      }
    },
    LIMIT_MS,
  );

  test.each(ROLES)(
    "%s: each screen offers what the role may do, and nothing else",
    async (role) => {
      const { page, open, end } = await visitAs(api, role);
      for (const [name, offers] of Object.entries(SCREENS)) {
        const stop = stopOf(name);
        await open(pathOf(stop, world));
        // A section of the settings is there with what it is about, which may be what is offered.
        if (name.startsWith("settings-"))
          await page.locator("main h2").first().waitFor({ timeout: PATIENCE_MS });
        else await page.locator(stop.ready).first().waitFor({ timeout: PATIENCE_MS });
        for (const offer of offers) {
          if (mayAs(role, offer[0])) await offered(page, offer).first().waitFor({ timeout: PATIENCE_MS });
          else expect([name, offer[2], await offered(page, offer).count()]).toEqual([name, offer[2], 0]);
        }
      }
      // The browser would complain of every answer that is a refusal.
      await end();
    },
    LIMIT_MS,
  );

  test.each(ROLES)(
    "%s: the settings are an owner's to change, and so are people, keys and backups",
    async (role) => {
      const isOwner = role === "owner";
      const { page, open, end } = await visitAs(api, role);
      await open("/settings/workspace");
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      await name.waitFor({ timeout: PATIENCE_MS });
      expect(await name.isEnabled()).toBe(isOwner);
      for (const [section, does] of Object.entries(OWNERS)) {
        await open(`/settings/${section}`);
        const button = page.getByRole("button", { name: does });
        if (isOwner) await button.first().waitFor({ timeout: PATIENCE_MS });
        else {
          await page.getByText("Your role does not allow this").waitFor({ timeout: PATIENCE_MS });
          expect(await button.count()).toBe(0);
        }
      }
      await end();
    },
    LIMIT_MS,
  );

  test(
    "a viewer who comes to a screen that makes something is told that it is not theirs",
    async () => {
      const { page, open, end } = await visitAs(api, "viewer");
      for (const path of ["/segments/new", "/templates/new", "/imports/new"]) {
        await open(path);
        await page.getByText("Your role does not allow this").waitFor({ timeout: PATIENCE_MS });
        expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
      }
      await end();
    },
    LIMIT_MS,
  );

  test(
    "an owner changes a setting, an editor makes a list and writes to it, and a viewer sees both",
    async () => {
      const owner = await visitAs(api, "owner");
      await owner.open("/settings/workspace");
      await owner.page.getByRole("textbox", { name: "Name", exact: true }).fill("Morning Post");
      await owner.page.keyboard.press("Enter");
      await owner.page
        .getByText(/^Saved/)
        .first()
        .waitFor({ timeout: PATIENCE_MS });
      expect((await api.call("GET", "/settings")).body.data.name).toBe("Morning Post");
      await owner.end();

      const { page, open, end } = await visitAs(api, "editor");
      await open("/lists");
      await page.getByRole("button", { name: "Create a list" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Early risers");
      await page.getByRole("dialog").getByRole("button", { name: "Create a list" }).click();
      await page.getByRole("link", { name: "Write to them" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Good morning");
      await page.getByRole("button", { name: "Create campaign" }).click();
      await page.getByRole("button", { name: "Send me a test" }).waitFor({ timeout: PATIENCE_MS });
      await end();

      const viewer = await visitAs(api, "viewer");
      await viewer.open("/lists");
      await viewer.page.getByRole("link", { name: "Early risers" }).waitFor({ timeout: PATIENCE_MS });
      await viewer.open("/campaigns");
      await viewer.page.getByRole("link", { name: "Good morning" }).waitFor({ timeout: PATIENCE_MS });
      await viewer.open("/settings/workspace");
      const name = viewer.page.getByRole("textbox", { name: "Name", exact: true });
      await name.waitFor({ timeout: PATIENCE_MS });
      expect(await name.inputValue()).toBe("Morning Post");
      await viewer.end();
    },
    LIMIT_MS,
  );

  test(
    "a viewer looks around by keyboard alone, and the keys that make something make nothing",
    async () => {
      const before = (await api.call("GET", "/campaigns?limit=1")).body.pagination.total;
      const { page, open, end } = await visitAs(api, "viewer");
      const { keyboard } = page;
      await open("/");
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor({ timeout: PATIENCE_MS });
      await goBy(page, "c", "Campaigns");
      await keyboard.press("c");
      await goBy(page, "p", "Contacts");
      await keyboard.press("n");
      await goBy(page, "l", "Lists");
      await keyboard.press("n");
      await pressOn(page, page.getByRole("main").getByRole("link", { name: "Readers", exact: true }));
      await page.getByRole("heading", { name: "Readers", level: 1 }).waitFor({ timeout: PATIENCE_MS });
      expect(await page.getByRole("dialog").count()).toBe(0);
      await goBy(page, "a", "Automations");
      await keyboard.press("c");

      await goBy(page, "p", "Contacts");
      await pressOn(
        page,
        page
          .getByRole("main")
          .getByRole("link", { name: /grace@example.com/ })
          .first(),
      );
      await page.getByRole("heading", { name: /Grace|grace@/, level: 1 }).waitFor({ timeout: PATIENCE_MS });
      expect(await page.getByRole("button", { name: "Delete this contact" }).count()).toBe(0);
      expect((await api.call("GET", "/campaigns?limit=1")).body.pagination.total).toBe(before);
      await end();
    },
    LIMIT_MS,
  );
});
