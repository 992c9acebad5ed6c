import { describe, expect, test } from "bun:test";
import { parseAutomationChange, parseNewAutomation } from "#automations/flow/automation-input.ts";
import { INITIAL_FLOW } from "#automations/flow/flow.ts";
import { parseFlow } from "#automations/flow/flow-input.ts";
import { edges, node } from "../../support/automations/flows.ts";

const told = (parsed: { ok: boolean; value?: unknown; refusal?: { code: string; message: string } }): any =>
  parsed.ok ? parsed.value : `${parsed.refusal!.code} ${parsed.refusal!.message}`;

describe("the name of an automation", () => {
  test.each([
    [undefined, "Untitled automation"],
    [null, "Untitled automation"],
    ["", "Untitled automation"],
    ["   ", "Untitled automation"],
    ["\0", "Untitled automation"],
    [" Welcome ", "Welcome"],
    ["Bienvenue à bord 🎉", "Bienvenue à bord 🎉"],
  ])("%j on POST is %s", (name, stored) => {
    expect(told(parseNewAutomation({ name }))).toEqual({ name: stored });
  });

  test.each([
    [undefined, undefined],
    [null, undefined],
    ["", "Untitled automation"],
    [" ", "Untitled automation"],
    ["Welcome", "Welcome"],
  ])("%j on PATCH is %p", (name, stored) => {
    expect(told(parseAutomationChange({ name }))).toEqual({
      name: stored,
      flow: undefined,
      status: undefined,
    });
  });

  test.each([[5], [true], [["a"]], [{}]])("%j is refused", (name) => {
    expect(told(parseNewAutomation({ name }))).toStartWith("VALIDATION_ERROR `name`");
    expect(told(parseAutomationChange({ name }))).toStartWith("VALIDATION_ERROR `name`");
  });
});

describe("PATCH of an automation", () => {
  test("with nothing in it asks for nothing", () => {
    const nothing = { name: undefined, flow: undefined, status: undefined };
    expect(told(parseAutomationChange({}))).toEqual(nothing);
    expect(told(parseAutomationChange({ name: null, flowJson: null, status: null }))).toEqual(nothing);
  });

  test.each([["LIVE"], ["PAUSED"], ["DRAFT"]])("takes the status %s", (status) => {
    expect(told(parseAutomationChange({ status }))).toMatchObject({ status });
  });

  test.each([["live"], [""], ["ACTIVE"], [5], [["LIVE"]]])("refuses the status %j", (status) => {
    expect(told(parseAutomationChange({ status }))).toStartWith("VALIDATION_ERROR `status`");
  });

  test("refuses all of it for one bad member", () => {
    expect(told(parseAutomationChange({ name: "Welcome", status: "LIVE", flowJson: {} }))).toStartWith(
      "VALIDATION_ERROR",
    );
  });
});

