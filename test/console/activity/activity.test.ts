/** What was done and what came back, as somebody looks it up: webhooks, imports, and who did what. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inNewWorkspace, type TestApi } from "../../support/server/api.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { goBy } from "../../support/browser/keyboard.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
} from "../../support/browser/console.ts";
import { imported, upload } from "../../support/people/imports.ts";
import { eventually } from "../../support/common/eventually.ts";
import { en } from "../../../src/console/ui/texts/en/index.ts";
import { listen, type Listening } from "../../support/webhooks/webhooks.ts";
import { RECORDED } from "#audit/recorded.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";

let api: TestApi;
let target: WebhookTarget;
const ROOT = join(import.meta.dir, "../../..");
closesBrowser();

/** Text that would run, or break out of its place, if anything let it. */
const HOSTILE = `<img src=x onerror=alert(1)>"'{{7*7}}<script>alert(2)</script>`;

const ROWS = `email,status\nada@example.com,SUBSCRIBED\ngrace@example.com,"${HOSTILE.replaceAll('"', '""')}"\n`;

const answering = (status: number, text: string) => () => new Response(text, { status });

/** A webhook whose receiver says that it is gone: the delivery fails at once, and the webhook is switched off. */
async function goneWebhook(at: TestApi): Promise<Listening> {
  target.answers = [answering(410, HOSTILE)];
  const hook = await listen(at, target, ["*"], `/hook/${encodeURIComponent(HOSTILE)}`);
  await at.call("POST", `/webhooks/${hook.id}/test`);
  await eventually(async () => (await hook.deliveries()).some(({ state }) => state === "FAILED"));
  return hook;
}

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Where the stores and the command line write into the audit log, and as what. */
const WRITTEN =
  /(?:addOf|addEntriesOf|changed|recordedInWorkspace|recordedIfChanged)\([^;]{0,80}?"([a-z]+(?:_[a-z]+)*)"/g;

async function writtenDeeds(): Promise<string[]> {
  const found: string[] = [];
  for (const room of ["src/storage/sqlite", "src/commands"])
    for await (const path of new Bun.Glob("**/*.ts").scan({ cwd: join(ROOT, room), absolute: true }))
      for (const [, what = ""] of (await Bun.file(path).text()).matchAll(WRITTEN)) found.push(what);
  return found;
}

test("every kind of deed that is recorded has words", async () => {
  const words = Object.keys(en.activity.audit.whats);
  const asked = Object.values(RECORDED).map(({ what }) => what);
  const ofBackups = ["backup_made", "backup_downloaded", "backup_deleted"];
  const written = await writtenDeeds();
  expect(written).toEqual(
    expect.arrayContaining(["joined", "sign_in", "codes_turned_on", "campaign_released"]),
  );
  expect([...asked, ...ofBackups, ...written].filter((what) => !words.includes(what))).toEqual([]);
});

describe.skipIf(lacksBrowser())("activity in the console", () => {
  beforeAll(async () => {
    target = webhookTarget();
    api = await startConsole();
  });
  afterAll(async () => {
    await api.stop();
    target.stop();
  });

  test("a webhook that was given up says why, is switched on, and its message is delivered again", async () => {
    const hook = await goneWebhook(api);
    const { page, open, end } = await visitAs(api, "editor");
    await open("/activity?tab=webhooks");
    await rowOf(page, "Switched off by Postrider").getByRole("link").click();
    await page.getByText("It answered 410 Gone.").first().waitFor();
    expect(await page.getByRole("button", { name: "Deliver again" }).count()).toBe(0);
    await page.getByRole("button", { name: "webhook.test" }).click();
    await page.getByRole("region", { name: "Attempts (1)" }).getByText(HOSTILE).waitFor();

    await page.getByRole("button", { name: "Switch on" }).click();
    target.answers = [answering(200, "thank you")];
    await page.getByRole("button", { name: "Deliver again: webhook.test" }).click();
    await page.getByRole("region", { name: "Attempts (2)" }).getByText("thank you").waitFor();
    await rowOf(page, "webhook.test").first().getByText("Delivered", { exact: true }).waitFor();
    expect(target.received.map(({ headers }) => headers.get("webhook-id"))).toEqual(
      Array.from({ length: 2 }, () => target.received[0]!.headers.get("webhook-id")),
    );
    expect((await hook.deliveries()).map(({ state }) => state)).toEqual(["DELIVERED"]);

    await page.getByText("Given up", { exact: true }).click();
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    expect(new URL(page.url()).searchParams.get("state")).toBe("FAILED");
    await page.reload();
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await end();
  });

  test("an import's rows that failed stand with their lines, and what was made is counted", async () => {
    await imported(api, ROWS);
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/activity?tab=imports");
    await page.getByRole("link", { name: "people.csv" }).first().click();
    await page.getByText("2 rows read").waitFor();
    const figures = await page.locator(".imports-figures").innerText();
    expect(figures.split(/\s*\n+\s*/)).toEqual([
      "New",
      "1",
      "Changed",
      "0",
      "Left out",
      "0",
      "With an error",
      "1",
    ]);
    await rowOf(page, HOSTILE.slice(0, 20)).getByRole("cell", { name: "3", exact: true }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await page.getByRole("link", { name: "Imports" }).click();
    await page.getByRole("link", { name: "people.csv" }).first().waitFor();
    await end();
  });

  test.each([
    ["in the list of all", () => "/activity?tab=imports"],
    ["on its own page", (id: string) => `/imports/${id}`],
  ])("an import that runs has a bar and can be cancelled %s; a viewer only looks", async (_, pathOf) => {
    const still = await startConsole();
    // Nothing reads the file any more, so the import runs for as long as it is looked at.
    await still.sending.stop(0);
    const { id } = (await upload(still, "/imports", "email,status\nada@example.com,SUBSCRIBED\n")).body.data;
    const viewer = await visitAs(still, "viewer");
    await viewer.open(pathOf(id));
    await viewer.page.getByRole("progressbar", { name: "people.csv" }).waitFor();
    expect(await viewer.page.getByRole("button", { name: /^Cancel/ }).count()).toBe(0);
    await viewer.end();
    const { page, open, end } = await visitAs(still, "editor");
    await open(pathOf(id));
    await page.getByRole("button", { name: "Cancel people.csv" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Let it run" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await still.call("GET", `/imports/${id}`)).body.data.state).toBe("RUNNING");
    await page.getByRole("button", { name: "Cancel people.csv" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the import" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    expect(await page.getByRole("progressbar").count()).toBe(0);
    expect((await still.call("GET", `/imports/${id}`)).body.data.state).toBe("CANCELLED");
    await end();
    await still.stop();
  });

  test("the audit log shows who did it, and its filter stands in the address", async () => {
    const { key, ...made } = (await api.call("POST", "/keys", { name: HOSTILE })).body.data;
    const list = (await api.call("POST", "/lists", { name: "Gone" })).body.data;
    await api.call("DELETE", `/lists/${list.id}`, undefined, key);
    const { page, open, end, person } = await visitAs(api, "editor");
    await person.call("POST", "/suppressions", { email: "bad@example.net" });
    await open("/activity?tab=audit");
    await rowOf(page, person.email)
      .filter({ hasText: "Suppressed an address" })
      .getByText("bad@example.net")
      .waitFor();
    await rowOf(page, `Key ${HOSTILE}`).filter({ hasText: "Deleted a list" }).getByText(list.id).waitFor();
    // Only owners read keys, so an editor sees the id of one.
    await rowOf(page, "Created a key").getByText(made.id).waitFor();
    await page.getByRole("combobox", { name: "What" }).fill("Deleted a l");
    await page.getByRole("option", { name: "Deleted a list" }).click();
    await rowOf(page, "Suppressed an address").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("what")).toBe("list_deleted");
    await page.reload();
    await rowOf(page, `Key ${HOSTILE}`).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await page.locator("img").count()).toBe(0);
    await end();
  });

  test("the audit log names what is there and leads to it, and asks once for the names of keys", async () => {
    const { page, open, end, person, requests } = await visitAs(api);
    const made = async (path: string, body: object) => (await person.call("POST", path, body)).body.data.id;
    const keys = [await made("/keys", { name: "Shop" }), await made("/keys", { name: HOSTILE })];
    const reader = await made("/contacts", { email: "reader@example.net" });
    const list = await made("/lists", { name: "Few" });
    await person.call("POST", `/lists/${list}/contacts`, { contactIds: [reader] });
    await person.call("DELETE", `/lists/${list}/contacts/${reader}`);
    await person.call("PATCH", "/settings", { fromName: "Ada" });
    await open("/activity?tab=audit");
    await rowOf(page, "Changed settings").getByText("Sender's name").waitFor();
    await rowOf(page, "Created a key").getByRole("link", { name: "Shop" }).waitFor();
    await rowOf(page, "Created a key").getByRole("link", { name: HOSTILE }).first().waitFor();
    expect(await page.getByText(keys[0]).count()).toBe(0);
    expect(requests.filter((url) => url.includes("/api/v1/keys"))).toHaveLength(1);
    const link = rowOf(page, "Removed somebody from a list").getByRole("link", {
      name: "reader@example.net",
    });
    await link.click();
    await page.getByRole("heading", { name: "reader@example.net" }).waitFor();
    await end();
  });

  test("what is gone is said so, and leads back", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/activity?tab=webhooks&hook=wh_none");
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "All webhooks" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("hook")).toBeNull();
    await end([404]);
  });

  test("g y leads there, the arrows through its tabs, and back to the one before", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await goBy(page, "y", "Activity");
    await page.getByRole("tab", { name: "Webhooks" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Bounces", selected: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Imports", selected: true }).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: "Bounces", selected: true }).waitFor();
    await end();
  });

  test.each([
    ["?tab=webhooks", "No webhooks yet"],
    ["?tab=imports", "No imports yet"],
  ])(
    "everybody can use /activity%s with nothing in it, light and dark, wide and narrow",
    async (path, none) => {
      const { page, open, end } = await visitAs(await inNewWorkspace(api), "editor");
      await open(`/activity${path}`);
      await page.getByText(none).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        expect([colorScheme, await axeProblems(page)]).toEqual([colorScheme, []]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await isWiderThanScreen(page)).toBe(false);
      await end();
    },
  );

  test("in German", async () => {
    const own = await inNewWorkspace(api);
    await goneWebhook(own);
    await imported(own, ROWS);
    const { page, open, end } = await visitAs(own, "viewer", { locale: "de-DE" });
    await open("/activity?tab=webhooks");
    await page.getByText("Von Postrider ausgeschaltet").waitFor();
    await page.getByRole("tab", { name: "Transaktionsmails" }).click();
    await page.getByText("Noch keine Transaktionsmails").waitFor();
    await page.getByRole("tab", { name: "Rückläufer" }).click();
    await page.getByText("Nichts anzusehen").waitFor();
    await page.getByRole("tab", { name: "Importe" }).click();
    await page.getByRole("cell", { name: "Fertig" }).waitFor();
    await page.getByRole("tab", { name: "Protokoll" }).click();
    await page.getByRole("cell", { name: "Webhook angelegt" }).waitFor();
    await end();
  });
});
