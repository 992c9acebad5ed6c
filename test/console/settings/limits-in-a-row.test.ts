/** Limits of providers that are changed again before the server has answered. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { startFront } from "../../support/browser/front.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const GMX = { "gmx.de": { perHour: 100 } };
const FAILED = { error: { code: "INTERNAL_ERROR", message: "It could not be written." } };
const limits = async (): Promise<unknown> => (await api.call("GET", "/settings")).body.data.domainLimits;

/**
 * The service behind a front that can leave the question for the settings without an answer. In the browser, a question
 * that is held up would hold up what a closed page still sends.
 */
function frontOf({ url }: TestApi) {
  let asked: PromiseWithResolvers<void> | null = null;
  const front = startFront(
    () => url,
    (method, path) => {
      if (asked === null || method !== "GET" || path !== "/api/v1/settings") return null;
      asked.resolve();
      return new Promise(() => {});
    },
  );
  return {
    ...front,
    /** From now on. @returns ends when it was asked */
    holdsSettings(): Promise<void> {
      asked = Promise.withResolvers<void>();
      return asked.promise;
    },
  };
}

describe.skipIf(lacksBrowser())("a limit of a provider", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  /** Opens the limits. The first change reaches the server when `letGo` is called, and the others behind it. */
  async function open() {
    await api.call("PATCH", "/settings", { domainLimits: GMX });
    const visit = await visitAs(api);
    const { page } = visit;
    const asked = Promise.withResolvers<void>();
    const mayGo = Promise.withResolvers<"go" | "fail">();
    let changes = 0;
    await page.route("**/api/v1/settings", async (route) => {
      if (route.request().method() !== "PATCH") return await route.continue();
      const isFirst = changes++ === 0;
      asked.resolve();
      const isRefused = (await mayGo.promise) === "fail" && isFirst;
      await (isRefused ? route.fulfill({ status: 500, json: FAILED }) : route.continue());
    });
    await visit.open("/settings/limits");
    const leave = () => page.getByLabel("Pause automatically").focus();
    return { ...visit, asked: asked.promise, letGo: mayGo.resolve, leave, changes: () => changes };
  }

  test("is there again if its removal is undone while it is being saved", async () => {
    const { page, asked, letGo, changes, end } = await open();
    await page.getByRole("button", { name: "Remove the limit of gmx.de" }).click();
    await asked;
    await page.getByRole("button", { name: "Undo" }).click();
    letGo("go");
    await eventually(async () => changes() === 2 && Bun.deepEquals(await limits(), GMX));
    await page.getByRole("group", { name: "gmx.de" }).waitFor();
    await end();
  });

  test("has its first number again if that is typed again while another is being saved", async () => {
    const { page, asked, letGo, leave, changes, end } = await open();
    const number = page.getByLabel("Messages an hour");
    await number.fill("200");
    await leave();
    await asked;
    await number.fill("100");
    await leave();
    letGo("go");
    await eventually(async () => changes() === 2 && Bun.deepEquals(await limits(), GMX));
    await end();
  });

  test("that could not be saved is saved when it is left once more", async () => {
    const { page, asked, letGo, leave, end } = await open();
    const number = page.getByLabel("Messages an hour");
    await number.fill("200");
    await leave();
    await asked;
    letGo("fail");
    await page.getByRole("group", { name: "Limits by provider" }).getByRole("alert").waitFor();
    await number.focus();
    await leave();
    await eventually(async () => Bun.deepEquals(await limits(), { "gmx.de": { perHour: 200 } }));
    expect(await number.inputValue()).toBe("200");
    await end([500]);
  });

  test.each([
    ["it is typed", false],
    ["what is stored is looked at", true],
  ])("is saved when its page is closed while %s", async (_, isLeft) => {
    await api.call("PATCH", "/settings", { domainLimits: GMX });
    const slow = frontOf(api);
    const visit = await visitAs({ ...api, url: slow.url });
    const { page } = visit;
    await visit.open("/settings/limits");
    const number = page.getByLabel("Messages an hour");
    await number.waitFor();
    const looked = slow.holdsSettings();
    await number.fill("300");
    if (isLeft) {
      await page.getByLabel("Pause automatically").focus();
      await looked;
    }
    await page.goto("about:blank");
    await eventually(async () => Bun.deepEquals(await limits(), { "gmx.de": { perHour: 300 } }));
    await visit.end();
    await slow.stop();
  });

  test("is saved when somebody goes back by keyboard while it is typed", async () => {
    await api.call("PATCH", "/settings", { domainLimits: GMX });
    const visit = await visitAs(api);
    const { page, end } = visit;
    await visit.open("/forms");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Hours and limits" }).click();
    await page.getByLabel("Messages an hour").fill("400");
    await page.goBack();
    await eventually(async () => Bun.deepEquals(await limits(), { "gmx.de": { perHour: 400 } }));
    await end();
  });
});
