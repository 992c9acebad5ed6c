/** "Choose all" of a search: who is shown is who is changed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";

/** Their addresses and first names. */
const PEOPLE = {
  "anna@example.com": "Müller",
  "info@müller.de": "Info",
  "wine@example.com": "Wein@Bär",
  "wein@bär.example": "Bar",
  "weiss@example.com": "Snow",
};

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("all people of a search", () => {
  beforeAll(async () => {
    api = await startConsole();
    for (const [email, firstName] of Object.entries(PEOPLE)) await person(api, email, { firstName });
  });
  afterAll(() => api.stop());

  test.each([
    ["müller", ["anna@example.com"]],
    ["weiß", ["weiss@example.com"]],
    ["info@müller.de", ["info@xn--mller-kva.de"]],
    // Her name has it, and his address.
    ["wein@bär", ["wein@xn--br-via.example", "wine@example.com"]],
  ])("%s: who is shown is tagged, and nobody else", async (q, emails) => {
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts?q=${encodeURIComponent(q)}`);
    const n = emails.length;
    await page.getByRole("columnheader").getByRole("checkbox", { name: "Choose all" }).check();
    for (const email of emails) await page.getByRole("link", { name: email, exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /@[^ ]*\./ }).count()).toBe(n);
    await page.getByRole("button", { name: "Tag / List" }).click();
    await page.getByRole("menuitem", { name: "Add tag" }).click();
    await page.getByRole("dialog").getByLabel("Tag").fill(q);
    await page.getByRole("button", { name: /^Tag \d+ p/ }).click();
    await page.getByText(`${n} tagged`).waitFor();
    const { data } = (await api.call("GET", `/contacts?tag=${encodeURIComponent(q)}`)).body;
    expect(data.map(({ email }: { email: string }) => email).toSorted()).toEqual(emails);
    await end();
  });
});
