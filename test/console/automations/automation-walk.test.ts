/**
 * The documented welcome (docs/automations.md "A flow") built on the canvas from nothing, simulated, set live, and
 * walked by somebody: with the mouse, and by keyboard alone.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { openMailbox, startCaptured, type CapturedApi } from "../../support/server/captured.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { chooseByArrows, goBy, hasFocus, pressOn, tabTo, typeInto } from "../../support/browser/keyboard.ts";
import { person } from "../../support/people/people.ts";

let api: CapturedApi;
closesBrowser();

/** Somebody who builds all of it takes many steps. */
const PATIENCE_MS = 180_000;

const PAGE = readFileSync(resolve(import.meta.dir, "../../../docs/automations.md"), "utf8");
const WELCOME = JSON.parse(/`welcome\.json`:\n\n```json\n([\s\S]*?)\n```/.exec(PAGE)![1]!).flowJson;
const [, MAIL, , , REMINDER] = WELCOME.nodes.map(({ data }: any) => data);

const idIn = (page: Page): string => /automations\/(aut_\w+)/.exec(page.url())![1]!;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) =>
  page.getByRole(name === "Tag" ? "combobox" : "textbox", { name, exact: true });
const step = (page: Page, text: string) => page.locator(".react-flow__node", { hasText: text });
const paletteEntry = (page: Page, kind: string) =>
  page.getByRole("navigation", { name: "Add a step" }).getByRole("button", { name: kind, exact: true });

