/** What is changed here and not saved yet, and is saved by somebody else meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { builtConsole } from "../../scripts/console/build.ts";
import { lacksBrowser } from "../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../support/browser/console.ts";
import { eventually } from "../support/sending/relay.ts";
import { startApi, type TestApi } from "../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 180_000;
const rulesOf = (value: string) => ({ all: [{ field: "email", op: "contains", value }] });

describe.skipIf(lacksBrowser())("a change that is not saved yet", () => {
  beforeAll(async () => {
    await builtConsole();
    api = await startApi();
  });
  afterAll(() => api.stop());

  test.each([
    { room: "forms", form: { name: "First", fields: [] } },
    { room: "segments", form: { name: "First", rules: rulesOf("a") } },
  ])(
    "of $room says that somebody else has saved, and goes over it only when it is asked to",
    async ({ room, form }) => {
      const { id } = (await api.call("POST", `/${room}`, form)).body.data;
      const saveElsewhere = (change: object) => api.call("PATCH", `/${room}/${id}`, change);
      const nameNow = async () => (await api.call("GET", `/${room}/${id}`)).body.data.name;
      const { page, open, end } = await visitAs(api, "editor");
      const name = page.getByLabel("Name", { exact: false }).first();
      const told = page.getByRole("alert").getByText("Changed elsewhere meanwhile");
      const button = (label: string) => page.getByRole("button", { name: label, exact: true });
      await open(`/${room}/${id}`);
      await name.fill("Mine");
      await open("/nowhere");
      await saveElsewhere({ name: "Theirs" });
      await open(`/${room}/${id}`);
      await told.waitFor();
      expect([await name.inputValue(), await nameNow()]).toEqual(["Mine", "Theirs"]);
      await button("Use the saved version").click();
      await eventually(async () => (await name.inputValue()) === "Theirs");
      await page.getByRole("button", { name: "Undo" }).click();
      await eventually(async () => (await name.inputValue()) === "Mine");
      expect(await told.count()).toBe(0);

      await open("/nowhere");
      await saveElsewhere({ name: "Theirs again" });
      await open(`/${room}/${id}`);
      await told.waitFor();
      await button("Keep my version").click();
      await told.waitFor({ state: "detached" });
      await button("Save").click();
      await eventually(async () => (await nameNow()) === "Mine");
      await page.getByText(/^Saved /).waitFor();
      expect(await told.count()).toBe(0);
      expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes("${id}"))`)).toEqual(
        [],
      );

      // What nobody changes here is simply shown as it is now.
      await saveElsewhere({ name: "Theirs at last" });
      await page.reload();
      await eventually(async () => (await name.inputValue()) === "Theirs at last");
      expect(await told.count()).toBe(0);
      await end();
    },
    LIMIT_MS,
  );
});
