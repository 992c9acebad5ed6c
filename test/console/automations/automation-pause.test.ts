/** Changes of a live automation that are not published: they keep nobody from pausing it, and take no effect. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildConsole } from "../../../scripts/console/build.ts";
import { automationOf, chain, draft, live } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const flowWith = (tag: string) =>
  chain({ trigger: "new_subscriber" }, ["tag", "action", { action: "add_tag", tag }]);
const tagOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/automations/${id}/flow`)).body.data.nodes[1].data.tag;

const field = (page: Page) => page.getByRole("combobox", { name: "Tag" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(lacksBrowser())("a live automation with changes that are not published", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
  });
  afterAll(() => api.stop());

  /** What keeps the flow from being published, and which tag the server then has. */
  const hindrances: Record<string, (page: Page, id: string) => Promise<string>> = {
    nothing: async () => "published",
    "somebody who published another meanwhile": async (_, id) => {
      await api.call("PATCH", `/automations/${id}`, { flowJson: flowWith("theirs") });
      return "theirs";
    },
    "a server that refuses it": async (page, id) => {
      await page.route(`**/api/v1/automations/${id}`, (route) =>
        route.request().postDataJSON()?.flowJson === undefined
          ? route.continue()
          : route.fulfill({ status: 422, json: { error: { code: "VALIDATION_ERROR", message: "No." } } }),
      );
      return "published";
    },
  };

  test.each(Object.entries(hindrances))(
    "is paused and publishes none of them; what keeps them from being published: %s",
    async (_, hinder) => {
      const id = await live(api, flowWith("published"));
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/automations/${id}?step=tag`);
      await field(page).fill("half done");
      await page.getByText("Changes not published").waitFor();
      const onServer = await hinder(page, id);
      await button(page, "Pause").click();
      await button(page, "Go on").waitFor();
      expect((await automationOf(api, id)).status).toBe("PAUSED");
      expect([await tagOf(id), await field(page).inputValue()]).toEqual([onServer, "half done"]);
      await end();
    },
  );

  /** Somebody with changes that are not published, who has paused it. */
  async function paused() {
    const id = await live(api, flowWith("published"));
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open(`/automations/${id}?step=tag`);
    await field(page).fill("half done");
    await page.getByText("Changes not published").waitFor();
    await button(page, "Pause").click();
    await button(page, "Go on").waitFor();
    return { ...visit, id };
  }

  /** Saves a name by itself. Saves go one after the other: what was sent before has arrived then. */
  async function rename(page: Page, id: string): Promise<void> {
    await button(page, "Menu").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Renamed");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await eventually(async () => (await automationOf(api, id)).name === "Renamed");
  }

  /** What happens to the screen of one that was paused. */
  const happenings: Record<string, (page: Page) => Promise<unknown>> = {
    "its page is loaded again": (page) => page.reload(),
    "its tab is hidden": (page) =>
      page.evaluate(() => {
        const { document, Event } = globalThis as any;
        Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        delete document.visibilityState;
      }),
    "its screen is left and come back to": async (page) => {
      await page.getByRole("link", { name: "Automations" }).first().click();
      await button(page, "New automation").waitFor();
      await page.goBack();
    },
    "“Discard changes” is undone": async (page) => {
      await button(page, "Discard changes").click();
      await page.getByText("Changes not published").waitFor({ state: "detached" });
      await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
    },
  };

  test.each(Object.entries(happenings))(
    "is paused, and publishes none of them when %s, until they are published",
    async (_, happen) => {
      const { id, page, end } = await paused();
      await happen(page);
      await rename(page, id);
      expect([await tagOf(id), await field(page).inputValue()]).toEqual(["published", "half done"]);
      await page.getByText("Changes not published").waitFor();
      await button(page, "Publish changes").click();
      await eventually(async () => (await tagOf(id)) === "half done");
      await page.getByText("Changes not published").waitFor({ state: "detached" });
      expect((await automationOf(api, id)).status).toBe("PAUSED");
      await end();
    },
  );

  test("is paused, and what is typed then is saved by itself again", async () => {
    const { id, page, end } = await paused();
    await field(page).fill("done");
    await eventually(async () => (await tagOf(id)) === "done");
    await page.getByText("Changes not published").waitFor({ state: "detached" });
    await end();
  });

  test.each([
    ["Go on without the changes", "published", [{ status: "LIVE" }]],
    ["Publish the changes and go on", "half done", [{ flowJson: "half done" }, { status: "LIVE" }]],
  ])("is paused, and goes on as it is chosen: %s", async (choice, onServer, expected) => {
    const { id, page, end } = await paused();
    const sent: object[] = [];
    page.on("request", (request) => {
      if (request.method() !== "PATCH") return;
      const { flowJson, ...rest } = request.postDataJSON();
      sent.push({ ...rest, ...(flowJson && { flowJson: flowJson.nodes[1].data.tag }) });
    });
    await button(page, "Go on").click();
    await button(page, choice).click();
    await button(page, "Pause").waitFor();
    expect((await automationOf(api, id)).status).toBe("LIVE");
    expect([sent, await tagOf(id), await field(page).inputValue()]).toEqual([
      expected,
      onServer,
      "half done",
    ]);
    expect(await page.getByText("Changes not published").count()).toBe(onServer === "published" ? 1 : 0);
    await end();
  });

  test("is paused, and does not go on with changes that cannot be published", async () => {
    const { id, page, end } = await paused();
    await hindrances["a server that refuses it"]?.(page, id);
    await button(page, "Go on").click();
    await button(page, "Publish the changes and go on").click();
    await page.getByRole("alert").getByText("No.").waitFor();
    expect((await automationOf(api, id)).status).toBe("PAUSED");
    expect([await tagOf(id), await field(page).inputValue()]).toEqual(["published", "half done"]);
    await page.unrouteAll();
    await end([422]);
  });

  test("has them back after “Discard changes” is undone, still unpublished", async () => {
    const id = await live(api, flowWith("published"));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=tag`);
    await field(page).fill("an hour's work");
    await button(page, "Discard changes").click();
    await eventually(async () => (await field(page).inputValue()) === "published");
    await page.getByText("Changes not published").waitFor({ state: "detached" });
    await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Changes not published").waitFor();
    expect([await tagOf(id), await field(page).inputValue()]).toEqual(["published", "an hour's work"]);
    await button(page, "Publish changes").click();
    await eventually(async () => (await tagOf(id)) === "an hour's work");
    await end();
  });

  test.each([
    ["set live", "DRAFT"],
    ["let go on", "PAUSED"],
  ])(
    "are not saved by a screen that was open while somebody else has %s what is %s there",
    async (_, shown) => {
      const id = shown === "DRAFT" ? await draft(api, flowWith("first")) : await live(api, flowWith("first"));
      if (shown === "PAUSED") await api.call("PATCH", `/automations/${id}`, { status: shown });
      const { page, open, end } = await visitAs(api, "editor");
      await open(`/automations/${id}?step=tag`);
      await field(page).fill("second");
      await eventually(async () => (await tagOf(id)) === "second");
      await page.getByText(/^Saved \d/).waitFor();
      await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
      await field(page).fill("half do");
      await page.getByText("Changes not published").waitFor();
      await page.getByText("Somebody has set it live meanwhile.").waitFor();
      expect([await tagOf(id), await field(page).inputValue()]).toEqual(["second", "half do"]);
      await button(page, "Publish changes").click();
      await eventually(async () => (await tagOf(id)) === "half do");
      await page.getByText(/^Saved \d/).waitFor();
      await end();
    },
  );
});
