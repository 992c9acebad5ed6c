/**
 * The browser of all console tests of a run, and the pages in it. Opening a page needs a new process and reads the
 * console's scripts again, which is most of the cost of a short test. So a page is emptied after a visit and given
 * to the next one.
 */
import { afterAll } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "./browser.ts";

/** A page in a context of its own. Nothing of its last visitor is left except the browser's cache of files. */
type Seat = { readonly context: BrowserContext; readonly page: Page; readonly locale: string };

let shared: Promise<Browser> | undefined;
let free: Seat[] = [];

/** Call it once in each file, outside of `describe`: the last to end closes the browser. */
let files = 0;
export function closesBrowser(): void {
  files++;
  afterAll(async () => {
    if (--files > 0) return;
    free = [];
    await (await shared)?.close();
    shared = undefined;
  });
}

export async function takeSeat(locale: string): Promise<Seat> {
  free = free.filter(({ page }) => !page.isClosed());
  const at = free.findIndex((seat) => seat.locale === locale);
  const [seat] = at < 0 ? [] : free.splice(at, 1);
  if (seat !== undefined) return seat;
  const context = await (await runningBrowser()).newContext({ locale, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE_MS);
  return { context, page: await context.newPage(), locale };
}

/** A screen may take long on a busy machine. A wait ends only if something will never come. */
const PATIENCE_MS = 60_000;

/** The browser, or a new one: Bun ends the processes of a test that takes too long. */
async function runningBrowser(): Promise<Browser> {
  if ((await shared)?.isConnected() === false) shared = undefined;
  return await (shared ??= openBrowser());
}

/** Removes what a visit left, and offers the page to the next. @param origin the origin that was visited */
export async function leaveSeat(seat: Seat, origin: string): Promise<void> {
  const { context, page } = seat;
  await Promise.all(
    context
      .pages()
      .filter((each) => each !== page)
      .map((each) => each.close()),
  );
  await context.unrouteAll();
  await page.unrouteAll();
  // Leaving the page stops its requests, and its scripts write nothing more. What the tab keeps for itself can only be
  // removed from a page of the same origin: an empty one, for which nobody is asked.
  await page.route(`${origin}/`, (route) => route.fulfill({ body: "" }));
  await page.goto(`${origin}/`);
  await page.evaluate("sessionStorage.clear()");
  await page.unrouteAll();
  await page.goto("about:blank");
  const devtools = await context.newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
  await context.clearCookies();
  free.push(seat);
}
