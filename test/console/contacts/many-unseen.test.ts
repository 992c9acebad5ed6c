/** A change of many contacts whose screen is left: it is found again, stopped, and never ends half-way unasked. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Dialog, Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { contactsTagged } from "../../support/browser/contacts-path.ts";
import { crowd } from "../../support/people/people.ts";
import type { TestApi } from "../../support/server/api.ts";
import { joins } from "../../support/server/signed-in.ts";

const ALL = 2_300;
const SHOWN = "2,300";

let api: TestApi;
let made = 0;
closesBrowser();

/** More people than two calls reach, all with one tag of their own. */
async function newCrowd(): Promise<{ tag: string; left: () => Promise<number> }> {
  const tag = `crowd-${++made}`;
  await crowd(api, tag, ALL);
  const left = async () => (await api.call("GET", `/contacts?tag=${tag}&limit=1`)).body.pagination.total;
  return { tag, left };
}

/** Lets the first call of a change through, and holds those after it. @returns the workspaces of all calls, and what lets them go */
async function held(page: Page) {
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  const asked: (string | undefined)[] = [];
  await page.route("**/api/v1/contacts/actions*", async (route) => {
    asked.push(route.request().headers()["x-workspace"]);
    if (asked.length > 1) await mayGo;
    // The page may be gone by then.
    await route.continue().catch(() => {});
  });
  return { asked, go };
}

/** Deletes them all; the first thousand are gone when it returns. */
async function startDeletion(page: Page): Promise<void> {
  await page.getByText(`${SHOWN} people`).waitFor();
  const all = page.getByRole("columnheader").getByRole("checkbox", { name: `Choose all ${SHOWN}` });
  await all.click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByLabel(`Type ${ALL} to confirm`).fill(String(ALL));
  await page.getByRole("button", { name: `Delete ${SHOWN} people` }).click();
  await page.getByText(`1,000 of ${SHOWN} done`).first().waitFor();
}

/** What the page asks next, answered with no or yes. */
async function answered(page: Page, answer: "dismiss" | "accept", deed: () => Promise<unknown>) {
  const asked = new Promise<Dialog>((resolve) => void page.once("dialog", resolve));
  const done = deed();
  const dialog = await asked;
  await dialog[answer]();
  await done;
  return { type: dialog.type(), says: dialog.message() };
}

const to = (page: Page, place: string) =>
  page.getByRole("navigation").getByRole("link", { name: place, exact: true }).click();

/** Goes to another screen, and waits until it is there. */
async function leave(page: Page): Promise<void> {
  await to(page, "Lists");
  await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
}

describe.skipIf(lacksBrowser())("a change of many contacts", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("goes on when its screen is left, is found again with its Stop, and nothing is begun beside it", async () => {
    const { tag, left } = await newCrowd();
    const { page, open, end } = await visitAs(api, "editor");
    const { go } = await held(page);
    await open(contactsTagged(tag));
    await startDeletion(page);

    await leave(page);
    await to(page, "Contacts");
    await page.getByText(`1,000 of ${SHOWN} done`).first().waitFor();
    const somebody = page.getByRole("checkbox", { name: /@/ }).first();
    await somebody.check();
    expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
    await somebody.uncheck();

    await page.getByRole("button", { name: "Stop", exact: true }).click();
    go();
    await page.getByText("2,000 deleted").waitFor();
    await page.getByText("Stopped.").waitFor();
    expect(await left()).toBe(300);

    await leave(page);
    await to(page, "Contacts");
    await page.getByRole("table").first().waitFor();
    expect(await page.getByText("2,000 deleted").count()).toBe(0);
    await end();
  });

  test("shows its result to who was elsewhere when it ended", async () => {
    const { tag, left } = await newCrowd();
    const { page, open, end } = await visitAs(api, "editor");
    const { go } = await held(page);
    await open(contactsTagged(tag));
    await startDeletion(page);
    await leave(page);
    // The last call of the three is answered.
    const ended = page.waitForResponse(
      async (response) =>
        response.url().includes("/contacts/actions") && (await response.json()).data.nextCursor === null,
    );
    go();
    await ended;
    await to(page, "Contacts");
    await page.getByText(`${SHOWN} deleted`).waitFor();
    expect(await left()).toBe(0);
    await end();
  });

  test("lets nobody leave the page unasked while it runs, and asks no more when it is over", async () => {
    const { tag, left } = await newCrowd();
    const { page, open, end } = await visitAs(api, "editor");
    const { go } = await held(page);
    await open(contactsTagged(tag));
    await startDeletion(page);
    const reload = () => page.evaluate("void setTimeout(() => location.reload())");
    expect((await answered(page, "dismiss", reload)).type).toBe("beforeunload");
    await page.getByText(`1,000 of ${SHOWN} done`).first().waitFor();
    go();
    await page.getByText(`${SHOWN} deleted`).waitFor();
    expect(await left()).toBe(0);
    await page.reload();
    await page.getByText("Nobody matches").waitFor();
    await end();
  });

  test("is not ended by signing out unasked, and does nothing more once somebody wants that", async () => {
    const { tag, left } = await newCrowd();
    const { page, person, open, end } = await visitAs(api, "editor");
    const { asked } = await held(page);
    await open(contactsTagged(tag));
    await startDeletion(page);
    const signOut = async () => {
      await page.getByRole("button", { name: person.email }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    const { type, says } = await answered(page, "dismiss", signOut);
    expect([type, says]).toEqual(["confirm", expect.stringContaining("still running")]);
    await page.getByText(`1,000 of ${SHOWN} done`).first().waitFor();
    expect((await person.call("GET", "/session")).status).toBe(200);

    await answered(page, "accept", signOut);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect((await person.call("GET", "/session")).status).toBe(401);
    expect([asked.length, await left()]).toEqual([2, ALL - 1_000]);
    // The sign-in page asks whether somebody is signed in.
    await end([401]);
  });

  test("stays in the workspace that it was begun in, also if its person is removed from that one", async () => {
    const { tag, left } = await newCrowd();
    const { page, person, open, end } = await visitAs(api, "editor");
    const other = await api.services.workspaces.create("The other one");
    await joins(api, other.id, person, "editor");
    const theirs = (method: string, path: string, body?: unknown) =>
      person.call(method, path, body, { "x-workspace": other.id });
    await theirs("POST", "/contacts", { email: "theirs@example.com", tags: [tag] });
    const { asked, go } = await held(page);
    await open(contactsTagged(tag));
    await startDeletion(page);
    const change = async () => {
      await page.getByRole("button", { name: /^Workspace: / }).click();
      await page.getByRole("menuitem", { name: /The other one/ }).click();
    };
    expect((await answered(page, "dismiss", change)).type).toBe("beforeunload");
    await page.getByText(`1,000 of ${SHOWN} done`).first().waitFor();

    await api.services.users.removeByEmail(api.workspaceId, person.email);
    const comesBack = () =>
      page.evaluate(`{
        const now = Date.now.bind(Date);
        Date.now = () => now() + 120_000;
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      }`);
    await answered(page, "dismiss", comesBack);
    const refused = page.waitForResponse((response) => response.url().includes("/contacts/actions"));
    go();
    expect((await refused).status()).toBe(404);
    expect(asked).toEqual([api.workspaceId, api.workspaceId]);
    expect((await theirs("GET", `/contacts?tag=${tag}`)).body.pagination.total).toBe(1);
    expect(await left()).toBe(ALL - 1_000);
    await end([404]);
    await joins(api, api.workspaceId, person, "editor");
  });
});
