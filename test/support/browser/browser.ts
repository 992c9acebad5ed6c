/** A real browser on the pages: Debian's Chromium, driven by playwright-core. */
import { existsSync, mkdirSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { lacks } from "../common/needs.ts";

const EXECUTABLE = "/usr/bin/chromium";

export const lacksBrowser = (): boolean =>
  lacks(`browser at ${EXECUTABLE}`, existsSync(EXECUTABLE), "`apt-get install chromium` brings it.");

/** Without a graphics card, which Chromium would emulate in software: test machines have none. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"];

/** @param more what else it is started with */
export const openBrowser = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS, ...more] });

export type Visit = {
  readonly page: Page;
  /** What the browser complained about on any page of this visit. */
  readonly complaints: string[];
  /** Every address that it requested from the network. Not what the page's policy stopped before that. */
  readonly requests: Set<string>;
  close(): Promise<void>;
};

/** A person in front of a screen of this width; without scripts, unless the page is one that needs them. */
export async function visitor(
  browser: Browser,
  width: number,
  colorScheme: "light" | "dark" = "light",
  javaScriptEnabled = false,
): Promise<Visit> {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width, height: width < 600 ? 844 : 800 },
    colorScheme,
  });
  const complaints: string[] = [];
  const requests = new Set<string>();
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => requests.add(request.url()));
  context.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") requests.delete(request.url());
  });
  return { page: await context.newPage(), complaints, requests, close: () => context.close() };
}

/**
 * Saves a picture of the page for a person, in the directory that SCREENSHOTS names. Does nothing if it is
 * not set.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const directory = process.env["SCREENSHOTS"];
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}

/** Whether anything is wider than the screen. */
export async function overflows(page: Page): Promise<boolean> {
  const main = await page.locator("main").boundingBox();
  return main === null || main.x < 0 || main.x + main.width > page.viewportSize()!.width;
}
