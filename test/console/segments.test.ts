/** Segments and conditions, as somebody writes them in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../support/browser/console.ts";
import type { TestApi } from "../support/server/api.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser())("a segment that is written", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("is kept on the device for its workspace only, while it is new and not saved", async () => {
    await api.call("PATCH", "/settings", { name: "The first one" });
    const { page, person, open, end } = await visitAs(api, "editor");
    const other = await api.services.workspaces.create("The other one");
    await api.services.users.add(other.id, person.email, "editor");
    const name = page.getByRole("textbox", { name: "Name" });
    const goTo = async (workspace: string) => {
      await page.getByRole("button", { name: /^Workspace: / }).click();
      await page.getByRole("menuitem", { name: workspace }).click();
      await page.getByRole("button", { name: new RegExp(`^Workspace: ${workspace}`) }).waitFor();
      await open("/segments/new");
      await name.waitFor();
    };
    await open("/segments/new");
    await name.fill("Those who owe us");
    await goTo("The other one");
    expect(await name.inputValue()).toBe("");
    await name.fill("Those who read us");
    await goTo("The first one");
    expect(await name.inputValue()).toBe("Those who owe us");
    await page.getByRole("button", { name: "Discard the changes" }).click();
    await goTo("The other one");
    expect(await name.inputValue()).toBe("Those who read us");
    await end();
  });
});
