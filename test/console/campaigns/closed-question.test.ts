/** Whoever closes the question before a campaign goes out has said no, however slow the network is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { heldUp } from "../../support/browser/held-up.ts";
import { eventually } from "../../support/common/eventually.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const LIMIT_MS = 180_000;

describe.skipIf(lacksBrowser())("a question that is closed while its answer is on the way", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  const draft = async (name: string) => {
    const { listId } = await makeAudience(api, [`${name}1@example.com`, `${name}2@example.com`]);
    const id = await makeCampaign(api, listId, { name });
    const stateOf = async () => (await api.call("GET", `/campaigns/${id}`)).body.data.status;
    return { id, stateOf };
  };

  test(
    "sends nothing, and the next question is answered as any other",
    async () => {
      const { id, stateOf } = await draft("closed");
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/campaigns/${id}`);
      const dialog = page.getByRole("dialog");
      const ask = async () => {
        await page.getByRole("button", { name: "Send to 2 people" }).click();
        await dialog.getByRole("textbox").fill("2");
      };
      const yes = dialog.getByRole("button", { name: "Send to 2 people" });
      for (const close of [
        () => dialog.getByRole("button", { name: "Cancel" }).click(),
        () => page.keyboard.press("Escape"),
      ]) {
        await ask();
        const check = await heldUp(page, `**/campaigns/${id}/check`);
        await yes.click();
        await check.came;
        await close();
        await dialog.waitFor({ state: "detached" });
        await check.goesOn();
        // As long as the answer of before is awaited, there is no other.
        await ask();
        await eventually(() => yes.isEnabled());
        expect(await stateOf()).toBe("DRAFT");
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
      }
      await ask();
      await yes.click();
      await page.waitForURL("**/report");
      await end();
    },
    LIMIT_MS,
  );

  test(
    "nor if the page was left by the browser's own button",
    async () => {
      const { id, stateOf } = await draft("back");
      const { page, open, end } = await visitAs(api, "editor");
      await open("/campaigns");
      await page.getByRole("link", { name: "back", exact: true }).click();
      await page.getByRole("button", { name: "Send to 2 people" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill("2");
      const look = await heldUp(page, `**/api/v1/campaigns/${id}*`);
      await dialog.getByRole("button", { name: "Send to 2 people" }).click();
      await look.came;
      await page.goBack();
      await page.getByRole("heading", { name: "Campaigns" }).waitFor();
      await look.goesOn();
      await page.getByRole("link", { name: "back", exact: true }).click();
      await page.getByRole("button", { name: "Send to 2 people" }).waitFor();
      expect(await stateOf()).toBe("DRAFT");
      await end();
    },
    LIMIT_MS,
  );

  test(
    "schedules nothing",
    async () => {
      const { id, stateOf } = await draft("scheduled");
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/campaigns/${id}`);
      const dialog = page.getByRole("dialog");
      const ask = () => page.getByRole("button", { name: "Schedule", exact: true }).click();
      const yes = dialog.getByRole("button", { name: /^Schedule for/ });
      await ask();
      await yes.waitFor();
      const look = await heldUp(page, `**/api/v1/campaigns/${id}*`);
      await yes.click();
      await look.came;
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await look.goesOn();
      await ask();
      await yes.waitFor();
      expect(await stateOf()).toBe("DRAFT");
      await end();
    },
    LIMIT_MS,
  );
});
