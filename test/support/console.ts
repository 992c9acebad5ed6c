/**
 * The console in a real browser: a server with the console that was built from these sources, and a person in
 * front of it. One browser serves all files of a run.
 */
import { afterAll, expect } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Role } from "#users/role.ts";
import { builtConsole } from "../../scripts/console/build.ts";
import { startApi, type TestApi, type TestOptions } from "./api.ts";
import { openBrowser } from "./browser.ts";
import { signedIn, type Person } from "./signed-in.ts";

let shared: Promise<Browser> | undefined;

/** The browser of all console tests; each visit has its own context. */
const consoleBrowser = (): Promise<Browser> => (shared ??= openBrowser());

/** Call it once in each file, outside of `describe`: the last to end closes the browser. */
let files = 0;
export function closesBrowser(): void {
  files++;
  afterAll(async () => {
    if (--files > 0) return;
    await (await shared)?.close();
    shared = undefined;
  });
}

/** A service with the console of these sources. */
export async function startConsole(options: TestOptions = {}): Promise<TestApi> {
  await builtConsole();
  return await startApi(options);
}

export type Look = {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly locale?: string;
};

export type ConsoleVisit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every request's address. */
  readonly requests: readonly string[];
  /** Opens a page of the console, by its path under `/console`. */
  open(path: string): Promise<void>;
  /**
   * Ends the visit: no script failed, the page's policy stopped nothing, nobody else was asked for anything, and
   * the browser complained of nothing but the answers with the given statuses.
   */
  end(refusals?: readonly number[]): Promise<void>;
};

/** A person in front of a screen, who is not signed in. */
export async function visitConsole(api: TestApi, look: Look = {}): Promise<ConsoleVisit> {
  const { width = 1280, colorScheme = "light", locale = "en-GB" } = look;
  const context = await (
    await consoleBrowser()
  ).newContext({
    viewport: { width, height: width < 600 ? 844 : 800 },
    colorScheme,
    locale,
    reducedMotion: "reduce",
  });
  const complaints: string[] = [];
  const requests: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => requests.push(request.url()));
  const page = await context.newPage();
  return {
    page,
    context,
    requests,
    async open(path) {
      await page.goto(`${api.url}/console${path}`);
    },
    async end(refusals = []) {
      const elsewhere = requests.filter((url) => !url.startsWith(`${api.url}/`) && !url.startsWith("data:"));
      const unexpected = complaints.filter(
        (text) =>
          !refusals.some((status) => text.includes(`the server responded with a status of ${status}`)),
      );
      expect([unexpected, elsewhere]).toEqual([[], []]);
      await context.close();
    },
  };
}

/** The same, signed in with a role in the first workspace. */
export async function visitAs(
  api: TestApi,
  role: Role = "owner",
  look: Look = {},
): Promise<ConsoleVisit & { readonly person: Person }> {
  const person = await signedIn(api, role);
  const visit = await visitConsole(api, look);
  const [name = "", value = ""] = person.cookie.split("=");
  await visit.context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
  return { ...visit, person };
}

export { axeProblems } from "./axe.ts";

/** Frames that charts and tables may take to follow a window that changed its width. */
const FRAMES_MAX = 100;

/** Whether the page scrolls sideways, also after it had time to settle. */
export async function isWiderThanScreen(page: Page): Promise<boolean> {
  const isWider = () => page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
  for (let frame = 0; frame < FRAMES_MAX && (await isWider()); frame++)
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  return await isWider();
}
