/**
 * Every screen with all that opens on it, in a workspace whose names, texts, files and answers are hostile: readable
 * light and dark, wide and narrow, and nothing that somebody wrote runs or leaves its box.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { contrastProblems } from "../../support/browser/axe.ts";
import { escapedTexts } from "../../support/browser/boxes.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  visitAs,
  visitConsole,
  type ConsoleVisit,
} from "../../support/browser/console.ts";
import { AREAS, pathOf, TOUR, type Stop } from "../../support/browser/console-tour.ts";
import { fillWorld, type World } from "../../support/browser/console-world.ts";
import { hostileWords } from "../../support/common/hostile-words.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { webhookTarget } from "../../support/webhooks/webhook-target.ts";

let api: SendingApi;
let world: World;
let visit: ConsoleVisit;
const target = webhookTarget();
const dialogs: string[] = [];
closesBrowser();

const LOOKS = [
  { width: 1280, colorScheme: "light", problems: axeProblems },
  { width: 1280, colorScheme: "dark", problems: contrastProblems },
  // The colours of a phone are those of a desktop: one scheme is enough.
  { width: 390, colorScheme: "dark", problems: axeProblems },
] as const;

const SCREENS = readFileSync(join(import.meta.dir, "../../../src/console/ui/screens.ts"), "utf8");

type Look = (typeof LOOKS)[number];

/** Colours go over into others for a moment. */
const SETTLED = `Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;

/** By then the screen before is gone. */
const DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))";

async function show({ page }: ConsoleVisit, { width, colorScheme }: Omit<Look, "problems">): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: width < 600 ? 844 : 800 });
  await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate(SETTLED);
}

/** What is wrong with what is shown now, in every look. */
async function faultsOf(of: ConsoleVisit, within?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const look of LOOKS) {
    await show(of, look);
    const found = await look.problems(of.page, within);
    if (await isWiderThanScreen(of.page)) found.push("is wider than the screen");
    found.push(...(await escapedTexts(of.page)).map((text) => `sticks out of ${text}`));
    faults.push(...found.map((fault) => `${look.width} ${look.colorScheme}: ${fault}`));
  }
  return faults;
}

/**
 * Goes there as a link does: most of the time would go into loading the page anew. Only what was opened over the last
 * one goes with it.
 */
async function goTo(stop: Stop, last: Stop | undefined): Promise<void> {
  await show(visit, LOOKS[0]);
  const path = pathOf(stop, world);
  if (last === undefined || last.open !== undefined) await visit.open(path);
  else
    await visit.page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/console${path}`)}); ${DRAWN}`);
  await visit.page.locator(stop.ready).first().waitFor();
  await stop.open?.(visit.page);
  await visit.page.evaluate(SETTLED);
}

const LIMIT_MS = 300_000;

describe.skipIf(lacksBrowser())("every screen of the console", () => {
  beforeAll(async () => {
    await buildConsole();
    const bounces = ({ rcptTo }: { rcptTo: string[] }) =>
      rcptTo[0]?.startsWith("edsger@") ? "550 5.1.1 No such user" : undefined;
    api = await startSending({ RCPT: bounces });
    world = await fillWorld(api, target, hostileWords);
    visit = await visitAs(api);
    await visit.open("/nowhere");
    visit.page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await api.stop();
    target.stop();
  });

  test("is on the tour", () => {
    const stops = Object.values(TOUR).flat();
    const shapes = stops.map(({ path }) => (path.split("?")[0] ?? "").replaceAll(/:\w+/g, ":id"));
    const screens = [...SCREENS.matchAll(/path: "(.*?)(?:\/:section\?)?"/g)].map(([, path = ""]) => path);
    expect(screens.length).toBeGreaterThan(20);
    expect(screens.filter((path) => !shapes.some((shape) => shape.startsWith(path)))).toEqual([]);
  });

  test.each(AREAS)(
    "%s: everybody can read it, and hostile words stay words, in their boxes",
    async (area) => {
      const faults: Record<string, string[]> = {};
      for (const [at, stop] of TOUR[area].entries()) {
        await goTo(stop, TOUR[area][at - 1]);
        const found = await faultsOf(visit, stop.within);
        if ((await visit.page.evaluate("window.hurt")) !== undefined) found.push("a script ran");
        if (found.length > 0) faults[stop.name] = found;
      }
      expect([faults, dialogs]).toEqual([{}, []]);
    },
    LIMIT_MS,
  );

  test(
    "what cannot be loaded, is not there yet or is not allowed can be read too",
    async () => {
      const { page } = visit;
      await page.route("**/api/v1/lists**", (route) => route.fulfill({ status: 500, json: {} }));
      await visit.open("/lists");
      await page.getByRole("button", { name: "Try again" }).waitFor();
      expect(await faultsOf(visit)).toEqual([]);
      await page.unrouteAll();
      let answer = () => {};
      await page.route("**/api/v1/segments**", async (route) => {
        await new Promise<void>((goOn) => (answer = goOn));
        await route.fulfill({ status: 500, json: {} });
      });
      await visit.open("/segments");
      await page.locator("main h1").waitFor();
      await page.locator(".loading").waitFor();
      expect(await faultsOf(visit)).toEqual([]);
      answer();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      const viewer = await visitAs(api, "viewer");
      await viewer.open("/settings/keys");
      await viewer.page.getByText("Your role does not allow this").waitFor();
      expect(await faultsOf(viewer)).toEqual([]);
      await viewer.end([403]);
      const stranger = await visitConsole(api);
      await stranger.open("/sign-in");
      await stranger.page.getByLabel("Email address").waitFor();
      expect(await faultsOf(stranger)).toEqual([]);
      await stranger.open("/welcome/used");
      await stranger.page.locator("h1").waitFor();
      expect(await faultsOf(stranger)).toEqual([]);
      await stranger.end([401, 404]);
    },
    LIMIT_MS,
  );

  test("nothing was stopped by the page's policy, nobody else was asked, and no script failed", async () => {
    await visit.end([403, 404, 500]);
  });
});
