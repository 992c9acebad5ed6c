/** The question before a campaign goes out: it names the people, and it is asked anew if they change. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const LIMIT_MS = 180_000;

describe.skipIf(lacksBrowser())("the question before a campaign goes out", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test(
    "wants the number of people, and asks anew, with the new number, if somebody joined meanwhile",
    async () => {
      const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.com"]);
      const id = await makeCampaign(api, listId, { name: "November" });
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/campaigns/${id}`);
      await page.getByRole("button", { name: "Send to 2 people" }).click();
      const dialog = page.getByRole("dialog");
      const send = dialog.getByRole("button", { name: /^Send to / });
      await dialog.getByText(/^It goes to 2 people/).waitFor();
      expect(await send.isDisabled()).toBe(true);
      await dialog.getByRole("textbox").fill("3");
      expect(await send.isDisabled()).toBe(true);
      await dialog.getByRole("textbox").fill("2");
      expect(await send.isEnabled()).toBe(true);

      const late = await person(api, "late@example.com");
      await api.call("POST", `/lists/${listId}/contacts`, { contactId: late.id });
      await send.click();
      await dialog.getByText(/it is 3 people now. Nothing was sent/).waitFor();
      await dialog.getByText(/^It goes to 3 people/).waitFor();
      expect(await send.isDisabled()).toBe(true);
      expect((await api.call("GET", `/campaigns/${id}`)).body.data.status).toBe("DRAFT");

      await dialog.getByRole("textbox").fill("3");
      await dialog.getByRole("button", { name: "Send to 3 people" }).click();
      await page.waitForURL("**/report");
      await page.getByText("Sent", { exact: true }).waitFor();
      expect((await api.call("GET", `/campaigns/${id}/report`)).body.data).toMatchObject({
        planned: 3,
        sent: 3,
      });
      await end();
    },
    LIMIT_MS,
  );

  test(
    "says when it goes out by the workspace's clock, also at an hour that the clock of the browser skips",
    async () => {
      await api.services.workspaces.changeSettings(api.workspaceId, { timezone: "America/New_York" });
      const { listId } = await makeAudience(api, ["early@example.com"]);
      const id = await makeCampaign(api, listId, { name: "Early" });
      const { page, open, end } = await visitAs(api, "editor");
      const browser = await page.context().newCDPSession(page);
      await browser.send("Emulation.setTimezoneOverride", { timezoneId: "Europe/Berlin" });
      await open(`/campaigns/${id}`);
      // A day and an hour later it is half past two in New York. In Berlin the 28th has no such hour.
      await page.evaluate("Date.now = () => Date.UTC(2027, 2, 27, 5, 30)");
      await page.getByRole("button", { name: "Schedule", exact: true }).click();
      await page.getByRole("button", { name: "Schedule for 28 Mar 2027, 02:00" }).waitFor();
      await end();
      await api.services.workspaces.changeSettings(api.workspaceId, { timezone: "UTC" });
    },
    LIMIT_MS,
  );

  test(
    "sends and schedules nothing that somebody else has written since the letter was looked at",
    async () => {
      const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.com"]);
      const id = await makeCampaign(api, listId, { name: "Seen", subject: "Seen" });
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/campaigns/${id}`);
      const dialog = page.getByRole("dialog");
      const subject = page.getByRole("textbox", { name: "Subject" });
      const toAll = page.getByRole("button", { name: "Send to 2 people" });
      const asked = async (written: string, ask: () => Promise<void>): Promise<void> => {
        await api.call("PATCH", `/campaigns/${id}`, { subject: written });
        const looked = page.waitForRequest((request) => request.url().includes(`/campaigns/${id}/preview`));
        await ask();
        await page.getByRole("alert").getByText("Somebody else has changed this campaign").waitFor();
        await dialog.waitFor({ state: "detached" });
        expect(await subject.inputValue()).toBe(written);
        // How the letter looks is asked for anew, too.
        await looked;
        expect((await api.call("GET", `/campaigns/${id}`)).body.data.status).toBe("DRAFT");
        await page.getByRole("alert").getByRole("button").click();
        await page.getByRole("alert").waitFor({ state: "detached" });
      };
      await toAll.waitFor();
      const send = async (): Promise<void> => {
        await toAll.click();
        await dialog.getByRole("textbox").fill("2");
        await dialog.getByRole("button", { name: "Send to 2 people" }).click();
      };
      await asked("Half a sent", send);
      await page.getByRole("button", { name: "Schedule", exact: true }).click();
      // The click looks at the campaign too. Written before that look, the change would be told without a dialog.
      const schedule = dialog.getByRole("button", { name: /^Schedule for/ });
      await schedule.waitFor();
      await asked("A sentence", () => schedule.click());
      await send();
      await page.waitForURL("**/report");
      await end();
    },
    LIMIT_MS,
  );
});
