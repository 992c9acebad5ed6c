/**
 * Every screen of the console with everything that opens on it: tabs, dialogs, menus and drawers. One list for the
 * tests that visit them all, so that a new screen is tested from its first day.
 */
import type { Page } from "playwright-core";
import type { World, WorldPart } from "./console-world.ts";
import { isPostgres } from "../server/services.ts";
import { hasFocus } from "./keyboard.ts";

/** A place to visit. */
export type Stop = {
  readonly name: string;
  /** Under `/console`; `:part` is the id of a part of the world. */
  readonly path: string;
  /** A selector of something that is there once all is loaded. */
  readonly ready: string;
  /** Opens what covers the screen. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** The part that is new here: the screen behind it has its own stop. */
  readonly within?: string;
};

type Area =
  | "frame"
  | "campaigns"
  | "letters"
  | "audience"
  | "forms"
  | "automations"
  | "activity"
  | "settings";

export const pathOf = ({ path }: Stop, world: World): string =>
  path.replaceAll(/:(\w+)/g, (_, part: string) => world[part as WorldPart] ?? "nothing");

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).first().click();
/** Opens a dialog by a button, and waits for it. */
const dialog = (name: string | RegExp) => async (page: Page) => {
  await button(name)(page);
  await page.getByRole("dialog").last().waitFor();
};
/** Opens the calendar in the dialog that schedules a campaign. */
const calendar = async (page: Page) => {
  await dialog("Schedule")(page);
  await page.locator("[data-dates-input]").first().click();
  await page.locator("[data-dates-dropdown]").waitFor();
};
/** Opens a dialog by an entry of a menu. */
const entry = (menu: string, name: string) => async (page: Page) => {
  await button(menu)(page);
  await page.getByRole("menuitem", { name, exact: true }).click();
  await page.getByRole("dialog").last().waitFor();
};
/** Opens a menu. */
const menu = (name: string | RegExp) => async (page: Page) => {
  await button(name)(page);
  await page.getByRole("menu").last().waitFor();
};
/** Makes a backup where there is none yet, and waits for it. */
const madeBackup = async (page: Page) => {
  const made = page.getByRole("button", { name: /^Download the backup of / }).first();
  const none = page.getByText("No backup yet");
  await made.or(none).waitFor();
  if (await none.isVisible()) await button("Make a backup")(page);
  await made.waitFor();
};
const H1 = "h1";
const DIALOG = "[role=dialog]";
const STEP = ".automation-panel";
const MENU = "[role=menu]";

/** The headings of each section of the settings. */
const SECTIONS = {
  workspace: "Postal address",
  senders: "Sender's address",
  relay: "Relay of this workspace",
  limits: "Quiet hours",
  signups: "Confirmation by mail (double opt-in)",
  people: "Invite somebody",
  keys: "New key",
  webhooks: "New webhook",
  suppressions: "Search addresses",
  scoring: "Points",
  backups: isPostgres ? "pg_dump" : "Make a backup",
  account: "Current password",
};

/** PostgreSQL has backups of its own. */
const BACKUPS: readonly Stop[] = [
  {
    name: "settings-backup-made",
    path: "/settings/backups",
    ready: `main :text("Make a backup")`,
    open: madeBackup,
  },
  {
    name: "settings-backup-download",
    path: "/settings/backups",
    ready: `main :text("Make a backup")`,
    within: DIALOG,
    open: async (page) => {
      await madeBackup(page);
      await dialog(/^Download the backup of /)(page);
    },
  },
  {
    name: "settings-backup-delete",
    path: "/settings/backups",
    ready: `main :text("Make a backup")`,
    within: DIALOG,
    open: async (page) => {
      await madeBackup(page);
      await dialog(/^Delete the backup of /)(page);
    },
  },
];

