/** Two people at one browser: what one of them wrote and could not save is theirs alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { signsIn } from "../../support/browser/signs-in.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";
import { signedIn } from "../../support/server/signed-in.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("the next person at the same browser", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("neither sees nor saves what the one before left; that is there when they are back", async () => {
    const list = (await api.call("POST", "/lists", { name: "Letters" })).body.data.id;
    const nameOf = async (): Promise<string> => (await api.call("GET", `/lists/${list}`)).body.data.name;
    const grace = await signedIn(api, "owner");
    const visit = await visitAs(api);
    const { page, context, open, person: ada } = visit;
    const name = page.getByRole("textbox", { name: "Name" });
    const isAskedToSignIn = () => page.getByRole("heading", { name: "Sign in" }).waitFor();

    await open(`/lists/${list}`);
    await name.waitFor();
    await context.clearCookies();
    await name.fill("Ada's letters");
    await isAskedToSignIn();
    const changes: string[] = [];
    const onRequest = (request: Request) =>
      void (request.method() === "PATCH" && changes.push(request.url()));
    page.on("request", onRequest);
    await signsIn(page, grace);
    await name.waitFor();
    expect(await name.inputValue()).toBe("Letters");

    await context.clearCookies();
    await open(`/lists/${list}`);
    await isAskedToSignIn();
    expect([changes, await nameOf()]).toEqual([[], "Letters"]);
    page.off("request", onRequest);
    await signsIn(page, ada);
    await eventually(async () => (await nameOf()) === "Ada's letters");
    expect(await name.inputValue()).toBe("Ada's letters");
    await visit.end([401]);
  });

  test("who signed in in another tab does not save what this one's person was typing", async () => {
    const grace = await signedIn(api, "owner");
    const visit = await visitAs(api);
    const { page, context, open } = visit;
    await open("/settings");
    const field = page.getByLabel("Postal address");
    await field.fill("1 Ada Street");
    const changes: string[] = [];
    page.on("request", (request) => void (request.method() === "PATCH" && changes.push(request.url())));
    const [name = "", value = ""] = grace.cookie.split("=");
    await context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
    const isLoadedAgain = page.waitForEvent("load");
    // Somebody comes back to the tab after a while: then it asks who is signed in.
    await page.evaluate(
      `{ const now = Date.now; Date.now = () => now() + 600_000; window.dispatchEvent(new Event("visibilitychange")); }`,
    );
    await isLoadedAgain;
    await field.waitFor();
    expect([changes, await field.inputValue()]).toEqual([[], ""]);
    page.removeAllListeners("request");
    await visit.end();
  });

  test("who signs in or out in another tab takes this one with them at once, also from the sign-in page", async () => {
    const grace = await signedIn(api, "owner");
    const visit = await visitAs(api);
    const { page, context, open, person: ada } = visit;
    const account = (of: Page, { email }: { email: string }) => of.getByRole("button", { name: email });
    await open("/settings");
    await account(page, ada).waitFor();
    const other = await context.newPage();
    await context.clearCookies();
    await other.goto(`${api.url}/console/sign-in`);
    await signsIn(other, grace);
    await account(page, grace).waitFor();

    await account(other, grace).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signsIn(other, ada);
    await account(page, ada).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/settings");
    await visit.end([401]);
  });
});