describe("the shape of a flow", () => {
  const GOOD = { nodes: [node("a", "trigger", {}), node("b", "end")], edges: edges("a>b") };

  test("a new automation's has one trigger node: new subscriber joins", () => {
    expect(told(parseFlow(INITIAL_FLOW))).toEqual(INITIAL_FLOW);
    expect(INITIAL_FLOW).toEqual({
      nodes: [{ id: "trigger", type: "trigger", data: { trigger: "new_subscriber" } }],
      edges: [],
    });
  });

  test("keeps members it does not know, wherever they are", () => {
    const flow = {
      viewport: { x: 1, y: 2, zoom: 0.5 },
      nodes: [
        {
          ...node("a", "trigger", { label: "Start" }),
          position: { x: 10, y: 20 },
          selected: true,
          width: null,
        },
      ],
      edges: [
        {
          source: "a",
          target: "a",
          id: "e1",
          sourceHandle: null,
          animated: false,
          style: { stroke: "#f00" },
        },
      ],
    };
    expect(told(parseFlow(structuredClone(flow)))).toEqual(flow);
  });

  test("says nothing about what the flow means", () => {
    const senseless = {
      nodes: [node("a", "no_such_type", { x: 1 }), node("b", "wait", { amount: -1 })],
      edges: edges("a>nowhere", "nowhere>b", "a>a"),
    };
    expect(told(parseFlow(senseless))).toEqual(senseless);
    expect(told(parseFlow({ nodes: [], edges: [] }))).toEqual({ nodes: [], edges: [] });
  });

  const withNode = (entry: unknown) => ({ ...GOOD, nodes: [...GOOD.nodes, entry] });
  const withEdge = (entry: unknown) => ({ ...GOOD, edges: [...GOOD.edges, entry] });
  test.each([
    ["flowJson", null],
    ["flowJson", []],
    ["flowJson", "{}"],
    ["flowJson", 5],
    ["flowJson.nodes", {}],
    ["flowJson.nodes", { nodes: {}, edges: [] }],
    ["flowJson.nodes", { nodes: null, edges: [] }],
    ["flowJson.edges", { nodes: [] }],
    ["flowJson.edges", { nodes: [], edges: {} }],
    ["flowJson.nodes[2]", withNode(null)],
    ["flowJson.nodes[2]", withNode("a")],
    ["flowJson.nodes[2]", withNode([])],
    ["flowJson.nodes[2].id", withNode({ type: "end", data: {} })],
    ["flowJson.nodes[2].id", withNode({ id: 7, type: "end", data: {} })],
    ["flowJson.nodes[2].id", withNode({ id: "", type: "end", data: {} })],
    ["flowJson.nodes[2].id", withNode({ id: "a", type: "end", data: {} })],
    ["flowJson.nodes[2].id", withNode({ id: "c\0", type: "end", data: {} })],
    ["flowJson.nodes[2].id", withNode({ id: "c\ud800", type: "end", data: {} })],
    ["flowJson.nodes[2].type", withNode({ id: "c", data: {} })],
    ["flowJson.nodes[2].type", withNode({ id: "c", type: null, data: {} })],
    ["flowJson.nodes[2].data", withNode({ id: "c", type: "end" })],
    ["flowJson.nodes[2].data", withNode({ id: "c", type: "end", data: null })],
    ["flowJson.nodes[2].data", withNode({ id: "c", type: "end", data: [] })],
    ["flowJson.nodes[2].data", withNode({ id: "c", type: "end", data: "{}" })],
    ["flowJson.edges[1]", withEdge(5)],
    ["flowJson.edges[1].source", withEdge({ target: "b" })],
    ["flowJson.edges[1].source", withEdge({ source: 1, target: "b" })],
    ["flowJson.edges[1].target", withEdge({ source: "a" })],
    ["flowJson.edges[1].target", withEdge({ source: "a", target: {} })],
  ])("is refused at `%s`: %j", (path, flow) => {
    expect(told(parseFlow(flow))).toStartWith(`VALIDATION_ERROR \`${path}\` `);
  });

  test("names both places of a repeated id", () => {
    expect(told(parseFlow(withNode(node("a", "end"))))).toContain("like `flowJson.nodes[0].id`");
  });

  test.each([
    ['{"nodes":[],"edges":[],"__proto__":{"polluted":1}}'],
    ['{"nodes":[{"id":"a","type":"end","data":{},"position":{"__proto__":1}}],"edges":[]}'],
    ['{"nodes":[],"edges":[{"source":"a","target":"b","style":[{"__proto__":1}]}]}'],
  ])("has no key that sets a prototype: %s", (json) => {
    expect(told(parseFlow(JSON.parse(json)))).toMatch(/^VALIDATION_ERROR `flowJson.* has a key/);
    expect(({} as any).polluted).toBeUndefined();
  });

  test.each([
    ['{"nodes":[{"id":"a","type":"end","data":{"constructor":{"prototype":{"polluted":1}}}}],"edges":[]}'],
    ['{"nodes":[],"edges":[{"source":"a","target":"b","style":[{"prototype":1}]}]}'],
  ])("keeps a key that every object has, and changes no prototype: %s", (json) => {
    expect(told(parseFlow(JSON.parse(json)))).toEqual(JSON.parse(json));
    expect(({} as any).polluted).toBeUndefined();
  });

  test.each([["all"], ["any"]])("has at most 50 tests in `%s` of a condition", (match) => {
    const asking = (tests: number, type = "condition") =>
      withNode(node("c", type, { [match]: Array<string>(tests).fill("senseless") }));
    expect(told(parseFlow(asking(50)))).toHaveProperty("nodes");
    expect(told(parseFlow(asking(51)))).toBe(
      `VALIDATION_ERROR \`flowJson.nodes[2].data.${match}\` has 51 tests; at most 50 are allowed.`,
    );
    expect(told(parseFlow(asking(51, "note")))).toHaveProperty("nodes");
  });

  test("is nested at most 32 deep, however deep it comes", () => {
    const nested = (levels: number) =>
      JSON.parse(`{"nodes":[],"edges":[],"x":${"[".repeat(levels)}${"]".repeat(levels)}}`);
    expect(told(parseFlow(nested(31)))).toHaveProperty("x");
    expect(told(parseFlow(nested(32)))).toContain("32 levels");
    expect(told(parseFlow(nested(200_000)))).toContain("32 levels");
  });

  test("has at most 500 nodes, 1,000 edges and 262,144 bytes", () => {
    const nodes = (n: number) => Array.from({ length: n }, (_, i) => node(`n${i}`, "end"));
    expect(told(parseFlow({ nodes: nodes(500), edges: [] }))).toHaveProperty("nodes");
    expect(told(parseFlow({ nodes: nodes(501), edges: [] }))).toContain(
      "`flowJson.nodes` has 501 entries; at most 500",
    );
    const arrows = (n: number) => Array.from({ length: n }, () => ({ source: "a", target: "b" }));
    expect(told(parseFlow({ nodes: [], edges: arrows(1000) }))).toHaveProperty("edges");
    expect(told(parseFlow({ nodes: [], edges: arrows(1001) }))).toContain(
      "`flowJson.edges` has 1001 entries; at most 1000",
    );
    const sized = (bytes: number) => ({ nodes: [], edges: [], x: "é".repeat((bytes - 30) / 2) });
    expect(Buffer.byteLength(JSON.stringify(sized(262_144)))).toBe(262_144);
    expect(told(parseFlow(sized(262_144)))).toHaveProperty("x");
    expect(told(parseFlow({ ...sized(262_144), x: `${sized(262_144).x}a` }))).toContain(
      "262145 bytes of JSON",
    );
  });
});
