/** Automations as somebody makes them: on the canvas, by keyboard in the list, simulated, live. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { builtConsole } from "../../scripts/console/build.ts";
import { draft } from "../support/automations.ts";
import { lacksBrowser } from "../support/browser.ts";
import { axeProblems, closesBrowser, isWiderThanScreen, visitAs } from "../support/console.ts";
import { hostileStrings } from "../support/fuzz-values.ts";
import { person } from "../support/people.ts";
import { mailOf } from "../support/sending-state.ts";
import { startSending, type SendingApi } from "../support/sending.ts";

let api: SendingApi;
closesBrowser();

const flowOf = async (id: string): Promise<any> =>
  (await api.call("GET", `/automations/${id}/flow`)).body.data;

const idIn = (page: Page): string => /automations\/(aut_\w+)/.exec(page.url())![1]!;

/** The types of the flow's nodes by what leads to them, from the trigger on. */
async function waysOf(id: string): Promise<string[]> {
  const { nodes, edges } = await flowOf(id);
  const kind = (of: string) => {
    const { type, data } = nodes.find(({ id: each }: any) => each === of);
    return data.action ?? data.trigger ?? type;
  };
  return edges.map(
    ({ source, target, sourceHandle }: any) => `${kind(source)} ${sourceHandle ?? ""}> ${kind(target)}`,
  );
}

/** Waits until the server has what was typed. */
async function saved(page: Page, id: string, holds: (flow: any) => boolean): Promise<void> {
  await page.getByText(/^Saved /).waitFor();
  for (let at = 0; !holds(await flowOf(id)); at++) {
    if (at > 2_000) throw new Error(JSON.stringify(await flowOf(id)));
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  }
}

const canvasNode = (page: Page, title: string) => page.locator(".react-flow__node", { hasText: title });

/** The README's welcome, as it is documented. */
const PAGE = readFileSync(resolve(import.meta.dir, "../../docs/automations.md"), "utf8");
const WELCOME = JSON.parse(/`welcome\.json`:\n\n```json\n([\s\S]*?)\n```/.exec(PAGE)![1]!).flowJson;

