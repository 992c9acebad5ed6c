/** A workspace with a relay of its own, in a service that captures mail: people are told that its mail goes out. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, visitAs } from "../../support/browser/console.ts";
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

  test("changes it in parts, as a provider names them; the password stays unless another is typed", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/relay");
    const { port } = new URL(relay.url);
    const field = page.getByLabel("Relay of this workspace", { exact: true });
    await field.waitFor();
    const before = await field.inputValue();
    expect(before).toContain(`ada%40example.com:***@127.0.0.1:${port}`);

    const open = page.getByRole("button", { name: "Enter server, user and password one by one" });
    await open.click();
    const dialog = page.getByRole("dialog");
    const shown = (label: string) => dialog.getByLabel(label, { exact: true }).inputValue();
    expect([
      await shown("Server"),
      await shown("Port"),
      await shown("User"),
      await shown("Password"),
    ]).toEqual(["127.0.0.1", port, "ada@example.com", ""]);
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe(before);
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(`The relay took the message for ${visit.person.email}.`).waitFor();

    await open.click();
    await dialog.getByLabel("Port", { exact: true }).fill("2525");
    expect(await dialog.getByText("it stays as it is").count()).toBe(0);
    await dialog.getByLabel("Password", { exact: true }).fill("other");
    await dialog.getByLabel("Server", { exact: true }).fill("no host");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect(await dialog.locator("input:invalid").inputValue()).toBe("no host");
    await dialog.getByLabel("Server", { exact: true }).fill("127.0.0.1");
    await dialog.getByLabel("Encryption").click();
    await page.getByRole("option", { name: "TLS from the start (usually port 465)" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("smtps://ada%40example.com:***@127.0.0.1:2525");
    await visit.end();
  });
});
