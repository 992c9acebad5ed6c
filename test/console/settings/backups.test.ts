/** Backups in a real browser: made, downloaded with the password once more, deleted; and for whom they are. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";
import { isPostgres, needsSqlite } from "../../support/server/services.ts";
import { PASSWORD } from "../../support/server/signed-in.ts";

let api: TestApi;
closesBrowser();

describe.skipIf(lacksBrowser() || needsSqlite("it makes backups of its file"))("backups", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("an owner makes one, downloads it with the password, and deletes it", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    await visit.open("/settings/backups");
    await page.getByText("No backup yet").waitFor();
    await page.getByRole("button", { name: "Make a backup" }).click();
    const download = page.getByRole("button", { name: /^Download the backup of/ });
    await download.click();
    const dialog = page.getByRole("dialog");
    const password = dialog.getByLabel("Current password");
    await password.fill("not my words");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not your current password.").waitFor();
    await password.fill(PASSWORD);
    const begun = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const file = await begun;
    expect(file.suggestedFilename()).toMatch(/^postrider-\d{8}T\d{6}Z\.db$/);
    expect(
      readFileSync(await file.path())
        .subarray(0, 15)
        .toString(),
    ).toBe("SQLite format 3");
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: /^Delete the backup of/ }).click();
    const asked = page.getByRole("dialog").getByRole("textbox");
    const [answer = ""] = /\d+:\d\d/.exec(await page.getByRole("dialog").innerText()) ?? [];
    await asked.fill(answer);
    await page.keyboard.press("Enter");
    await page.getByText("No backup yet").waitFor();
    await visit.end([422]);
  });

  test("are made elsewhere where the data is in PostgreSQL, and nothing is offered that is refused", async () => {
    const visit = await visitAs(api);
    const { page } = visit;
    const address = `${api.url}/console/settings/backups`;
    await page.route(address, async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replace("hasBackups&quot;:true", "hasBackups&quot;:false");
      await route.fulfill({ response: answer, body: html });
    });
    await visit.open("/settings/backups");
    await page.getByText("Back it up with PostgreSQL's own tools").waitFor();
    expect(await page.getByRole("button", { name: "Make a backup" }).count()).toBe(0);
    expect(visit.requests.filter((url) => url.includes("/api/v1/backups"))).toEqual([]);
    await page.unrouteAll();
    await visit.end();
  });

  test("are not for an editor, nor for an owner of one workspace among several", async () => {
    const editor = await visitAs(api, "editor");
    await editor.open("/settings/backups");
    await editor.page.getByText("Your role does not allow this").waitFor();
    expect(await editor.page.getByRole("button", { name: "Make a backup" }).count()).toBe(0);
    await editor.end();
    await api.services.workspaces.create("Somebody else's");
    const owner = await visitAs(api);
    await owner.open("/settings/backups");
    await owner.page.getByText("only somebody who owns all of them may ask for it").waitFor();
    expect(await owner.page.getByRole("button", { name: "Make a backup" }).count()).toBe(0);
    await owner.end([403]);
  });
});

describe.skipIf(lacksBrowser() || !isPostgres)("backups of PostgreSQL", () => {
  test("are its own: an owner is told how, and is offered none here", async () => {
    api = await startConsole();
    const owner = await visitAs(api);
    await owner.open("/settings/backups");
    await owner.page.getByText("pg_dump").waitFor();
    expect(await owner.page.getByRole("button", { name: "Make a backup" }).count()).toBe(0);
    await owner.end();
    await api.stop();
  });
});
