/** What is stored is looked at before a field is saved: by whatever way it is left, and however slow the network is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { heldUp } from "../../support/browser/held-up.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 120_000;

const settingsOf = async (): Promise<any> => (await api.call("GET", "/settings")).body.data;
const cityOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/contacts/${id}?include=attributes`)).body.data.attributes.city;

describe.skipIf(lacksBrowser())("a field that looks at what is stored first", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test(
    "does so too where the page is left with it by a link, and asks who comes back",
    async () => {
      const made = await api.call("POST", "/contacts", {
        email: "left@example.com",
        attributes: { city: "Berlin" },
      });
      const { id } = made.body.data;
      const { page, open, end } = await visitAs(api);
      await open(`/contacts/${id}`);
      const city = page.getByRole("textbox", { name: "city" });
      await city.waitFor();
      await api.call("PATCH", `/contacts/${id}`, { attributes: { city: "Rome" } });
      await city.fill("Köln");
      await page.getByRole("link", { name: "Forms", exact: true }).click();
      await page.getByText("Not saved: It was changed elsewhere too.").waitFor();
      expect(await cityOf(id)).toBe("Rome");
      await page.goBack();
      await page.getByText("“Rome” has been saved here meanwhile").waitFor();
      expect(await city.inputValue()).toBe("Köln");
      await page.getByRole("button", { name: "Keep my version" }).click();
      await eventually(async () => (await cityOf(id)) === "Köln");

      await open("/settings");
      const address = page.getByLabel("Postal address");
      await address.waitFor();
      await api.call("PATCH", "/settings", { mailingAddress: "1 Other Street" });
      await address.fill("2 Own Street");
      await page.getByRole("link", { name: "Forms", exact: true }).click();
      await page.getByText("Not saved: It was changed elsewhere too.").first().waitFor();
      expect((await settingsOf()).mailingAddress).toBe("1 Other Street");
      await page.goBack();
      await page.getByRole("button", { name: "Use the saved version" }).click();
      await eventually(async () => (await address.inputValue()) === "1 Other Street");
      await end();
    },
    LIMIT_MS,
  );

  test(
    "is saved all the same where the answer does not come, and one that comes later brings nothing back",
    async () => {
      const { page, open, end } = await visitAs(api);
      await open("/settings");
      const address = page.getByLabel("Postal address");
      await address.waitFor();
      const old = JSON.stringify({ data: await settingsOf() });
      const late = Promise.withResolvers<void>();
      await page.route("**/api/v1/settings", async (route) => {
        if (route.request().method() !== "GET") return await route.continue();
        await late.promise;
        // The page may not wait for it any more.
        await route.fulfill({ body: old, contentType: "application/json" }).catch(() => undefined);
      });
      const looked = page.waitForRequest((request) => request.url().endsWith("/settings"));
      await address.fill("3 Silent Street");
      await page.keyboard.press("Tab");
      const look = await looked;
      await eventually(async () => (await settingsOf()).mailingAddress === "3 Silent Street");
      await page.getByText(/^Saved \d/).waitFor();
      late.resolve();
      await look.response().catch(() => null);
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      expect(await address.inputValue()).toBe("3 Silent Street");
      await page.unrouteAll();
      await end();
    },
    LIMIT_MS,
  );

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