/** Opens a mail that is not written yet, which begins with blocks, and writes it as source. */
async function writesHtml(page: Page, html: string): Promise<void> {
  await button(page, "Write the mail").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("write your letter here").waitFor();
  await dialog.getByText("Source", { exact: true }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(html);
}

/** What a flow does, whatever its nodes are called and wherever they stand. */
function meaningOf({ nodes, edges }: any): unknown {
  const names = new Map<string, string>();
  const walk = (id: string): void => {
    if (names.has(id)) return;
    names.set(id, `step ${names.size}`);
    const out = edges.filter(({ source }: any) => source === id);
    for (const way of ["true", undefined, "false"])
      for (const { target } of out.filter(({ sourceHandle }: any) => sourceHandle === way)) walk(target);
  };
  walk(nodes.find(({ type }: any) => type === "trigger").id);
  const named = (id: string) => names.get(id);
  const withNames = (data: any) =>
    JSON.parse(JSON.stringify(data), (member, each) =>
      member === "value" ? (names.get(each) ?? each) : each,
    );
  return {
    nodes: Object.fromEntries(
      nodes.map(({ id, type, data }: any) => [named(id), { type, data: withNames(data) }]),
    ),
    ways: edges
      .map(
        ({ source, target, sourceHandle = "" }: any) => `${named(source)} ${sourceHandle}> ${named(target)}`,
      )
      .toSorted(),
  };
}

/** The server has all of the documented flow, and finds nothing wrong with it. */
async function isWelcome(page: Page): Promise<void> {
  await page.getByText(/^Saved /).waitFor();
  const flow = async () => (await api.call("GET", `/automations/${idIn(page)}/flow`)).body.data;
  const isSaved = async () => Bun.deepEquals(meaningOf(await flow()), meaningOf(WELCOME));
  // What was done last is saved a moment later.
  for (let frame = 0; frame < 1_000 && !(await isSaved()); frame++)
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  expect(meaningOf(await flow())).toEqual(meaningOf(WELCOME));
  await page.getByText("No problems found.").waitFor();
}

describe.skipIf(lacksBrowser())("the documented welcome", () => {
  beforeAll(async () => {
    api = await startCaptured();
  });
  afterAll(() => api.stop());

  test(
    "is dragged, connected and branched on the canvas, simulated, set live, and somebody walks it",
    async () => {
      const { page, open, end } = await visitAs(api);
      const add = (kind: string) => paletteEntry(page, kind).click();
      const choose = async (name: string, line: number, option: string): Promise<void> => {
        await page.getByRole("combobox", { name, exact: true }).nth(line).click();
        await page.getByRole("option", { name: option, exact: true }).click();
      };
      await open("/automations");
      await button(page, "New automation").click();
      await field(page, "Name").fill("Welcome");
      await button(page, "Start empty").click();

      await step(page, "New subscriber").click();
      await add("Send a mail");
      await field(page, "Subject").fill(MAIL.subject);
      await writesHtml(page, MAIL.html);
      await button(page, "Done").click();
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.frameLocator("iframe:not([hidden])").getByText("Unsubscribe").waitFor();
      await page.getByRole("button", { name: "Hide the preview" }).click();
      await add("Wait");
      await field(page, "How long").fill("2");
      await add("Condition");
      await choose("The answer is “yes” if", 0, "one of these holds");
      await choose("What", 0, "Opened a mail of this automation");
      await choose("Value", 0, MAIL.subject);
      await button(page, "Add a condition").click();
      await choose("What", 1, "Clicked in a mail of this automation");
      await choose("Value", 1, MAIL.subject);
      await add("Add a tag");
      await field(page, "Tag").fill("welcomed");
      await button(page, "Show all").click();
      await step(page, "Condition").click();
      await add("Send a mail");
      await field(page, "Subject").fill(REMINDER.subject);
      await writesHtml(page, REMINDER.html);
      await button(page, "Done").click();
      await paletteEntry(page, "End").dragTo(page.locator(".react-flow__pane"), {
        targetPosition: { x: 60, y: 60 },
      });
      await drawWay(page, REMINDER.subject, "Add a tag");
      await drawWay(page, "Add a tag", "The way ends here");
      await isWelcome(page);

      await page.getByRole("tab", { name: "Simulate" }).click();
      await field(page, "Person").fill("grace@example.com");
      await page.getByLabel("They open every mail").check({ force: true });
      await button(page, "Simulate").click();
      const path = page.getByRole("region", { name: "The path" });
      await path.getByText("Done.").waitFor();
      expect(await path.locator("li button").allInnerTexts()).toEqual([
        "New subscriber",
        "Send a mail",
        "Wait",
        "Wait",
        "Condition",
        "Add a tag",
        "End",
      ]);
      expect(await page.locator(`.automation-node[data-path="off"]`).count()).toBe(1);
      expect(api.recipients).toEqual([]);

      await button(page, "Set live").click();
      await page.getByRole("dialog").getByRole("button", { name: "Set live" }).click();
      await button(page, "Pause").waitFor();
      await person(api, "grace@example.com", { firstName: "Grace" });
      await page.getByRole("tab", { name: "Flow" }).click();
      await step(page, "Wait").getByText("1 here now").waitFor();
      await page.getByRole("tab", { name: "People" }).click();
      await page.getByRole("link", { name: "grace@example.com" }).waitFor();
      await page.getByRole("cell", { name: "On the way" }).waitFor();
      await openMailbox(page, api, "grace@example.com");
      await page.getByRole("link").filter({ hasText: "Welcome, Grace!" }).waitFor();
      expect(api.recipients).toEqual(["grace@example.com"]);
      await end();
    },
    PATIENCE_MS,
  );

  test(
    "is built on the canvas, simulated and set live by keyboard alone",
    async () => {
      const { page, open, end } = await visitAs(api);
      const add = (kind: string) => pressOn(page, paletteEntry(page, kind), "Shift+Tab");
      const choose = (name: string, line: number, option: string) =>
        chooseByArrows(
          page,
          page.getByRole("combobox", { name, exact: true }).nth(line),
          page.getByRole("option", { name: option, exact: true }),
        );
      const writeMail = async ({ subject, html }: any): Promise<void> => {
        await typeInto(page, field(page, "Subject"), subject);
        await pressOn(page, button(page, "Write the mail"));
        await tabTo(page, page.getByRole("radio", { name: "Blocks" }));
        await page.keyboard.press("ArrowRight");
        await tabTo(page, page.locator(".cm-content"));
        await page.keyboard.insertText(html);
        await pressOn(page, button(page, "Done"));
      };
      await open("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await goBy(page, "a", "Automations");
      await pressOn(page, button(page, "New automation"));
      await typeInto(page, field(page, "Name"), "By keys");
      await pressOn(page, button(page, "Start empty"));

      await pressOn(page, step(page, "New subscriber"));
      await add("Send a mail");
      await writeMail(MAIL);
      await add("Wait");
      await typeInto(page, field(page, "How long"), "2");
      await add("Condition");
      await choose("The answer is “yes” if", 0, "one of these holds");
      await choose("What", 0, "Opened a mail of this automation");
      await choose("Value", 0, MAIL.subject);
      await pressOn(page, button(page, "Add a condition"));
      await choose("What", 1, "Clicked in a mail of this automation");
      await choose("Value", 1, MAIL.subject);
      await add("Add a tag");
      await typeInto(page, field(page, "Tag"), "welcomed");
      await add("End");
      await pressOn(page, step(page, "Condition"), "Shift+Tab");
      await add("Send a mail");
      await writeMail(REMINDER);
      await choose("Next step", 0, "Add a tag: welcomed");
      await isWelcome(page);

      await tabTo(page, page.getByRole("tab", { name: "Flow" }), "Shift+Tab");
      await page.keyboard.press("ArrowRight");
      await typeInto(page, field(page, "Person"), "ada@example.com");
      await pressOn(page, button(page, "Simulate"));
      await page.getByRole("region", { name: "The path" }).getByText("Done.").waitFor();
      await pressOn(page, button(page, "Set live"), "Shift+Tab");
      await hasFocus(page, page.getByRole("dialog").getByRole("button", { name: "Set live" }));
      await page.keyboard.press("Enter");
      await button(page, "Pause").waitFor();
      await person(api, "ada@example.com");
      await tabTo(page, page.getByRole("tab", { name: "Simulate" }), "Shift+Tab");
      await page.keyboard.press("ArrowRight");
      await page.getByRole("link", { name: "ada@example.com" }).waitFor();
      await end();
    },
    PATIENCE_MS,
  );

  test(
    "loses a step and a way by the keys of the canvas, and undo brings them back",
    async () => {
      const { id } = (await api.call("POST", "/automations", { name: "Cut" })).body.data;
      await api.call("PATCH", `/automations/${id}`, { flowJson: WELCOME });
      const { page, open, end } = await visitAs(api);
      await open(`/automations/${id}`);
      const undo = async (): Promise<void> => {
        await page.keyboard.press("u");
        await step(page, "Wait").waitFor();
        await isWelcome(page);
      };
      await pressOn(page, step(page, "Wait"));
      await page.keyboard.press("Delete");
      await step(page, "Wait").waitFor({ state: "detached" });
      await undo();
      const way = page.getByLabel("Way from New subscriber to Send a mail");
      await pressOn(page, way);
      await page.keyboard.press("Delete");
      await way.waitFor({ state: "detached" });
      await undo();
      await end();
    },
    PATIENCE_MS,
  );
});

/** Draws a way from the dot under one step to the dot above another, with all steps in sight. */
async function drawWay(page: Page, from: string, to: string): Promise<void> {
  await button(page, "Show all").click();
  const source = step(page, from).locator(".react-flow__handle-bottom");
  await source.dragTo(step(page, to).locator(".react-flow__handle-top"));
}
