/** Numbers lead to people, in a real browser; and the first list is made where one has to be chosen. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { SENDER } from "../../support/sending/sending.ts";

const relay = scriptedSmtp({
  on: { RCPT: ({ rcptTo }) => (rcptTo.at(-1)?.startsWith("gone") ? "550 5.1.1 No such user" : undefined) },
});
let api: TestApi;
let campaignId = "";
closesBrowser();

const create = async (path: string, body: object): Promise<string> =>
  (await api.call("POST", path, body)).body.data.id;

describe.skipIf(lacksBrowser())("a number", () => {
  beforeAll(async () => {
    api = await startConsole({ smtpUrl: relay.url });
    await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
    campaignId = await create("/campaigns", { name: "Spring", subject: "Spring", body: "<p>Hello</p>" });
  });
  afterAll(async () => {
    await api.stop();
    relay.stop();
  });

  test("the first list is made in the campaign's editor, and is chosen there", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open(`/campaigns/${campaignId}`);
    await page.getByText("There is no list yet. Create one here.").waitFor();
    await page.getByLabel("Name of the list").fill("Newsletter");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name of the list").waitFor({ state: "detached" });
    await page.getByText(/^Saved /).waitFor();
    const { data } = (await api.call("GET", "/lists")).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(["Newsletter"]);
    await visit.end();
    await api.call("PATCH", `/campaigns/${campaignId}`, { listId: data[0].id });
    for (const email of ["ada@example.com", "gone@example.com", "sam@example.com"]) {
      const { id } = await person(api, email);
      await api.call("POST", `/lists/${data[0].id}/contacts`, { contactId: id });
    }
    await api.services.suppressions.add(api.workspaceId, "sam@example.com", "MANUAL");
  });

  test("of the dry run opens its people", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open(`/campaigns/${campaignId}`);
    await page.getByRole("button", { name: "Why not 1 more?" }).click();
    await page.getByRole("button", { name: /^Show them: Their address is suppressed/ }).click();
    await page.getByRole("link", { name: "sam@example.com" }).waitFor();
    await page.getByRole("button", { name: "All reasons" }).click();
    await page.getByRole("button", { name: /^Show them/ }).waitFor();
    await visit.end();
  });

  test("of a report leads to its people, and they can be kept as a file", async () => {
    expect((await api.call("POST", `/campaigns/${campaignId}/send`)).body.data.complete).toBe(true);
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open(`/campaigns/${campaignId}/report`);
    const reason = page.getByRole("listitem").filter({ hasText: "The address does not exist" });
    await reason.getByRole("button", { name: "People" }).click();
    await page.getByRole("button", { name: "Any reason" }).waitFor();
    await page.getByText("ada@example.com").waitFor({ state: "detached" });
    await page.getByText("gone@example.com").waitFor();
    const kept = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const text = readFileSync(await (await kept).path(), "utf8");
    // Excel knows UTF-8 by this mark.
    expect(text).toStartWith("\uFEFF");
    const lines = text.trim().split("\r\n");
    expect(lines.length).toBe(2);
    expect(lines[1]).toStartWith('"gone@example.com","BOUNCED","USER_UNKNOWN"');
    await page.getByRole("button", { name: "Any reason" }).click();
    await page.getByRole("button", { name: "Any reason" }).waitFor({ state: "detached" });
    await visit.end();
  });
});
