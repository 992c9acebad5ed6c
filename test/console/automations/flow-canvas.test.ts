/** The steps of a flow on the canvas and in the list: seen, reached by keyboard, added and removed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { chain, draft, flowOf } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { flowSaved } from "../../support/browser/flow-saved.ts";
import { pressOn, takeByArrows, typeInto } from "../../support/browser/keyboard.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

/** The types of the flow's nodes by what leads to them, from the trigger on. */
async function waysOf(id: string): Promise<string[]> {
  const { nodes, edges } = await flowOf(api, id);
  const kind = (of: string) => {
    const { type, data } = nodes.find(({ id: each }: any) => each === of);
    return data.action ?? data.trigger ?? type;
  };
  return edges.map(
    ({ source, target, sourceHandle }: any) => `${kind(source)} ${sourceHandle ?? ""}> ${kind(target)}`,
  );
}

describe.skipIf(lacksBrowser())("the steps of a flow", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("each way out of a condition has its word, on the canvas and in the list, also before it leads anywhere", async () => {
    const rules = { all: [{ field: "tags", op: "contains", value: "vip" }] };
    const id = await draft(api, {
      nodes: [
        { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
        { id: "asked", type: "condition", data: { rules } },
        { id: "out", type: "end", data: {} },
      ],
      edges: [
        { source: "in", target: "asked" },
        { source: "asked", target: "out", sourceHandle: "true" },
      ],
    });
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}`);
    await page.locator(".automation-node-way").waitFor();
    expect(await page.locator(".automation-node-way").allInnerTexts()).toEqual(["no"]);
    await open(`/automations/${id}?view=list`);
    const row = page.locator(".automation-row").filter({ hasText: "Condition" });
    await row.waitFor();
    expect(await row.getByRole("button", { name: /\((?:yes|no)\)$/ }).allInnerTexts()).toEqual(["yes", "no"]);
    await end();
  });

  test("where the device gives the colours, the chosen step and what is wrong are still told apart", async () => {
    const mail = { id: "mail", type: "action", data: { action: "send_email", subject: "Hello", html: "" } };
    const id = await draft(api, {
      nodes: [
        { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
        mail,
        { id: "out", type: "end", data: {} },
      ],
      edges: [
        { source: "in", target: "mail" },
        { source: "mail", target: "out" },
      ],
    });
    const { page, open, end } = await visitAs(api);
    await page.emulateMedia({ forcedColors: "active" });
    await open(`/automations/${id}?step=in`);
    await page.locator(".automation-node[data-selected]").waitFor();
    await page.locator(".automation-node[data-problem]").waitFor();
    const lineOf = (node: string) =>
      page.locator(`[data-id=${node}] .automation-node`).evaluate((element: any) => {
        const style = element.ownerDocument.defaultView.getComputedStyle(element);
        return `${style.outlineStyle} ${style.borderTopStyle}`;
      });
    expect([await lineOf("in"), await lineOf("mail"), await lineOf("out")]).toEqual([
      "solid solid",
      "none dashed",
      "none solid",
    ]);
    await page.emulateMedia({ forcedColors: null });
    await end();
  });

  test("by keyboard alone: a step is added in the list, filled in, taken back and done again", async () => {
    const id = await draft(api, {
      nodes: [{ id: "in", type: "trigger", data: { trigger: "new_subscriber" } }],
      edges: [],
    });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?view=list`);
    await pressOn(page, page.getByRole("button", { name: "Add a step after this one" }));
    await takeByArrows(page, page.getByRole("menuitem", { name: "Add a tag" }));
    await typeInto(page, page.getByRole("combobox", { name: "Tag" }), "vip");
    await flowSaved(page, api, id, ({ nodes }) => nodes[1]?.data.tag === "vip");
    expect(await waysOf(id)).toEqual(["new_subscriber > add_tag"]);
    await pressOn(page, page.getByRole("button", { name: "Undo" }), "Shift+Tab");
    await flowSaved(page, api, id, ({ nodes }) => nodes[1]?.data.tag === "");
    await pressOn(page, page.getByRole("button", { name: "Redo" }));
    await flowSaved(page, api, id, ({ nodes }) => nodes[1]?.data.tag === "vip");
    await end();
  });

  test("words that are too long for a step of the canvas are shown whole when somebody points at them", async () => {
    const url = `https://example.com/hooks/${"long-".repeat(9)}name`;
    const id = await draft(
      api,
      chain({ trigger: "new_subscriber" }, ["call", "action", { action: "webhook", url }]),
    );
    const { page, open, end } = await visitAs(api, "viewer");
    await open(`/automations/${id}`);
    const words = page.locator(".react-flow__node").getByText(url, { exact: true });
    await words.waitFor();
    expect(await words.getAttribute("title")).toBe(url);
    await end();
  });

  test("a key that removes a block of a mail leaves the step that has the mail", async () => {
    const mjml =
      "<mjml><mj-body><mj-section><mj-column><mj-divider /><mj-text>Stays</mj-text></mj-column></mj-section></mj-body></mjml>";
    const mail = ["mail", "action", { action: "send_email", subject: "Hello", mjml }] as const;
    const id = await draft(api, chain({ trigger: "new_subscriber" }, mail));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=mail`);
    await page.locator(".react-flow__node").first().waitFor();
    await page.getByRole("button", { name: "Write the mail" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".piece-block").first().focus();
    await page.keyboard.press("Delete");
    await flowSaved(page, api, id, (flow) => !JSON.stringify(flow).includes("mj-divider"));
    expect((await flowOf(api, id)).nodes.map((node: any) => node.id)).toEqual(["in", "mail"]);
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // Over no dialog, the same key still removes the step.
    await page.locator(".react-flow__node").last().focus();
    await page.keyboard.press("Delete");
    await flowSaved(page, api, id, (flow) => flow.nodes.length === 1);
    await end();
  });

  test("steps are dragged in every browser, and added by Enter and by Space", async () => {
    const id = await draft(api, chain({ trigger: "new_subscriber" }));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}`);
    const palette = page.getByRole("navigation", { name: "Add a step" });
    const wait = palette.getByRole("button", { name: "Wait", exact: true });
    await wait.waitFor();
    // Firefox drags nothing by a button.
    const tags = await palette
      .locator("[draggable=true]")
      .evaluateAll((all: { tagName: string }[]) => all.map((one) => one.tagName));
    expect(tags).toHaveLength(await palette.getByRole("button").count());
    expect(tags).not.toContain("BUTTON");

    const waits = (flow: any): number => flow.nodes.filter(({ type }: any) => type === "wait").length;
    for (const [count, key] of ["Enter", "Space"].entries()) {
      await wait.focus();
      await page.keyboard.press(key);
      await flowSaved(page, api, id, (flow) => waits(flow) === count + 1);
    }
    await end();
  });
});
