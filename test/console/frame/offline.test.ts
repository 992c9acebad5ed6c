/** A browser without a network: what is asked for then fails at once, and is not done when the network is back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs, visitConsole } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const LIMIT_MS = 180_000;
const UNREACHABLE = "Postrider cannot be reached";

describe.skipIf(lacksBrowser())("without a network", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test(
    "a send fails at once, and does not go out when the network is back",
    async () => {
      const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.com"]);
      const id = await makeCampaign(api, listId, { name: "November" });
      const { page, context, requests, open } = await visitAs(api, "editor");
      const dialog = page.getByRole("dialog");
      const confirm = async () => {
        await page.getByRole("button", { name: "Send to 2 people" }).click();
        await dialog.getByRole("textbox").fill("2");
        await dialog.getByRole("button", { name: "Send to 2 people" }).click();
      };
      await open(`/campaigns/${id}`);
      await page.getByRole("button", { name: "Send to 2 people" }).waitFor();
      await context.setOffline(true);
      await confirm();
      await dialog.getByRole("alert").getByText(UNREACHABLE).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await context.setOffline(false);

      // What waited for the network would be done before anything that is asked for now.
      await confirm();
      await page.waitForURL("**/report");
      await page.getByText("Sent", { exact: true }).waitFor();
      expect(requests.filter((url) => url.endsWith(`/campaigns/${id}/send`))).toHaveLength(1);
      // The browser complains about what it could not reach.
      await context.close();
    },
    LIMIT_MS,
  );

  test(
    "a screen says that it cannot be loaded, and is loaded by itself when the network is back",
    async () => {
      for (const name of ["Birds", "Trees"]) await api.call("POST", "/lists", { name });
      const { page, context, open } = await visitAs(api, "viewer");
      const heading = (name: string) => page.getByRole("heading", { name, level: 1 });
      await open("/lists");
      await page.getByRole("link", { name: "Birds" }).click();
      await heading("Birds").waitFor();
      await page.getByRole("link", { name: "Lists" }).first().click();
      await heading("Lists").waitFor();
      await context.setOffline(true);
      await page.getByRole("link", { name: "Trees" }).click();
      await page.getByRole("alert").getByText(UNREACHABLE).first().waitFor();
      await context.setOffline(false);
      await heading("Trees").waitFor();
      await eventually(async () => (await page.getByText(UNREACHABLE).count()) === 0);
      await context.close();
    },
    LIMIT_MS,
  );

  test(
    "a screen whose scripts were never loaded says that Postrider cannot be reached, and comes by itself later",
    async () => {
      const { page, context, open } = await visitAs(api, "viewer");
      await open("/lists");
      await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
      await context.setOffline(true);
      await page.getByRole("link", { name: "Forms" }).click();
      await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
      expect(await page.getByText("There is a new version").count()).toBe(0);
      await context.setOffline(false);
      await page.getByRole("heading", { name: "Forms", level: 1 }).waitFor();

      // Its scripts are gone from a server that answers.
      await open("/lists");
      await page.route("**/console/assets/**", (route) => route.fulfill({ status: 404 }));
      await page.getByRole("link", { name: "Templates" }).click();
      await page.getByRole("heading", { name: "There is a new version" }).waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Load again" }).click();
      await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor();
      await context.close();
    },
    LIMIT_MS,
  );

  test(
    "what says that Postrider cannot be reached stays there while it is asked again, and so does the focus on its button",
    async () => {
      const { page, context, open } = await visitAs(api, "viewer");
      await open("/lists");
      await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
      await page.route("**/console/assets/**", (route) => route.abort());
      let asked = 0;
      await page.route("**/api/v1/session", (route) => route.abort().then(() => asked++));
      await page.getByRole("link", { name: "Forms" }).click();
      const alert = page.getByRole("alert").filter({ hasText: UNREACHABLE });
      await alert.waitFor();
      const notice = await alert.elementHandle();
      const button = alert.getByRole("button", { name: "Try again" });
      await button.press("Enter");
      await eventually(async () => asked > 1);
      const byHand = asked;
      await eventually(async () => asked > byHand);
      await alert.waitFor();
      expect(await notice?.evaluate((element) => element.isConnected)).toBe(true);
      expect(await alert.locator("button:focus").count()).toBe(1);
      await page.unrouteAll();
      await page.getByRole("heading", { name: "Forms", level: 1 }).waitFor();
      await context.close();
    },
    LIMIT_MS,
  );

  test(
    "the sign-in, if its scripts do not arrive, says why in the main part of the page",
    async () => {
      const { page, context, open } = await visitConsole(api);
      // The first answer leads to the sign-in, whose scripts do not arrive.
      const openWithout = async (isThere: boolean) => {
        let asked = 0;
        await page.route("**/api/v1/session", async (route) => {
          if (asked++ > 0 && !isThere) return await route.abort();
          await page.route("**/console/assets/**", (asset) => asset.abort());
          await route.continue();
        });
        await open("/lists");
      };
      const alert = page.getByRole("main").getByRole("alert");
      await openWithout(true);
      await page.getByRole("heading", { name: "There is a new version" }).waitFor();
      expect(await alert.count()).toBe(1);
      await page.unrouteAll();
      await openWithout(false);
      await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
      expect(await alert.count()).toBe(1);
      await page.unrouteAll();
      await context.close();
    },
    LIMIT_MS,
  );

  test(
    "a dialog, a field and what saves itself say why in the language of the person, and not in the browser's words",
    async () => {
      const id = await makeCampaign(api, null, { name: "December" });
      const { page, context, open } = await visitAs(api, "owner", { locale: "de-DE" });
      const why = "Postrider ist nicht erreichbar. Prüfen Sie das Netz, und ob der Server läuft.";
      await open("/lists");
      await page.getByRole("button", { name: "Liste anlegen" }).click();
      const dialog = page.getByRole("dialog");
      const create = () => dialog.getByRole("button", { name: "Liste anlegen" }).click();
      await dialog.getByLabel("Name").fill("Bäume");
      await context.setOffline(true);
      await create();
      await dialog.getByRole("alert").getByText(why, { exact: true }).waitFor();
      await context.setOffline(false);

      // A proxy that answers for a server that is away, also as Traefik does, and one that refuses by itself.
      for (const [status, says] of [
        [502, why],
        [404, why],
        [413, /^Ein Proxy vor Postrider lehnt so große Anfragen ab \(HTTP 413\)/],
        [403, /^Ein Proxy oder eine Firewall vor Postrider hat das abgelehnt \(HTTP 403\)/],
      ] as const) {
        const answer = { status, contentType: "text/html", body: `<h1>${status}</h1>` };
        let answers = 0;
        await page.route("**/api/v1/lists", (route) =>
          route.request().method() === "POST"
            ? route.fulfill(answer).then(() => answers++)
            : route.continue(),
        );
        await create();
        await eventually(async () => answers === 1);
        await dialog.getByRole("alert").getByText(says, { exact: true }).waitFor();
        await page.unrouteAll();
      }
      expect(await dialog.getByText("Ihre Rolle erlaubt das nicht").count()).toBe(0);
      // What was refused is kept nowhere else still.
      const left = page.waitForEvent("dialog");
      await page.evaluate("void setTimeout(() => location.reload())");
      await (await left).dismiss();

      await open("/settings");
      const address = page.getByLabel("Postanschrift");
      await address.waitFor();
      await context.setOffline(true);
      await address.fill("Beispielweg 1");
      await page.keyboard.press("Tab");
      await page.getByText(why, { exact: true }).waitFor();
      await context.setOffline(false);

      await open(`/campaigns/${id}`);
      const subject = page.getByRole("textbox", { name: "Betreff" });
      await subject.waitFor();
      await context.setOffline(true);
      await subject.fill("Dezember");
      await page.getByText(`Nicht gespeichert: ${why}`).waitFor();
      await context.close();
    },
    LIMIT_MS,
  );
});
