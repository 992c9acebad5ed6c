/**
 * The console in a real browser: a server with the console that was built from these sources, and a person in
 * front of it. One browser serves all files of a run.
 */
import { expect } from "bun:test";
import type { BrowserContext, ConsoleMessage, Page, Request, WebError } from "playwright-core";
import type { Role } from "#users/role.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { startApi, type TestApi, type TestOptions } from "../server/api.ts";
import { leaveSeat, takeSeat } from "./seats.ts";
import { signedIn, type Person } from "../server/signed-in.ts";

/** A service with the console of these sources. */
export async function startConsole(options: TestOptions = {}): Promise<TestApi> {
  await buildConsole();
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
   * Ends the visit. Checks that no script failed, the page's policy stopped nothing, no other host was contacted,
   * and the browser complained only about answers with the given statuses.
   */
  end(refusals?: readonly number[]): Promise<void>;
};

/** A person in front of a screen, who is not signed in. */
export async function visitConsole(api: Pick<TestApi, "url">, look: Look = {}): Promise<ConsoleVisit> {
  const { width = 1280, colorScheme = "light", locale = "en-GB" } = look;
  const seat = await takeSeat(locale);
  const { context, page } = seat;
  await page.setViewportSize({ width, height: width < 600 ? 844 : 800 });
  await page.emulateMedia({ colorScheme });
  const heard = listenTo(context);
  return {
    page,
    context,
    requests: heard.requests,
    async open(path) {
      await page.goto(`${api.url}/console${path}`);
    },
    async end(refusals = []) {
      heard.stop();
      const elsewhere = heard.requests.filter(
        (url) => !url.startsWith(`${api.url}/`) && !url.startsWith("data:"),
      );
      const unexpected = heard.complaints.filter(
        (text) =>
          !refusals.some((status) => text.includes(`the server responded with a status of ${status}`)),
      );
      expect([unexpected, elsewhere]).toEqual([[], []]);
      await leaveSeat(seat, api.url);
    },
  };
}

/** What the pages of a visit request, and what the browser complains about. */
function listenTo(context: BrowserContext) {
  const complaints: string[] = [];
  const requests: string[] = [];
  const onMessage = (message: ConsoleMessage): void => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.text()} ${message.location().url}`.trim());
  };
  const onError = (error: WebError): void => void complaints.push(String(error.error()));
  const onRequest = (request: Request): void => void requests.push(request.url());
  context.on("console", onMessage).on("weberror", onError).on("request", onRequest);
  const stop = (): void =>
    void context.off("console", onMessage).off("weberror", onError).off("request", onRequest);
  return { complaints, requests, stop };
}

/** People who signed in on a service, by role: hashing a password takes longer than most tests. */
const known = new WeakMap<TestApi, Map<Role, Person>>();

/** Somebody with this role and an open session: the same person as before, if nobody signed them out. */
async function personOf(api: TestApi, role: Role): Promise<Person> {
  const people = known.get(api) ?? new Map<Role, Person>();
  known.set(api, people);
  const before = people.get(role);
  if (before !== undefined && (await before.call("GET", "/session")).status === 200) return before;
  const person = await signedIn(api, role);
  people.set(role, person);
  return person;
}

/** The same, signed in with a role in the first workspace; each time as the same person. */
export async function visitAs(
  api: TestApi,
  role: Role = "owner",
  look: Look = {},
): Promise<ConsoleVisit & { readonly person: Person }> {
  const person = await personOf(api, role);
  const visit = await visitConsole(api, look);
  const [name = "", value = ""] = person.cookie.split("=");
  await visit.context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
  return { ...visit, person };
}

export { axeProblems } from "./axe.ts";
export { closesBrowser } from "./seats.ts";

/** Frames that charts and tables may need to follow a window that changed its width. */
const FRAMES_MAX = 100;

/** Whether the page scrolls sideways, also after it had time to settle. */
export async function isWiderThanScreen(page: Page): Promise<boolean> {
  const isWider = () => page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
  for (let frame = 0; frame < FRAMES_MAX && (await isWider()); frame++)
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  return await isWider();
}
