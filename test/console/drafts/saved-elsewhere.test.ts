/** One thing that two people change: nobody's work is written over unasked, whatever the thing is. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { clashing } from "#console/ui/autosave/fields.ts";
import { buildConsole } from "../../../scripts/console/build.ts";
import { draft } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const LIMIT_MS = 360_000;

type Kind = {
  readonly kind: string;
  make(): Promise<string>;
  /** Where its screen is. */
  path(id: string): string;
  field(page: Page): Locator;
  /** The value of that field that is saved. */
  read(id: string): Promise<string>;
  /** Somebody else saves this in that field. */
  write(id: string, value: string): Promise<unknown>;
  /** Somebody else saves another field. */
  writeOther(id: string): Promise<unknown>;
  readOther(id: string): Promise<unknown>;
  /** What saves it; null: it saves itself. */
  readonly button: string | null;
};

const nameOf = (page: Page) => page.getByRole("textbox", { name: "Name" }).first();
const made = async (path: string, form: object): Promise<string> =>
  (await api.call("POST", path, form)).body.data.id;
const member = async (path: string, name: string) => (await api.call("GET", path)).body.data[name];
const patch = (path: string, change: object) => api.call("PATCH", path, change);

/** A thing with a name, and another field of it at the same address or at one below it. */
function named(room: string, button: string | null, form: object, other: object, below = ""): Kind {
  const [field = "", value] = Object.entries(other)[0] ?? [];
  return {
    kind: room,
    button,
    make: () => made(`/${room}`, { name: "First", ...form }),
    path: (id) => `/${room}/${id}`,
    field: nameOf,
    read: (id) => member(`/${room}/${id}`, "name"),
    write: (id, name) => patch(`/${room}/${id}`, { name }),
    writeOther: (id) => patch(`/${room}/${id}${below}`, { [field]: value }),
    readOther: async (id) =>
      Bun.deepEquals(await member(`/${room}/${id}${below}`, field), value) ? "theirs" : "lost",
  };
}

const rulesOf = (value: string) => ({ all: [{ field: "email", op: "contains", value }] });
const flowWith = (tag: string) => ({
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
    { id: "tag", type: "action", data: { action: "add_tag", tag } },
  ],
  edges: [{ id: "way", source: "in", target: "tag" }],
});

function automation(status: "DRAFT" | "LIVE", button: string | null): Kind {
  return {
    kind: `automations (${status})`,
    button,
    async make() {
      const id = await draft(api, flowWith("first"));
      if (status !== "DRAFT") await patch(`/automations/${id}`, { status });
      return id;
    },
    path: (id) => `/automations/${id}?step=tag`,
    field: (page) => page.getByRole("combobox", { name: "Tag" }),
    read: async (id) => (await api.call("GET", `/automations/${id}/flow`)).body.data.nodes[1].data.tag,
    write: (id, tag) => patch(`/automations/${id}`, { flowJson: flowWith(tag) }),
    writeOther: (id) => patch(`/automations/${id}`, { name: "Theirs" }),
    readOther: async (id) => ((await member(`/automations/${id}`, "name")) === "Theirs" ? "theirs" : "lost"),
  };
}

const TEMPLATE = { subject: "Subject", body: "<p>Hello</p>" };
const KINDS: readonly Kind[] = [
  named("forms", "Save", { fields: [] }, { successMessage: "Thanks" }),
  named("segments", "Save", { rules: rulesOf("a") }, { rules: rulesOf("b") }),
  named("lists", null, {}, { description: "About birds" }, "/options"),
  named("templates", null, TEMPLATE, { subject: "Theirs" }),
  automation("DRAFT", null),
  automation("LIVE", "Publish changes"),
];

const told = (page: Page) => page.getByRole("alert").getByText("Changed elsewhere meanwhile");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const keptHere = (page: Page, id: string) =>
  page.evaluate(`Object.keys(localStorage).filter((key) => key.includes("${id}"))`);

/** Types a value, and has it saved. */
async function saveHere(page: Page, { field, button: save }: Kind, value: string): Promise<void> {
  await field(page).fill(value);
  if (save !== null) await button(page, save).click();
}

describe("what is written in two places", () => {
  const before = { subject: "a", preheader: "p", excludeListIds: ["1"] };

  test("clashes where both changed the same field, and not to say the same", () => {
    const theirs = { subject: "theirs", preheader: "both", excludeListIds: ["1"] };
    const clash = (mine: Partial<typeof before>) => clashing(before, theirs, mine);
    expect(clash({ subject: "mine" })).toEqual(["subject"]);
    expect(clash({ preheader: "both", excludeListIds: ["2"] })).toEqual([]);
  });
});

