/** What is stored is looked at before a field is saved: by whatever way it is left, and however slow the network is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { heldUp } from "../../support/browser/held-up.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 120_000;

describe.skipIf(lacksBrowser())("a field that looks at what is stored first", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test(
    "is saved before a button that needs it does its work: a test mail goes by the relay that was just typed",
    async () => {
      const { page, open, end } = await visitAs(api);
      await open("/settings/relay");
      const field = page.getByLabel("Relay of this workspace");
      await field.waitFor();
      const asked: string[] = [];
      page.on("request", (request) => {
        const path = new URL(request.url()).pathname;
        if (request.method() !== "GET") asked.push(`${request.method()} ${path.slice("/api/v1".length)}`);
      });
      await page.route("**/api/v1/send", (route) => route.fulfill({ status: 202, json: { data: {} } }));
      const look = await heldUp(page, "**/api/v1/settings", "GET");
      await field.fill("smtp://127.0.0.1:2525");
      await page.getByRole("button", { name: "Send a test" }).click();
      await look.came;
      await look.goesOn();
      await page.getByText(/^The (?:relay took the )?message for /).waitFor();
      expect(asked).toEqual(["PATCH /settings", "POST /send"]);
      page.removeAllListeners("request");
      await page.unrouteAll();
      await end();
    },
    LIMIT_MS,
  );
});