describe.skipIf(lacksBrowser())("automations in the console", () => {
  beforeAll(async () => {
    await builtConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("a welcome that asks who opened is built on the canvas, simulated, set live, and somebody walks it", async () => {
    const { page, open, end } = await visitAs(api);
    await open("/automations");
    await page.getByRole("button", { name: "New automation" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Hello");
    await page.getByRole("button", { name: "Start empty" }).click();
    const palette = page.getByRole("navigation", { name: "Add a step" });
    const add = (kind: string) => palette.getByRole("button", { name: kind, exact: true }).click();

    await canvasNode(page, "New subscriber").click();
    await add("Send a mail");
    await page.getByRole("textbox", { name: "Subject" }).fill("Welcome, {{ contact.firstName }}");
    await page.getByRole("button", { name: "Write the mail" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("<p>Good to have you");
    await page.getByRole("button", { name: "Done" }).click();
    await add("Wait");
    await page.getByRole("textbox", { name: "How long" }).fill("2");
    await add("Condition");
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "Opened a mail of this automation" }).click();
    await page.getByRole("combobox", { name: "Value" }).click();
    await page.getByRole("option", { name: "Welcome, {{ contact.firstName }}" }).click();
    await add("Add a tag");
    await page.getByRole("textbox", { name: "Tag" }).fill("reader");
    await canvasNode(page, "Condition").click();
    await add("Send a mail");
    await page.getByRole("textbox", { name: "Subject" }).fill("Did you see it?");
    const id = idIn(page);
    await saved(page, id, ({ nodes }) => nodes.at(-1).data.subject === "Did you see it?");
    expect(await waysOf(id)).toEqual([
      "new_subscriber > send_email",
      "send_email > wait",
      "wait > condition",
      "condition true> add_tag",
      "condition false> send_email",
    ]);
    await page.getByText("The mail has no text").first().waitFor();

    await page.getByRole("tab", { name: "Simulate" }).click();
    await page.getByRole("textbox", { name: "Person" }).fill("grace@example.com");
    await page.getByLabel("They open every mail").check({ force: true });
    await page.getByRole("button", { name: "Simulate" }).click();
    const path = page.getByRole("region", { name: "The path" });
    await path.getByText("Done.").waitFor();
    expect(await path.locator("li button").allInnerTexts()).toEqual([
      "New subscriber",
      "Send a mail",
      "Wait",
      "Wait",
      "Condition",
      "Add a tag",
    ]);
    expect(await page.locator(`.automation-node[data-path="off"]`).count()).toBe(1);

    await page.getByRole("button", { name: "Set live" }).click();
    await page.getByText("There are problems (1)").waitFor();
    await page.getByRole("button", { name: "Set live all the same" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await person(api, "grace@example.com", { firstName: "Grace" });
    await page.getByRole("tab", { name: "Flow" }).click();
    await canvasNode(page, "Wait").getByText("1 here now").waitFor();
    expect(mailOf(api)).toContain("grace@example.com: Welcome, Grace");
    await page.getByRole("tab", { name: "People" }).click();
    await page.getByRole("link", { name: "grace@example.com" }).waitFor();
    await page.getByRole("cell", { name: "On the way" }).waitFor();
    await end();
  });

  test("a live automation changes only when its changes are published, and forgets none of them over a reload", async () => {
    const id = await draft(api, WELCOME, "Documented");
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=welcomed`);
    await page.getByRole("textbox", { name: "Tag" }).fill("greeted");
    await page.getByText("Changes not published").waitFor();
    await page.reload();
    await page.getByText("Changes not published").waitFor();
    expect(await page.getByRole("textbox", { name: "Tag" }).inputValue()).toBe("greeted");
    expect(await flowOf(id)).toEqual(WELCOME);
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await page.getByRole("textbox", { name: "Tag" }).inputValue()).toBe("welcomed");
    await page.getByRole("textbox", { name: "Tag" }).fill("greeted");
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByText("Changes not published").waitFor({ state: "detached" });
    const expected = structuredClone(WELCOME);
    expected.nodes.find(({ id: each }: any) => each === "welcomed").data.tag = "greeted";
    expect(await flowOf(id)).toEqual(expected);
    await end();
  });

  test("what another builder wrote is kept: one step is changed, every other byte stays", async () => {
    const flow = {
      nodes: [
        { id: "in", type: "trigger", data: { trigger: "new_subscriber" }, label: "Start" },
        { id: "tag", type: "action", data: { action: "add_tag", tag: "a", colour: "#f00" } },
        { id: "memo", type: "sticky-note", data: { text: "ask Ada" }, width: 120 },
      ],
      edges: [{ id: "e1", source: "in", target: "tag", animated: true }],
      viewport: { x: 1, y: 2, zoom: 0.5 },
    };
    const id = await draft(api, flow, "Foreign");
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=tag`);
    await page.getByRole("textbox", { name: "Tag" }).fill("b");
    await saved(page, id, ({ nodes }) => nodes[1].data.tag === "b");
    const expected = structuredClone(flow);
    expected.nodes[1]!.data.tag = "b";
    expect(JSON.stringify(await flowOf(id))).toBe(JSON.stringify(expected));
    await end();
  });

  test("by keyboard alone: a step is added in the list, filled in, taken back and done again", async () => {
    const id = await draft(api, {
      nodes: [{ id: "in", type: "trigger", data: { trigger: "new_subscriber" } }],
      edges: [],
    });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?view=list`);
    await page.getByRole("button", { name: "Add a step after this one" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Add a tag" }).focus();
    await page.keyboard.press("Enter");
    const tag = page.getByRole("textbox", { name: "Tag" });
    await tag.focus();
    await page.keyboard.type("vip");
    await saved(page, id, ({ nodes }) => nodes[1]?.data.tag === "vip");
    expect(await waysOf(id)).toEqual(["new_subscriber > add_tag"]);
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await saved(page, id, ({ nodes }) => nodes[1]?.data.tag === "");
    await page.getByRole("button", { name: "Redo" }).focus();
    await page.keyboard.press("Enter");
    await saved(page, id, ({ nodes }) => nodes[1]?.data.tag === "vip");
    await end();
  });

  test("a viewer looks and changes nothing", async () => {
    const id = await draft(api, WELCOME, "Looked at");
    const { page, open, end } = await visitAs(api, "viewer");
    await open(`/automations/${id}?step=welcomed`);
    await page.getByRole("textbox", { name: "Tag" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Tag" }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /Set live|Remove this step|Undo/ }).count()).toBe(0);
    await open("/automations");
    await page.getByRole("link", { name: "Looked at" }).waitFor();
    expect(await page.getByRole("button", { name: "New automation" }).count()).toBe(0);
    expect(await flowOf(id)).toEqual(WELCOME);
    await end();
  });

  const LOOKS = [
    ["/automations", { width: 1280, colorScheme: "light" }],
    ["/automations/:id?step=opened", { width: 1280, colorScheme: "light" }],
    ["/automations/:id?step=welcome", { width: 1280, colorScheme: "dark" }],
    ["/automations/:id?view=list", { width: 390, colorScheme: "dark" }],
    ["/automations/:id?tab=simulate", { width: 1280, colorScheme: "dark" }],
    ["/automations/:id?tab=people", { width: 390, colorScheme: "light" }],
  ] as const;

  test.each(LOOKS)("%s is a page everybody can use (%j)", async (path, look) => {
    const id = await draft(api, WELCOME, "Looks");
    const { page, open, end } = await visitAs(api, "owner", look);
    await open(path.replace(":id", id));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page
      .getByText(/No problems found|Nobody has come in yet|Documented|Looks/)
      .first()
      .waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    await end();
  });

  test("hostile names, tags and subjects are text everywhere", async () => {
    const texts = hostileStrings()
      .filter((text) => text.trim() !== "")
      .slice(0, 60);
    const nodes = texts.map((text, at) => ({
      id: `n${at}`,
      type: "action",
      data:
        at % 2 === 0 ? { action: "add_tag", tag: text } : { action: "send_email", subject: text, html: text },
    }));
    const id = await draft(api, { nodes, edges: [] }, texts[0]!.slice(0, 100));
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}?view=list`);
    await page
      .locator(".automation-row")
      .nth(texts.length - 1)
      .waitFor();
    await open(`/automations/${id}`);
    await page
      .locator(".react-flow__node")
      .nth(texts.length - 1)
      .waitFor({ state: "attached" });
    await end();
  });
});
