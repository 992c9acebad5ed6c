/** The servers that share a PostgreSQL, in a real browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
} from "../../support/browser/console.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { needsSqlite, postgresPlace } from "../../support/server/services.ts";
import { lacksPostgres } from "../../support/storage/postgres.ts";

closesBrowser();

describe.skipIf(lacksBrowser() || (await lacksPostgres()))("servers on one PostgreSQL", () => {
  let here: TestApi;
  let there: TestApi;
  let directory = "";
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
    here = await startConsole({ place: await postgresPlace("servers") });
    there = await startApi({ home: { ...here, dataDir: directory } });
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await here.stop();
  });

  test("are listed for an owner, and one that ends is seen to end", async () => {
    const visit = await visitAs(here);
    const { page } = visit;
    await visit.open("/settings");
    await page.getByRole("link", { name: "Servers", exact: true }).click();
    await page.getByText("(you are here)").waitFor();
    const states = (): Promise<string[]> => page.locator("main td .status-word").allInnerTexts();
    expect(await states()).toEqual(["Running", "Running"]);
    expect(await axeProblems(page)).toEqual([]);
    await there.stop({ keep: true });
    await page.locator("main td .status-word", { hasText: "Ended" }).waitFor();
    expect((await states()).toSorted()).toEqual(["Ended", "Running"]);
    await visit.end();
  });

  test("are a card each on a phone, also in German and in the dark", async () => {
    const look = { width: 390, colorScheme: "dark", locale: "de-DE" } as const;
    const visit = await visitAs(here, "owner", look);
    const { page } = visit;
    await visit.open("/settings/servers");
    await page.getByText("(Sie sind hier)").waitFor();
    expect([await axeProblems(page), await isWiderThanScreen(page)]).toEqual([[], false]);
    await visit.end();
  });
});

describe.skipIf(lacksBrowser() || needsSqlite("PostgreSQL may have more servers"))(
  "a server with its own database",
  () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await startConsole();
    });
    afterAll(() => api.stop());

    test("lists no others", async () => {
      const visit = await visitAs(api);
      const { page } = visit;
      await visit.open("/settings/servers");
      await page.getByRole("heading", { name: "Workspace" }).waitFor();
      expect(await page.getByRole("link", { name: "Servers" }).count()).toBe(0);
      expect(visit.requests.filter((url) => url.includes("/api/v1/nodes"))).toEqual([]);
      await visit.end();
    });
  },
);
