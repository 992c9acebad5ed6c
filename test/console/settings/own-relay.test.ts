/** A workspace with a relay of its own, in a service that captures mail: people are told that its mail goes out. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { startCaptured, type CapturedApi } from "../../support/server/captured.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { makeLongList } from "../../support/sending/sending.ts";

let api: CapturedApi;
let relay: ScriptedSmtp;
closesBrowser();

/** As providers make them: four of its signs have a meaning in a URL. */
const PASSWORD = "a#b/c?d@e:f%g";
const CAPTURED = /captured/i;

describe.skipIf(lacksBrowser())("a workspace with a relay of its own, where other mail is captured", () => {
  beforeAll(async () => {
    api = await startCaptured();
    relay = scriptedSmtp({ auth: { user: "ada@example.com", pass: PASSWORD } });
  });
  afterAll(async () => {
    await api.stop();
    relay.stop();
  });

  test("enters it in the first steps; from then on nothing says that mail is captured", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/first-steps");
    await page.locator(".rail").getByText(CAPTURED).waitFor();
    await page.getByRole("button", { name: /Check that mail goes out/ }).click();
    await page.getByText(/^Mail is captured for now/).waitFor();
    await page
      .getByLabel("Relay of this workspace")
      .fill(relay.url.replace("://", `://ada@example.com:${PASSWORD}@`));
    await page.keyboard.press("Tab");
    await page.getByText(/^Saved /).waitFor();
    await page.getByText(CAPTURED).first().waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(`The relay took the message for ${visit.person.email}.`).waitFor();
    expect(relay.accepted.map(({ rcptTo }) => rcptTo)).toEqual([[visit.person.email]]);
    await page.getByRole("button", { name: "Next: Set up your domain" }).click();
    await page.locator(".mail-checks").waitFor();
    expect(await page.getByText(CAPTURED).count()).toBe(0);
    expect(api.recipients).toEqual([]);
    await visit.end();
  });

  test("its reports do not say that nobody got the mail", async () => {
    const listId = await makeLongList(api, 3);
    const { body } = await api.call("POST", "/campaigns", {
      name: "To three",
      subject: "To three",
      body: "<p>Hello.</p>",
      listId,
    });
    await api.call("POST", `/campaigns/${body.data.id}/send`, {});
    const visit = await visitAs(api);
    await visit.open(`/campaigns/${body.data.id}/report`);
    await visit.page.getByText("Sent", { exact: true }).waitFor();
    await visit.page.getByText("100%").first().waitFor();
    await visit.page.waitForLoadState("networkidle");
    expect(await visit.page.getByText(CAPTURED).count()).toBe(0);
    expect(api.recipients).toEqual([]);
    await visit.end();
  });
});
