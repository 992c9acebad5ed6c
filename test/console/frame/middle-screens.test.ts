/** Windows between a phone and a laptop: a tablet, half of a screen, or a laptop's page made larger. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { chain, draft } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, visitAs } from "../../support/browser/console.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

/** In pixels: a name, a step and a form that can be read. */
const READABLE = 140;
const WIDTHS = [736, 768, 820, 960, 1024, 1100] as const;

let api: SendingApi;
/** Where something is, by what should have room there. */
let places: Readonly<Record<string, string>>;
closesBrowser();

describe.skipIf(lacksBrowser())("a window that is wider than a phone's", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    await send(api, await makeCampaign(api, listId));
    const flow = chain({ trigger: "new_subscriber" }, ["end", "end"]);
    const automation = await draft(api, flow);
    const form = await api.call("POST", "/forms", { name: "Join the readers", listId });
    const people = await api.call("GET", "/contacts");
    places = {
      "main td:first-child": "/",
      "main table td:first-child": "/campaigns",
      ".automation-canvas": `/automations/${automation}`,
      ".automation-row": `/automations/${automation}?view=list`,
      ".forms-shown iframe:not([hidden])": `/forms/${form.body.data.id}`,
      ".contact-history": `/contacts/${people.body.data[0].id}`,
    };
  });
  afterAll(() => api.stop());

  test.each(WIDTHS)("of %i pixels has room for what its screens are for", async (width) => {
    const { page, open, end } = await visitAs(api, "editor");
    await page.setViewportSize({ width, height: 900 });
    const narrow: string[] = [];
    for (const [selector, path] of Object.entries(places)) {
      await open(path);
      const place = page.locator(selector).first();
      await place.waitFor();
      const { width: room = 0 } = (await place.boundingBox()) ?? {};
      if (room < READABLE || (await isWiderThanScreen(page))) narrow.push(`${path}: ${selector} ${room}`);
    }
    expect(narrow).toEqual([]);
    await end();
  });

  test("shows a chosen step of an automation over the canvas, where there is no room beside it", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    await page.setViewportSize({ width: 768, height: 1024 });
    await open(places[".automation-canvas"] ?? "");
    await page.locator(".react-flow__node").first().click();
    await page.getByRole("dialog").waitFor();
    await end();
  });
});
