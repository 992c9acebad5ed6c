/** The chart of a report in a real browser: what stands below it, and what is read without seeing it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS } from "#core/time/time.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const LIMIT_MS = 180_000;
/** Two days and a half, from one in the afternoon in Berlin. */
const FROM = Date.parse("2026-11-24T12:00:00Z");
const STEPS = Array.from({ length: 60 }, (_, i) => ({
  at: new Date(FROM + i * HOUR_MS).toISOString(),
  sent: 0,
  opened: i === 13 ? 40 : 0,
  clicked: i === 13 ? 7 : 0,
  bounced: 0,
  unsubscribed: 0,
}));

describe.skipIf(lacksBrowser())("the chart of a report", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    await api.call("PATCH", "/settings", { timezone: "Europe/Berlin" });
  });
  afterAll(() => api.stop());

  test.each([
    ["en-GB", ["24 Nov", "25 Nov", "26 Nov", "27 Nov"], "25 Nov 2026, 02:00"],
    ["de-DE", ["24. Nov.", "25. Nov.", "26. Nov.", "27. Nov."], "25.11.2026, 02:00"],
  ])(
    "%s: says each day once, hours otherwise, each at its place, of the workspace's clock",
    async (locale, days, moment) => {
      const { listId } = await makeAudience(api, [`ada@${locale}.example.com`.toLowerCase()]);
      const id = await makeCampaign(api, listId, { name: "Axis" });
      await send(api, id);
      const { page, open, end } = await visitAs(api, "viewer", { locale });
      await page.route("**/timeline**", (route) => route.fulfill({ json: { data: STEPS } }));
      await open(`/campaigns/${id}/report`);
      const marks = page.locator(".recharts-xAxis-tick-labels text");
      await marks.nth(3).waitFor();
      const lines = (await marks.all()).map((mark) => mark.locator("tspan").allTextContents());
      const said = await Promise.all(lines);
      expect(said.map(([, day]) => day).filter((day) => day !== undefined)).toEqual(days);
      expect(said.map(([hour]) => hour)).toEqual(
        said.map(([hour]) => (/^\d\d:00$/.test(hour ?? "") ? hour : "an hour")),
      );
      // Marks that are as far apart as their hours.
      const places = await Promise.all((await marks.all()).map((mark) => mark.getAttribute("x")));
      const gaps = places.slice(1).map((x, i) => Math.round(Number(x) - Number(places[i])));
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
      const hoursApart = said
        .slice(1)
        .map(([hour], i) => (24 + parseInt(hour!) - parseInt(said[i]![0]!)) % 24);
      expect(new Set(hoursApart).size).toBe(1);
      const table = page.getByRole("table", { name: /./ }).filter({ hasText: moment });
      expect(await table.locator("tbody tr").first().locator("th, td").allTextContents()).toEqual([
        moment,
        "40",
        "7",
      ]);
      await end();
    },
    LIMIT_MS,
  );
});
