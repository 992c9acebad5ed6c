/** Automations as somebody keeps them: live, from another builder, in the list, looked at. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { chain, draft, flowOf, live } from "../../support/automations/automations.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { flowSaved } from "../../support/browser/flow-saved.ts";
import { eventually } from "../../support/common/eventually.ts";
import { hostileStrings } from "../../support/document/fuzz-values.ts";
import { person } from "../../support/people/people.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { inNewWorkspace } from "../../support/server/api.ts";

let api: SendingApi;
closesBrowser();

/** The README's welcome, as it is documented. */
const PAGE = readFileSync(resolve(import.meta.dir, "../../../docs/automations.md"), "utf8");
const WELCOME = JSON.parse(/`welcome\.json`:\n\n```json\n([\s\S]*?)\n```/.exec(PAGE)![1]!).flowJson;

describe.skipIf(lacksBrowser())("automations in the console", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
  });
  afterAll(() => api.stop());

  test("one with problems says how many before it is set live all the same", async () => {
    const mail = { id: "mail", type: "action", data: { action: "send_email", subject: "Hello", html: "" } };
    const id = await draft(api, {
      nodes: [{ id: "in", type: "trigger", data: { trigger: "new_subscriber" } }, mail],
      edges: [{ source: "in", target: "mail" }],
    });
    const { page, open, end } = await visitAs(api);
    await open(`/automations/${id}`);
    await page.getByText("The mail has no text").first().waitFor();
    await page.getByRole("button", { name: "Set live" }).click();
    await page.getByText("There is 1 problem.").waitFor();
    await page.getByRole("button", { name: "Set live all the same" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    expect((await api.call("GET", `/automations/${id}`)).body.data.status).toBe("LIVE");
    await end();
  });

  test.each([
    ["en-GB", "Messages of this step that wait: 1. dkimDomain is set"],
    ["de-DE", "E-Mails dieses Schritts, die warten: 1. dkimDomain"],
  ])("one whose mail cannot go out says so at its step, how many and why (%s)", async (locale, says) => {
    const own = await inNewWorkspace(api);
    await own.services.workspaces.changeSettings(own.workspaceId, {
      fromEmail: "news@shop.example.org",
      mailingAddress: "1 Analytical Way",
      dkimDomain: "shop.example.org",
    });
    const mail = { action: "send_email", subject: "Hello", html: "<p>Hello</p>" };
    const id = await live(own, chain({ trigger: "new_subscriber" }, ["mail", "action", mail]));
    await person(own, "ada@example.com");
    const waits = async () => (await own.call("GET", `/automations/${id}/problems`)).body.data.length === 1;
    await eventually(waits);
    const { page, open, end } = await visitAs(own, "editor", { locale });
    await open(`/automations/${id}`);
    await page.getByText(says).waitFor();
    await end();
  });

  test("one that stays open shows mail that began to wait meanwhile", async () => {
    const own = await inNewWorkspace(api);
    await own.services.workspaces.changeSettings(own.workspaceId, {
      fromEmail: "news@shop.example.org",
      mailingAddress: "1 Analytical Way",
      dkimDomain: "shop.example.org",
    });
    const mail = { action: "send_email", subject: "Hello", html: "<p>Hello</p>" };
    const id = await live(own, chain({ trigger: "new_subscriber" }, ["mail", "action", mail]));
    const { page, open, end } = await visitAs(own, "editor");
    await page.clock.install();
    await open(`/automations/${id}`);
    await page.getByText("No problems found.").waitFor();
    await person(own, "ada@example.com");
    await eventually(
      async () => (await own.call("GET", `/automations/${id}/problems`)).body.data.length === 1,
    );
    await page.clock.fastForward(30_000);
    await page.getByText("Messages of this step that wait: 1.").waitFor();
    await end();
  });

  test("one that somebody else has changed since it was looked at is not set live", async () => {
    const tagging = (tag: string) =>
      chain({ trigger: "new_subscriber" }, ["tag", "action", { action: "add_tag", tag }]);
    const id = await draft(api, tagging("seen"));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=tag`);
    const tag = page.getByRole("combobox", { name: "Tag" });
    await tag.waitFor();
    const setLive = async (): Promise<void> => {
      await page.getByRole("button", { name: "Set live" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Set live" }).click();
    };
    await api.call("PATCH", `/automations/${id}`, { flowJson: tagging("unseen") });
    await setLive();
    await page.getByRole("alert").getByText("Somebody else has changed this automation").waitFor();
    expect(await tag.inputValue()).toBe("unseen");
    expect((await api.call("GET", `/automations/${id}`)).body.data.status).toBe("DRAFT");
    await setLive();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await end();
  });

  test("a step that names a tag offers those that contacts have: where it starts, asks, adds and takes off", async () => {
    await person(api, "tagged@example.com", { tags: ["quokka-fan"] });
    const tag = { tag: "" };
    const asks = { all: [{ field: "tag", op: "equals", value: "" }] };
    const id = await draft(api, {
      nodes: [
        { id: "in", type: "trigger", data: { trigger: "tag_added", ...tag } },
        { id: "asked", type: "condition", data: asks },
        { id: "add", type: "action", data: { action: "add_tag", ...tag } },
        { id: "off", type: "action", data: { action: "remove_tag", ...tag } },
      ],
      edges: [
        { source: "in", target: "asked" },
        { source: "asked", target: "add", sourceHandle: "true" },
        { source: "add", target: "off" },
      ],
    });
    const { page, open, end } = await visitAs(api, "editor");
    for (const step of ["in", "asked", "add", "off"]) {
      await open(`/automations/${id}?step=${step}`);
      const field = page
        .locator(".automation-panel")
        .getByRole("combobox", { name: step === "asked" ? "Value" : "Tag", exact: true });
      await field.fill("quok");
      await page.getByRole("option", { name: "quokka-fan" }).click();
      expect(await field.inputValue()).toBe("quokka-fan");
      await flowSaved(page, api, id, ({ nodes }) =>
        JSON.stringify(nodes.find((node: any) => node.id === step)).includes('"quokka-fan"'),
      );
    }
    await end();
  });

  test("a live automation changes only when its changes are published, and forgets none of them over a reload", async () => {
    const id = await draft(api, WELCOME, "Documented");
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=welcomed`);
    await page.getByRole("combobox", { name: "Tag" }).fill("greeted");
    await page.getByText("Changes not published").waitFor();
    await page.reload();
    await page.getByText("Changes not published").waitFor();
    expect(await page.getByRole("combobox", { name: "Tag" }).inputValue()).toBe("greeted");
    expect(await flowOf(api, id)).toEqual(WELCOME);
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await page.getByRole("combobox", { name: "Tag" }).inputValue()).toBe("welcomed");
    await page.getByRole("combobox", { name: "Tag" }).fill("greeted");
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByText("Changes not published").waitFor({ state: "detached" });
    const expected = structuredClone(WELCOME);
    expected.nodes.find(({ id: each }: any) => each === "welcomed").data.tag = "greeted";
    expect(await flowOf(api, id)).toEqual(expected);
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
    await page.getByRole("combobox", { name: "Tag" }).fill("b");
    await flowSaved(page, api, id, ({ nodes }) => nodes[1].data.tag === "b");
    const expected = structuredClone(flow);
    expected.nodes[1]!.data.tag = "b";
    expect(JSON.stringify(await flowOf(api, id))).toBe(JSON.stringify(expected));
    await end();
  });

  test.each([
    ["en-GB", "1,000", "0.75", "without thousands separators"],
    ["de-DE", "1.000", "0,75", "ohne Tausenderpunkt"],
  ])(
    "%s: a condition compares with the number that was meant, and %s is refused",
    async (locale, unclear, typed, says) => {
      const condition = {
        id: "asks",
        type: "condition",
        data: { all: [{ field: "attributes.share", op: "greaterThan", value: 0.5 }] },
      };
      const id = await draft(api, {
        nodes: [{ id: "in", type: "trigger", data: { trigger: "new_subscriber" } }, condition],
        edges: [{ source: "in", target: "asks" }],
      });
      const valueIn = (flow: any) => flow.nodes.find((node: any) => node.id === "asks").data.all[0].value;
      const kept = async (value: unknown) =>
        await eventually(async () => valueIn(await flowOf(api, id)) === value);
      const { page, open, end } = await visitAs(api, "editor", { locale });
      await open(`/automations/${id}?step=asks`);
      const value = page.locator(".automation-line input[inputmode=decimal]");
      await value.waitFor();
      expect(await value.inputValue()).toBe(typed.replace("75", "5"));
      await value.fill(unclear);
      await page.getByText(says).waitFor();
      await kept("");
      expect(await value.inputValue()).toBe(unclear);
      await value.fill(typed);
      await kept(0.75);
      expect(await value.inputValue()).toBe(typed);
      await end();
    },
  );

  test("a viewer looks and changes nothing", async () => {
    const id = await draft(api, WELCOME, "Looked at");
    const { page, open, end } = await visitAs(api, "viewer");
    await open(`/automations/${id}?step=welcomed`);
    await page.getByRole("combobox", { name: "Tag" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Tag" }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /Set live|Remove this step|Undo/ }).count()).toBe(0);
    await open("/automations");
    await page.getByRole("link", { name: "Looked at" }).waitFor();
    expect(await page.getByRole("button", { name: "New automation" }).count()).toBe(0);
    expect(await flowOf(api, id)).toEqual(WELCOME);
    await end();
  });

  test("one that could not be saved is not simulated as it was before", async () => {
    const tagging = ["tag", "action", { action: "add_tag", tag: "first" }] as const;
    const id = await draft(api, chain({ trigger: "new_subscriber" }, tagging));
    const { page, open, requests, end } = await visitAs(api, "editor");
    await open(`/automations/${id}?step=tag`);
    const tag = page.getByRole("combobox", { name: "Tag" });
    await tag.waitFor();
    await page.route(`**/api/v1/automations/${id}`, (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await tag.fill("second");
    await page.getByText(/^Not saved: /).waitFor();
    await page.getByRole("tab", { name: "Simulate" }).click();
    await page.getByRole("textbox", { name: "Person" }).fill("grace@example.com");
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByRole("alert").getByText("What you changed is not saved").waitFor();
    expect(requests.filter((url) => url.endsWith("/simulate"))).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByRole("region", { name: "The path" }).waitFor();
    await end([503]);
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
