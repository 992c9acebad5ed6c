/** A campaign that is written on here while something happens to it elsewhere: nothing of either is lost. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { listOf, person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
let listId: string;
closesBrowser();

const LIMIT_MS = 180_000;
const subjectOf = (page: Page) => page.getByRole("textbox", { name: "Subject" });

async function draft(name: string): Promise<string> {
  const body = "<p>Hello</p>";
  const made = await api.call("POST", "/campaigns", { name, subject: name, body, listId });
  return made.body.data.id;
}

const campaignOf = async (id: string) => (await api.call("GET", `/campaigns/${id}`)).body.data;

/** Comes back to the window, whose tab was shown all the time: the page is told of it by `focus` alone. */
const focusesWindow = (page: Page): Promise<unknown> => page.evaluate("dispatchEvent(new Event('focus'))");

describe.skipIf(lacksBrowser())("a campaign that is written on", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    const { id } = await person(api, "grace@example.com", {});
    listId = await listOf(api, "Readers", [id]);
  });
  afterAll(() => api.stop());

  test(
    "shows what was saved elsewhere, and does not write over it unasked",
    async () => {
      const id = await draft("Two tabs");
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await subjectOf(page).waitFor();
      await api.call("PATCH", `/campaigns/${id}`, { subject: "From elsewhere" });
      await focusesWindow(page);
      await eventually(async () => (await subjectOf(page).inputValue()) === "From elsewhere");
      await api.call("PATCH", `/campaigns/${id}`, { subject: "Theirs" });
      await subjectOf(page).fill("Mine");
      await page.getByRole("alert").getByText("Changed elsewhere meanwhile: subject").waitFor();
      expect((await campaignOf(id)).subject).toBe("Theirs");
      await page.getByRole("button", { name: "Use the saved version" }).click();
      await eventually(async () => (await subjectOf(page).inputValue()) === "Theirs");
      await api.call("PATCH", `/campaigns/${id}`, { subject: "Theirs again" });
      await subjectOf(page).fill("Mine again");
      await page.getByRole("button", { name: "Keep my version", exact: true }).click();
      await eventually(async () => (await campaignOf(id)).subject === "Mine again");
      await page.getByText(/^Saved \d/).waitFor();
      expect(await page.getByText("Changed elsewhere meanwhile").count()).toBe(0);
      await end();
    },
    LIMIT_MS,
  );

  test(
    "was left unsaved and saved by somebody else meanwhile: whoever comes back is told, and chooses",
    async () => {
      const id = await draft("Left alone");
      const { page, open, end } = await visitAs(api);
      await page.route(`**/api/v1/campaigns/${id}`, (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: {} }) : route.continue(),
      );
      await open(`/campaigns/${id}`);
      await subjectOf(page).fill("Mine, from a train");
      await page.getByText(/^Not saved/).waitFor();
      await open("/nowhere");
      await page.unrouteAll();
      await api.call("PATCH", `/campaigns/${id}`, { subject: "A colleague's" });
      await open(`/campaigns/${id}`);
      await page.getByRole("alert").getByText("Changed elsewhere meanwhile: subject").waitFor();
      expect(await subjectOf(page).inputValue()).toBe("Mine, from a train");
      expect((await campaignOf(id)).subject).toBe("A colleague's");
      // It is still told after another look away.
      await page.reload();
      await page.getByRole("button", { name: "Use the saved version" }).click();
      await eventually(async () => (await subjectOf(page).inputValue()) === "A colleague's");
      await subjectOf(page).fill("Written together");
      await eventually(async () => (await campaignOf(id)).subject === "Written together");
      await page.getByText(/^Saved \d/).waitFor();
      expect(
        await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('campaign.'))"),
      ).toEqual([]);
      await end([503]);
    },
    LIMIT_MS,
  );

  test(
    "is saved at once when the tab is hidden, because a hidden one may be closed",
    async () => {
      const id = await draft("Hidden");
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await subjectOf(page).waitFor();
      // Nothing is saved because a while has passed.
      await page.evaluate(`{
        const real = setTimeout;
        globalThis.setTimeout = (run, ms, ...given) => real(run, ms === 700 ? 1e9 : ms, ...given);
      }`);
      await subjectOf(page).fill("Typed a moment ago");
      await page.evaluate(`{
        Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }`);
      await eventually(async () => (await campaignOf(id)).subject === "Typed a moment ago");
      await end();
    },
    LIMIT_MS,
  );

  test(
    "is kept as a new one when it was deleted",
    async () => {
      const id = await draft("Deleted");
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await subjectOf(page).waitFor();
      await api.call("DELETE", `/campaigns/${id}`);
      await subjectOf(page).fill("Still wanted");
      await page.getByRole("alert").getByText("This campaign was deleted").waitFor();
      await page.getByRole("button", { name: "Keep my version as a new campaign" }).click();
      await eventually(() => !page.url().includes(id));
      await page.getByRole("heading", { name: "Deleted" }).waitFor();
      const [, made = ""] = /campaigns\/([^/?]+)/.exec(page.url()) ?? [];
      expect(await campaignOf(made)).toMatchObject({ subject: "Still wanted", listId, status: "DRAFT" });
      await end([404]);
    },
    LIMIT_MS,
  );

  test(
    "is kept as no new one where something of it is refused: each try would leave one more",
    async () => {
      const id = await draft("Refused as new");
      const left = (await api.call("POST", "/lists", { name: "Left out" })).body.data.id;
      await api.call("PATCH", `/campaigns/${id}/options`, { excludeListIds: [left] });
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await subjectOf(page).waitFor();
      await api.call("DELETE", `/campaigns/${id}`);
      await api.call("DELETE", `/lists/${left}`);
      await subjectOf(page).fill("Still wanted");
      await page.getByRole("button", { name: "Keep my version as a new campaign" }).click();
      await page.getByText("This list is no longer there. Choose another.").waitFor();
      const named = await api.call("GET", "/campaigns?q=Refused as new");
      expect(named.body.data).toEqual([]);
      await end([404]);
    },
    LIMIT_MS,
  );

  test(
    "is neither tested nor scheduled as it was before, while what is on the screen is not saved",
    async () => {
      const id = await draft("Refused");
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("Refused", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: /^From/ }).click();
      await page.getByRole("textbox", { name: "Replies go to" }).fill("nobody");
      await page.getByText(/^Not saved: address for replies: The email address has no @/).waitFor();
      // Both try to save first. What is typed before the answer would be saved with it.
      for (const name of ["Schedule", "Send me a test"]) {
        const refused = page.waitForResponse((answer) => answer.status() === 422);
        await page.getByRole("button", { name, exact: true }).click();
        await refused;
      }
      await page.getByRole("textbox", { name: "Replies go to" }).fill("");
      await page.getByText(/^Saved \d/).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.getByText("The letter is empty.").waitFor();
      for (const name of ["Schedule", "Send me a test"])
        expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
      await end([422]);
    },
    LIMIT_MS,
  );
});
