import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Locator } from "playwright-core";
import { openHttp } from "#app/http.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { lacksBrowser, openBrowser, overflows, picture, visitor } from "../support/browser/browser.ts";
import { BASE_URL } from "../support/server/api.ts";
import { startReaders, tokenOf, type ReadersApi } from "../support/people/readers.ts";

const SCREENS = [
  [1280, "light"],
  [390, "light"],
  [390, "dark"],
] as const;

const LONG_NAME = "The Analytical Engine Enthusiasts’ Society & Friends of Mechanical Computation (London)";

let api: ReadersApi;
let browser: Browser;
let mailbox: { url: string; stop(): Promise<void> };

/** The mailbox of the same service, on a port of its own. */
function serveMailbox(): typeof mailbox {
  const mail = { kind: "captured" as const, captured: api.captured, baseUrl: "http://localhost" };
  const app = openHttp(
    api.services,
    api.sending,
    { clock: systemClock, random: systemRandom, log: SILENT_LOG },
    () => false,
    mail,
  );
  app.listen({ port: 0, hostname: "127.0.0.1" });
  return { url: `http://localhost:${app.server!.port}`, stop: () => app.server!.stop(true) };
}

describe.skipIf(lacksBrowser())("in a browser without scripts", () => {
  beforeAll(async () => {
    api = await startReaders();
    mailbox = serveMailbox();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await mailbox.stop();
    await api.stop();
  });

  test.each(SCREENS)("a reader %d pixels wide (%s) unsubscribes with one press", async (width, scheme) => {
    const { letters, contactIds } = await api.mailTo([`ada-${width}-${scheme}@example.com`]);
    const statusOf = async () => (await api.call("GET", `/contacts/${contactIds[0]}`)).body.data.status;
    if (width === 390) await api.services.workspaces.changeSettings(api.workspaceId, { name: LONG_NAME });
    const visit = await visitor(browser, width, scheme);
    const { page } = visit;

    await page.goto(api.url + letters[0]!.unsubscribe);
    await picture(page, `unsubscribe-${width}-${scheme}`);
    expect(await overflows(page)).toBe(false);
    expect(await statusOf()).toBe("SUBSCRIBED");
    await page.getByRole("button", { name: "Unsubscribe" }).click();
    await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    await picture(page, `unsubscribed-${width}-${scheme}`);
    expect(await statusOf()).toBe("UNSUBSCRIBED");
    expect(page.url()).toBe(api.url + letters[0]!.unsubscribe);
    await page.goto(api.url + letters[0]!.unsubscribe);
    await picture(page, `unsubscribe-again-${width}-${scheme}`);

    expect(visit.complaints).toEqual([]);
    expect([...visit.requests].filter((url) => !url.startsWith(api.url))).toEqual([]);
    await visit.close();
    await api.services.workspaces.changeSettings(api.workspaceId, { name: "Default" });
  });

  test("a link to a file brings the file, from a letter's web version and from the mailbox", async () => {
    const files = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", {
          headers: {
            "Content-Type": "text/calendar",
            "Content-Disposition": 'attachment; filename="event.ics"',
          },
        }),
    });
    const address = `http://127.0.0.1:${files.port}/event.ics`;
    const { letters } = await api.mailTo(["ics@example.com"], {
      subject: "A date",
      body: `<p><a href="${address}">Add to calendar</a></p>`,
    });
    const visit = await visitor(browser, 390);
    const { page } = visit;
    const context = page.context();
    // A link begins with BASE_URL, which no browser reaches: it leads on as `/c/` does.
    await context.route(`${BASE_URL}/c/**`, (route) =>
      route.fulfill({ status: 302, headers: { Location: address } }),
    );
    const downloaded = async (link: Locator): Promise<string> => {
      const begun = Promise.any([
        page.waitForEvent("download"),
        context.waitForEvent("page").then((opened) => opened.waitForEvent("download")),
      ]);
      await link.click();
      return (await begun).suggestedFilename();
    };
    await page.goto(`${api.url}/w/${tokenOf(letters[0]!.unsubscribe)}`);
    expect(await downloaded(page.getByRole("link", { name: "Add to calendar" }))).toBe("event.ics");
    await page.goto(`${mailbox.url}/mailbox/latest`);
    const framed = page.frameLocator("iframe").getByRole("link", { name: "Add to calendar" });
    expect(await downloaded(framed)).toBe("event.ics");
    await visit.close();
    await files.stop(true);
  });

  test("a broken link says what to do", async () => {
    const visit = await visitor(browser, 390);
    const answer = await visit.page.goto(`${api.url}/u/cut-off`);
    await picture(visit.page, "broken-link-390");
    expect(answer!.status()).toBe(404);
    expect(await visit.page.getByRole("heading").textContent()).toBe("This link does not work");
    await visit.close();
  });

  test.each(SCREENS)(
    "the mailbox is read %d pixels wide (%s), and nothing is loaded but what is asked for",
    async (width, scheme) => {
      const visit = await visitor(browser, width, scheme);
      const { page } = visit;
      await page.goto(`${mailbox.url}/mailbox`);
      await picture(page, `mailbox-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      await page.getByRole("link", { name: "Spring is here" }).first().click();
      await page.frameLocator("iframe").getByRole("heading", { name: "Hello" }).waitFor();
      await picture(page, `message-html-${width}-${scheme}`);
      expect(await overflows(page)).toBe(false);
      for (const view of ["Text", "Headers"]) {
        await page.getByRole("link", { name: view, exact: true }).click();
        await page.locator("pre").waitFor();
        await picture(page, `message-${view.toLowerCase()}-${width}-${scheme}`);
        expect(await overflows(page)).toBe(false);
      }
      expect([...visit.requests].filter((url) => !url.startsWith(mailbox.url))).toEqual([]);
      expect(visit.complaints.filter((text) => !text.includes("/o/"))).toEqual([]);
      await visit.close();
    },
  );

  test("a mail's pixel loads when images are wanted, and its unsubscribe link opens a page whose button works", async () => {
    const { letters, contactIds, campaignId } = await api.mailTo(["linus@example.com"]);
    const { pixel, unsubscribe } = letters[0]!;
    const attack = `<script>document.title = "run"</script><meta http-equiv="refresh" content="0;url=${api.url}/health"><link rel="stylesheet" href="${api.url}/health"><form action="${api.url}/health"><button>Send</button></form>`;
    const content = `<!doctype html><h1>Hi</h1>${attack}<a href="${api.url}${unsubscribe}">Leave</a><img src="${api.url}${pixel}" alt="">`;
    const raw = Buffer.from(`Subject: For Linus\r\nContent-Type: text/html\r\n\r\n${content}`);
    await api.captured.keep({ from: "news@example.org", to: ["linus@example.com"], workspaceId: null, raw });
    const visit = await visitor(browser, 1280);
    const { page } = visit;

    await page.goto(`${mailbox.url}/mailbox/latest`);
    await page.frameLocator("iframe").getByText("Leave").waitFor();
    await page.frameLocator("iframe").getByRole("button", { name: "Send" }).click();
    expect(await api.countsOf(campaignId)).toEqual({ opened: 0, clicked: 0 });
    await page.getByRole("link", { name: "Show them" }).click();
    await page.getByRole("link", { name: "Block them" }).waitFor();
    await page.frameLocator("iframe").getByText("Leave").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 0 });

    const opened = page.context().waitForEvent("page");
    await page.frameLocator("iframe").getByText("Leave").click();
    const popup = await opened;
    await popup.getByRole("button", { name: "Unsubscribe" }).click();
    await popup.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    expect((await api.call("GET", `/contacts/${contactIds[0]}`)).body.data.status).toBe("UNSUBSCRIBED");
    expect([...visit.requests].filter((url) => url.endsWith("/health"))).toEqual([]);
    await visit.close();
  });
});
