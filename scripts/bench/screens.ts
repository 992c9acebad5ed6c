/**
 * How long a person with a browser waits at a million contacts: for the first paint and the first use, and how the
 * list of contacts scrolls. Needs Debian's `chromium`. `SCREENS_CONTACTS=N` makes it smaller, to try the bench
 * itself.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { addTo, serve } from "./audience.ts";
import { ATTRIBUTES_SQL, deliveriesSql } from "./data/audience-sql.ts";
import { heapMb, scrolled, watchAll, watched } from "./figures/screens-page.ts";
import { seed } from "./data/seed.ts";
import type { Row } from "./figures/table.ts";

const CONTACTS = Number(process.env["SCREENS_CONTACTS"] ?? 1_000_000);
const OWNER = { email: "bench@example.org", password: "seven quiet lamps" };
const SILENT = createLog({ level: "error", format: "json", clock: systemClock, write: () => undefined });

/** What Lighthouse calls good: https://web.dev/articles/vitals, and "Total Blocking Time" there. */
const GOOD = { paint: 1_800, largest: 2_500, usable: 3_800, blocked: 200, shift: 0.1 } as const;
const UNITS = {
  paint: "first paint, ms",
  largest: "largest paint, ms",
  usable: "usable, ms",
  blocked: "blocked, ms",
  shift: "layout shift",
} as const;

/** People notice a longer frame. No frame should take longer. */
const LONGEST_FRAME_MS = 100;

export async function screensBench(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-screens-"));
  try {
    const seeded = await seed(dataDir, { contacts: CONTACTS, events: CONTACTS });
    const campaign = await fill(dataDir, seeded.workspaceId);
    const server = await serve(dataDir, seeded);
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
      return await measured(browser, server.url, campaign);
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Attributes, a campaign that went to everybody, and an owner. @returns the campaign's id */
async function fill(dataDir: string, workspaceId: string): Promise<string> {
  const sqlite = new Database(join(dataDir, "postrider.db"), { strict: true });
  const last = sqlite
    .query<{ seq: number; id: string }, []>(
      "SELECT seq, id FROM campaigns WHERE status = 'SENT' ORDER BY seq DESC LIMIT 1",
    )
    .get()!;
  sqlite.close();
  addTo(dataDir, [...ATTRIBUTES_SQL, deliveriesSql(last.seq)]);
  const services = openServices(dataDir, { clock: systemClock, random: systemRandom, log: SILENT });
  await services.users.add(workspaceId, OWNER.email, "owner", OWNER.password);
  await services.close();
  return last.id;
}

async function measured(browser: Browser, url: string, campaign: string): Promise<Row[]> {
  const rows: Row[] = [];
  const screens = {
    overview: ["/", ".overview-figures"],
    contacts: ["/contacts", ".contacts-row a"],
    "a report": [`/campaigns/${campaign}/report`, ".report-people"],
    "contacts with a tag": [`/contacts?rules=${rulesOf("tag", "vip")}`, ".contacts-row a"],
    "contacts with an attribute": [`/contacts?rules=${rulesOf("attributes.plan", "Pro")}`, ".contacts-row a"],
  } as const;
  for (const [name, [path, usable]] of Object.entries(screens)) {
    const page = await visitor(browser, url);
    await watchAll(page, usable);
    await page.goto(`${url}/console${path}`);
    await page.locator(usable).first().waitFor();
    await page.waitForLoadState("networkidle");
    const figures = await watched(page);
    for (const figure of Object.keys(UNITS) as (keyof typeof UNITS)[])
      rows.push(row(`${name}: ${UNITS[figure]}`, figures[figure], GOOD[figure]));
    if (name === "contacts") rows.push(...(await scrolling(page)));
    await page.context().close();
  }
  return rows;
}

async function scrolling(page: Page): Promise<Row[]> {
  const by = await scrolled(page, page.getByRole("region", { name: "Contacts" }));
  const searchMs = await page.evaluate<number>("performance.now()");
  await page.getByRole("textbox", { name: "Search" }).fill("lovelace");
  const count = page.locator(".contacts-found .count").filter({ hasText: /\d/ });
  await count.filter({ hasNotText: CONTACTS.toLocaleString("en-GB") }).waitFor();
  await page.locator(".contacts-row a").first().waitFor();
  return [
    row(`contacts, ${by.rows} rows by the wheel: longest frame, ms`, by.longestFrameMs, LONGEST_FRAME_MS),
    row("the same: share of frames in which a row was waited for, %", by.waitingShare * 100),
    row("the same: rows in the page, at most", by.rowsDrawn),
    row("the same: memory of the page's scripts, MB", await heapMb(page)),
    row(
      "contacts, first search for a name, ms",
      (await page.evaluate<number>("performance.now()")) - searchMs,
    ),
  ];
}

const row = (what: string, ours: number, atMost?: number): Row => ({
  what,
  ours,
  reference: "",
  theirs: Number.NaN,
  goal: atMost === undefined ? null : { atMost },
});

const rulesOf = (field: string, value: string): string =>
  encodeURIComponent(JSON.stringify({ all: [{ field, op: "equals", value }] }));

/** A visitor who was never there before: the browser's cache is empty. */
async function visitor(browser: Browser, url: string): Promise<Page> {
  const answer = await fetch(`${url}/api/v1/session`, { method: "POST", body: JSON.stringify(OWNER) });
  const [name = "", value = ""] = (answer.headers.get("set-cookie") ?? "").split(";")[0]!.split("=");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  return await context.newPage();
}