describe.skipIf(lacksBrowser())("one thing that two people change", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
  });
  afterAll(() => api.stop());

  test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    "of %s is not written over unasked by who saves last, and keeps what each changed elsewhere in it",
    async (_, kind) => {
      const id = await kind.make();
      const { page, open, end } = await visitAs(api, "editor");
      const field = kind.field(page);
      await open(kind.path(id));
      await field.waitFor();
      await kind.writeOther(id);
      await saveHere(page, kind, "together");
      await eventually(async () => (await kind.read(id)) === "together");
      await page.getByText(/^Saved \d/).waitFor();
      expect([await kind.readOther(id), await told(page).count()]).toEqual(["theirs", 0]);

      await kind.write(id, "theirs");
      await saveHere(page, kind, "mine");
      await told(page).waitFor();
      expect([await field.inputValue(), await kind.read(id)]).toEqual(["mine", "theirs"]);
      await button(page, "Use the saved version").click();
      await eventually(async () => (await field.inputValue()) === "theirs");
      expect([await told(page).count(), await kind.read(id)]).toEqual([0, "theirs"]);

      await kind.write(id, "theirs again");
      await saveHere(page, kind, "mine again");
      await told(page).waitFor();
      await button(page, "Keep my version").click();
      await eventually(async () => (await kind.read(id)) === "mine again");
      await told(page).waitFor({ state: "detached" });
      await eventually(async () => JSON.stringify(await keptHere(page, id)) === "[]");
      expect(await kind.readOther(id)).toBe("theirs");
      await end();
    },
    LIMIT_MS,
  );

  test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    "of %s was left unsaved and saved by somebody else meanwhile: whoever comes back is told, and chooses",
    async (_, kind) => {
      const id = await kind.make();
      const { page, open, end } = await visitAs(api, "editor");
      const field = kind.field(page);
      const leaveUnsaved = async (value: string) => {
        if (kind.button === null)
          await page.route("**/api/v1/**", (route) =>
            route.request().method() === "PATCH"
              ? route.fulfill({ status: 503, json: {} })
              : route.continue(),
          );
        await field.fill(value);
        if (kind.button === null) await page.getByText(/^Not saved: /).waitFor();
        await open("/nowhere");
        await page.unrouteAll();
      };
      await open(kind.path(id));
      await leaveUnsaved("mine");
      await kind.write(id, "theirs");
      await open(kind.path(id));
      await told(page).waitFor();
      expect([await field.inputValue(), await kind.read(id)]).toEqual(["mine", "theirs"]);
      // It is still told after another look away.
      await page.reload();
      await told(page).waitFor();
      await button(page, "Use the saved version").click();
      await eventually(async () => (await field.inputValue()) === "theirs");
      await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
      await eventually(async () => (await field.inputValue()) === "mine");
      expect(await told(page).count()).toBe(0);
      if (kind.button === null) await eventually(async () => (await kind.read(id)) === "mine");

      await leaveUnsaved("mine again");
      await kind.write(id, "theirs again");
      await open(kind.path(id));
      await told(page).waitFor();
      await button(page, "Keep my version").click();
      await told(page).waitFor({ state: "detached" });
      if (kind.button !== null) {
        expect(await kind.read(id)).toBe("theirs again");
        await button(page, kind.button).click();
      }
      await eventually(async () => (await kind.read(id)) === "mine again");
      await eventually(async () => JSON.stringify(await keptHere(page, id)) === "[]");

      // What nobody changes here is simply shown as it is now.
      await kind.write(id, "theirs at last");
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await eventually(async () => (await field.inputValue()) === "theirs at last");
      expect(await told(page).count()).toBe(0);
      await end([503]);
    },
    LIMIT_MS,
  );

  test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    "of %s was saved from here, but the answer was lost: that is nobody else's change",
    async (_, kind) => {
      const id = await kind.make();
      const { page, open, end } = await visitAs(api, "editor");
      const field = kind.field(page);
      await open(kind.path(id));
      await field.waitFor();
      await page.route("**/api/v1/**", async (route) => {
        if (route.request().method() !== "PATCH") return await route.continue();
        await route.fetch();
        await route.fulfill({ status: 504, json: {} });
      });
      await saveHere(page, kind, "sent");
      await page.getByText(/^Not saved: /).waitFor();
      expect(await kind.read(id)).toBe("sent");
      await page.unrouteAll();
      await saveHere(page, kind, "sent, and typed on");
      // The retry may save what was sent before.
      const isSaved = async () => (await kind.read(id)) === "sent, and typed on";
      await eventually(async () => (await isSaved()) || (await told(page).count()) > 0);
      expect([await told(page).count(), await isSaved()]).toEqual([0, true]);
      await page.getByText(/^Saved \d/).waitFor();
      await eventually(async () => JSON.stringify(await keptHere(page, id)) === "[]");
      await end([504]);
    },
    LIMIT_MS,
  );

  test(
    "is saved by one screen only: who comes back and undoes something finds it undone, also after all retries",
    async () => {
      const id = await made("/lists", { name: "First" });
      const { page, open, end } = await visitAs(api, "editor");
      const saves: string[] = [];
      let isAway = true;
      await page.route(`**/api/v1/lists/${id}`, (route) => {
        if (route.request().method() !== "PATCH") return route.continue();
        saves.push(route.request().postDataJSON().name);
        return isAway ? route.fulfill({ status: 503, json: {} }) : route.continue();
      });
      const say = async (name: string) => {
        await nameOf(page).fill(name);
        await eventually(async () => (await member(`/lists/${id}`, "name")) === name);
        await page.getByText(/^Saved \d/).waitFor();
      };
      await page.clock.install();
      await open(`/lists/${id}`);
      await nameOf(page).fill("Typed");
      await page.getByText(/^Not saved: /).waitFor();
      await page.getByRole("link", { name: "Lists" }).first().click();
      await page.getByRole("heading", { name: "Lists", level: 1 }).waitFor();
      isAway = false;
      await page.getByRole("link", { name: "First" }).click();
      await eventually(async () => (await member(`/lists/${id}`, "name")) === "Typed");
      await page.getByText(/^Saved \d/).waitFor();
      await say("First");
      const before = saves.length;
      // Every retry is due by now.
      await page.clock.fastForward(120_000);
      await say("Second");
      expect(saves.slice(before)).toEqual(["Second"]);
      await end([503]);
    },
    LIMIT_MS,
  );
});
