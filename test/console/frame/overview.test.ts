/** The overview in a real browser: what is under way, what needs somebody, how it went. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { newList } from "../../support/sending/campaigns.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import type { Moment } from "../../support/sending/smtp-script.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

/** Breaks out of its place if anything lets it. */
const HOSTILE = `<img src=x onerror=alert(1)>"'{{7*7}}`;

/** A campaign to new people. */
async function campaignTo(emails: readonly string[], name: string): Promise<string> {
  const listId = await newList(api);
  for (const email of emails) {
    const { id } = (await api.call("POST", "/contacts", { email })).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: id });
  }
  const letter = { name, subject: "Hello", body: "<p>Hello</p>", listId };
  return (await api.call("POST", "/campaigns", letter)).body.data.id;
}

describe.skipIf(lacksBrowser())("the overview", () => {
  beforeAll(async () => {
    await buildConsole();
    // The relay asks to try again later, for one person: their message stays owed.
    const later = ({ rcptTo }: Moment) => (rcptTo[0]?.startsWith("later@") ? "450 4.2.1 Busy" : undefined);
    api = await startSending({ RCPT: later });
    const id = await campaignTo(["ada@example.com"], HOSTILE);
    await api.call("POST", `/campaigns/${id}/send`);
  });
  afterAll(() => api.stop());

  test.each(["owner", "viewer"] as const)(
    "shows the %s what needs somebody and how it went",
    async (role) => {
      const visit = await visitAs(api, role);
      const { page } = visit;
      await visit.open("/");
      await page.getByRole("row", { name: /Sent/ }).getByText(HOSTILE, { exact: true }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      const delivered = page.locator(".overview-figures > div", { hasText: "Delivered" });
      expect(await delivered.locator("dd").first().innerText()).toBe("1");
      const subscribers = page.locator(".overview-figures > div", { hasText: "Subscribers" });
      await subscribers.getByText("1 new contact", { exact: true }).waitFor();
      await subscribers.locator(".count", { hasText: /^1$/ }).waitFor();
      await page.locator(".overview-plot svg").first().waitFor();
      const needs = page.getByRole("region", { name: "Needs you" });
      await needs.getByText("Mail is not signed", { exact: true }).waitFor();
      await needs.getByText("Run “postrider dkim create” on the server, unless your relay signs.").waitFor();
      await needs.getByRole("link", { name: "Look at it" }).first().click();
      await page.getByRole("heading", { name: "Settings", exact: true }).waitFor();
      await visit.end();
    },
  );

  test("its plots can be read without seeing them: a table of the days of the workspace, with the figures of the API", async () => {
    await api.call("PATCH", "/settings", { timezone: "Pacific/Auckland" });
    const { data } = (await api.call("GET", "/stats?step=day&include=delivered")).body;
    const today = new Date().toLocaleDateString("en-GB", {
      dateStyle: "medium",
      timeZone: "Pacific/Auckland",
    });
    const visit = await visitAs(api, "viewer");
    const { page } = visit;
    await visit.open("/");
    const rowsOf = async (name: string): Promise<string[][]> => {
      const rows = page.getByRole("table", { name }).getByRole("row");
      await rows.last().waitFor({ state: "attached" });
      const cells = (await rows.all()).map((row) => row.locator("th, td").allTextContents());
      return await Promise.all(cells);
    };
    const [mailHead, ...mail] = await rowsOf("Delivered each day");
    const [peopleHead, ...people] = await rowsOf("New contacts and unsubscribed each day");
    expect([mailHead, peopleHead]).toEqual([
      ["Day", "Delivered"],
      ["Day", "New contacts", "Unsubscribed"],
    ]);
    const told = data.series.slice(-mail.length);
    expect(mail.map(([, delivered]) => Number(delivered))).toEqual(told.map((one: any) => one.delivered));
    expect(people.map(([, joined, left]) => [Number(joined), Number(left)])).toEqual(
      told.map((one: any) => [one.newContacts, one.unsubscribed + one.complained]),
    );
    expect(mail.at(-1)).toEqual([today, "1"]);
    await api.call("PATCH", "/settings", { timezone: "UTC" });
    await visit.end();
  });

  test("shows how far a send has come that is under way", async () => {
    const id = await campaignTo(["grace@example.com", "later@example.com"], "Two people");
    // A series that was prepared ahead goes out the oldest first.
    for (let n = 1; n <= 20; n++) {
      const letter = { name: `Later ${n}`, subject: "Hello", body: "<p>Hello</p>" };
      expect((await api.call("POST", "/campaigns", letter)).status).toBe(201);
    }
    await api.call("POST", `/campaigns/${id}/send`);
    const visit = await visitAs(api, "viewer");
    const underWay = visit.page.getByRole("region", { name: "Under way" });
    await visit.open("/");
    await underWay.getByText("1 of 2").waitFor();
    const bar = underWay.getByRole("progressbar", { name: "How far Two people has come" });
    expect(await bar.getAttribute("aria-valuenow")).toBe("50");
    await visit.end();
  });
});