export const TOUR: Readonly<Record<Area, readonly Stop[]>> = {
  frame: [
    { name: "overview", path: "/", ready: ".overview-plot svg" },
    {
      name: "finder",
      path: "/forms",
      ready: H1,
      open: async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "finder-found",
      path: "/forms",
      ready: H1,
      open: async (page) => {
        await page.keyboard.press("Control+k");
        await hasFocus(page, page.locator(".mantine-Spotlight-search"));
        await page.keyboard.type("grace");
        await page
          .getByRole("option", { name: /grace@/ })
          .or(page.getByText("grace@example.com"))
          .first()
          .waitFor();
      },
    },
    {
      name: "shortcuts",
      path: "/forms",
      ready: H1,
      open: async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "person-menu",
      path: "/forms",
      ready: ".rail-person, h1",
      within: MENU,
      open: menu(/@people\.example/),
    },
    { name: "first-steps", path: "/first-steps", ready: ".first-steps" },
    { name: "nothing-here", path: "/nowhere", ready: "main h2, main h1" },
  ],
  campaigns: [
    { name: "campaigns", path: "/campaigns", ready: ".data-table a" },
    { name: "campaigns-none-fits", path: "/campaigns?q=zzzz", ready: ".empty-state, main h2" },
    { name: "campaign-new", path: "/campaigns/new", ready: ".new-letter" },
    {
      name: "campaign-new-template",
      path: "/campaigns/new",
      ready: ".new-letter",
      open: (page) => page.getByLabel("From a template").check({ force: true }),
    },
    { name: "campaign-html", path: "/campaigns/:html", ready: ".cm-content" },
    { name: "campaign-scheduled", path: "/campaigns/:scheduled", ready: ".send-scheduled" },
    {
      name: "campaign-test",
      path: "/campaigns/:html",
      ready: ".cm-content",
      within: DIALOG,
      open: dialog("Send me a test"),
    },
    {
      name: "campaign-schedule",
      path: "/campaigns/:html",
      ready: ".cm-content",
      within: DIALOG,
      open: dialog("Schedule"),
    },
    {
      name: "campaign-calendar",
      path: "/campaigns/:html",
      ready: ".cm-content",
      within: "[data-dates-dropdown]",
      open: calendar,
    },
    {
      name: "campaign-send",
      path: "/campaigns/:mjml",
      ready: ".piece",
      within: DIALOG,
      open: dialog(/^Send to /),
    },
    {
      name: "campaign-menu",
      path: "/campaigns/:html",
      ready: ".cm-content",
      within: MENU,
      open: menu("More"),
    },
    {
      name: "campaign-delete",
      path: "/campaigns/:html",
      ready: ".cm-content",
      within: DIALOG,
      open: entry("More", "Delete"),
    },
    {
      name: "campaign-why-not",
      path: "/campaigns/:mjml",
      ready: ".piece",
      within: DIALOG,
      open: dialog(/^Why not /),
    },
    { name: "report", path: "/campaigns/:sent/report", ready: ".report-people" },
    { name: "report-not-begun", path: "/campaigns/:html/report", ready: "main h2" },
  ],
  letters: [
    { name: "letter-blocks", path: "/campaigns/:mjml", ready: ".piece .look-button" },
    { name: "letter-text", path: "/campaigns/:mjml?way=text", ready: "textarea" },
    { name: "letter-source", path: "/campaigns/:mjml?way=source", ready: ".cm-content" },
    {
      name: "letter-tags",
      path: "/campaigns/:mjml?way=source",
      ready: ".cm-content",
      within: MENU,
      open: menu("Insert"),
    },
    { name: "letter-no-blocks", path: "/campaigns/:html?way=blocks", ready: ".writing .mantine-Alert-root" },
    { name: "templates", path: "/templates", ready: ".data-table a" },
    { name: "template-new", path: "/templates/new", ready: H1 },
    { name: "template", path: "/templates/:template", ready: ".piece .look-button" },
  ],
  audience: [
    {
      name: "contacts",
      path: "/contacts?columns=city,plan",
      ready: ".contacts-table a, main a[href*='contacts/']",
    },
    { name: "contacts-none-fits", path: "/contacts?q=zzzz", ready: "main h2" },
    {
      name: "contacts-new",
      path: "/contacts",
      ready: "main a[href*='contacts/']",
      within: DIALOG,
      open: dialog("Add a contact"),
    },
    {
      name: "contacts-columns",
      path: "/contacts",
      ready: "main a[href*='contacts/']",
      within: DIALOG,
      open: dialog("Columns"),
    },
    {
      name: "contacts-conditions",
      path: "/contacts",
      ready: "main a[href*='contacts/']",
      within: MENU,
      open: menu("Add a condition"),
    },
    {
      name: "contacts-chosen",
      path: "/contacts",
      ready: "main a[href*='contacts/']",
      open: (page) => page.getByRole("checkbox").first().check(),
    },
    { name: "contact", path: "/contacts/:contact", ready: "main h2" },
    {
      name: "contact-delete",
      path: "/contacts/:contact",
      ready: "main h2",
      within: DIALOG,
      open: dialog("Delete this contact"),
    },
    { name: "lists", path: "/lists", ready: "main td a, main a[href*='lists/']" },
    {
      name: "list-new",
      path: "/lists",
      ready: "main a[href*='lists/']",
      within: DIALOG,
      open: dialog("Create a list"),
    },
    { name: "list", path: "/lists/:list", ready: "main h2" },
    {
      name: "list-delete",
      path: "/lists/:list",
      ready: "main h2",
      within: DIALOG,
      open: dialog("Delete this list"),
    },
    { name: "segments", path: "/segments", ready: "main a[href*='segments/']" },
    { name: "segment-new", path: "/segments/new", ready: "main h2" },
    { name: "segment", path: "/segments/:segment", ready: "main h2" },
    { name: "imports", path: "/imports", ready: "main td" },
    { name: "import-new", path: "/imports/new", ready: ".mantine-Dropzone-root" },
    {
      name: "import-plan",
      path: "/imports/new",
      ready: ".mantine-Dropzone-root",
      open: async (page) => {
        await page.locator("input[type=file]").setInputFiles({
          name: "readers.csv",
          mimeType: "text/csv",
          buffer: Buffer.from(
            "E-Mail,Vorname,Stadt,Angemeldet\nada@example.com,Ada,London,2026-01-05\ngrace@example.com,Grace,New York,2026-02-11\nnobody,X,,\n",
          ),
        });
        await page.locator("input[type=radio]").first().check();
        await page.locator("main table").nth(1).waitFor();
      },
    },
    { name: "import", path: "/imports/:import", ready: "main td" },
  ],
  forms: [
    { name: "forms", path: "/forms", ready: "main a[href*='forms/']" },
    { name: "form", path: "/forms/:form", ready: "iframe:not([hidden])" },
    {
      name: "form-delete",
      path: "/forms/:form",
      ready: "iframe:not([hidden])",
      within: DIALOG,
      open: dialog(/^Delete/),
    },
  ],
  automations: [
    { name: "automations", path: "/automations", ready: "main a[href*='automations/']" },
    {
      name: "automation-new",
      path: "/automations",
      ready: "main a[href*='automations/']",
      within: DIALOG,
      open: dialog("New automation"),
    },
    { name: "automation", path: "/automations/:draft", ready: ".react-flow__node" },
    ...["in", "mail", "pause", "asked", "tag", "list", "field", "call", "memo"].map((step): Stop => ({
      name: `automation-step-${step}`,
      path: `/automations/:draft?step=${step}`,
      ready: STEP,
      within: STEP,
    })),
    { name: "automation-list", path: "/automations/:draft?view=list", ready: ".automation-row" },
    {
      name: "automation-writing",
      path: "/automations/:draft?step=mail",
      ready: ".react-flow__node",
      within: DIALOG,
      open: dialog("Write the mail"),
    },
    {
      name: "automation-live-ask",
      path: "/automations/:draft",
      ready: ".react-flow__node",
      within: DIALOG,
      open: dialog("Set live"),
    },
    {
      name: "automation-menu",
      path: "/automations/:draft",
      ready: ".react-flow__node",
      within: MENU,
      open: menu("Menu"),
    },
    { name: "automation-simulate", path: "/automations/:draft?tab=simulate", ready: ".react-flow__node" },
    {
      name: "automation-simulated",
      path: "/automations/:draft?tab=simulate",
      ready: ".react-flow__node",
      open: async (page) => {
        await page.getByRole("textbox", { name: "Person" }).fill("grace@example.com");
        await button("Simulate")(page);
        await page.getByRole("region", { name: "The path" }).locator("li").first().waitFor();
      },
    },
    { name: "automation-live", path: "/automations/:live", ready: ".react-flow__node" },
    { name: "automation-people", path: "/automations/:live?tab=people", ready: "main td" },
    { name: "automation-nobody", path: "/automations/:draft?tab=people", ready: "main h2, main h3" },
  ],
  activity: [
    { name: "messages", path: "/activity", ready: "main td" },
    { name: "message", path: "/activity?message=:message", ready: "main ol, main ul li" },
    { name: "bounces", path: "/activity?tab=bounces", ready: "main td" },
    { name: "bounce", path: "/activity?tab=bounces&bounce=:bounce", ready: "main pre" },
    { name: "webhooks", path: "/activity?tab=webhooks", ready: "main td" },
    { name: "webhook", path: "/activity?tab=webhooks&hook=:hook", ready: "main td" },
    { name: "delivery", path: "/activity?tab=webhooks&hook=:hook&delivery=:delivery", ready: "main td" },
    { name: "activity-imports", path: "/activity?tab=imports", ready: "main td" },
    { name: "audit", path: "/activity?tab=audit", ready: "main td:nth-child(4)" },
  ],
  settings: [
    ...Object.entries(SECTIONS).map(([section, holds]): Stop => ({
      name: `settings-${section}`,
      path: `/settings/${section}`,
      ready: `main :text("${holds}"), main [placeholder="${holds}"]`,
    })),
    {
      name: "settings-person-new",
      path: "/settings/people",
      ready: "main td",
      within: DIALOG,
      open: dialog("Invite somebody"),
    },
    {
      name: "settings-key-new",
      path: "/settings/keys",
      ready: "main td",
      within: DIALOG,
      open: dialog("New key"),
    },
    {
      name: "settings-key-revoke",
      path: "/settings/keys",
      ready: "main td",
      within: DIALOG,
      open: dialog("Revoke"),
    },
    {
      name: "settings-webhook-new",
      path: "/settings/webhooks",
      ready: "main td",
      within: DIALOG,
      open: dialog("New webhook"),
    },
    ...(isPostgres ? [] : BACKUPS),
  ],
};

export const AREAS = Object.keys(TOUR) as readonly Area[];
