/** The model behind the automations canvas: a flow that is edited keeps everything that the edit is not about. */
import { describe, expect, test } from "bun:test";
import {
  addNode,
  connect,
  disconnect,
  insertAfter,
  mayConnect,
  moveNode,
  removeNode,
  setData,
  tidyUp,
} from "../../../src/console/ui/flow/edit-flow.ts";
import {
  isEditable,
  LINE_SUBJECTS,
  newLine,
  opsOf,
  readLines,
  writeLines,
} from "../../../src/console/ui/flow/condition-lines.ts";
import { flowRows } from "../../../src/console/ui/flow/flow-order.ts";
import { edgesBy, type Flow } from "../../../src/console/ui/flow/flow.ts";
import { NODE_WIDTH, positionsOf } from "../../../src/console/ui/flow/layout.ts";
import { kindOf, newNode, NODE_KINDS } from "../../../src/console/ui/flow/node-kind.ts";
import { mailSubjectIn, nodeSummary, nodeTitle } from "../../../src/console/ui/flow/node-words.ts";
import { de } from "../../../src/console/ui/texts/de/index.ts";
import { en } from "../../../src/console/ui/texts/en/index.ts";
import { readNode } from "#automations/flow/node.ts";
import { dice } from "../../support/common/dice.ts";
import { actionNames, nodeTypes, triggerNames } from "../../support/automations/flow-names.ts";
import { hostileStrings } from "../../support/document/fuzz-values.ts";

/** With members that the console knows nothing of, everywhere. */
const FLOW: Flow = {
  viewport: { zoom: 2 },
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber", colour: "red" }, label: "Start" },
    { id: "wait", type: "wait", data: { amount: 2, unit: "days" } },
    { id: "ask", type: "condition", data: { any: [{ field: "tag", op: "equals", value: "vip", note: 1 }] } },
    {
      id: "mail",
      type: "action",
      data: { action: "send_email", subject: "Hi", html: "<p>x</p>" },
      position: { x: 1, y: 2 },
    },
    { id: "note", type: "sticky", data: { text: "remember" } },
    { id: "out", type: "end", data: {} },
  ],
  edges: [
    { id: "e1", source: "in", target: "wait", animated: true },
    { source: "wait", target: "ask" },
    { source: "ask", target: "mail", sourceHandle: "true", label: "VIP" },
    { source: "ask", target: "out", sourceHandle: "false" },
    { source: "ask", target: "note", sourceHandle: "maybe" },
    { source: "mail", target: "out" },
  ],
};

const edge = (flow: Flow, source: string, way: "true" | "false" | null) =>
  edgesBy(flow, source, way).map(({ target }) => target);

describe("an edit", () => {
  test("leaves all that it is not about as the very same objects, unknown members too", () => {
    const moved = moveNode(FLOW, "wait", { x: 10.4, y: 5.6 });
    expect(moved["viewport"]).toBe(FLOW["viewport"]);
    expect(moved.edges).toBe(FLOW.edges);
    expect(moved.nodes.filter((node, at) => node !== FLOW.nodes[at]).map(({ id }) => id)).toEqual(["wait"]);
    expect(moved.nodes[1]).toEqual({ ...FLOW.nodes[1]!, position: { x: 10, y: 6 } });
    const written = setData(FLOW, "in", { trigger: "new_subscriber" });
    expect(written.nodes[0]).toEqual({ ...FLOW.nodes[0]!, data: { trigger: "new_subscriber" } });
    expect(written.nodes.slice(1)).toEqual(FLOW.nodes.slice(1));
    expect(JSON.stringify(tidyUp(FLOW))).toBe(JSON.stringify(FLOW).replace(`,"position":{"x":1,"y":2}`, ""));
  });

  test("a way leads to one node: connecting again moves its edge, which keeps its other members", () => {
    const joined = connect(FLOW, "ask", "true", "wait");
    expect(joined.edges[2]).toEqual({ source: "ask", target: "wait", sourceHandle: "true", label: "VIP" });
    expect(joined.edges.length).toBe(FLOW.edges.length);
    expect(edge(disconnect(FLOW, "ask", "true"), "ask", "true")).toEqual([]);
    expect(disconnect(FLOW, "ask", "true").edges.at(-2)).toEqual(FLOW.edges.at(-2));
  });

  test.each([
    ["a trigger, which is only entered", "wait", null, "in"],
    ["its own node", "wait", null, "wait"],
    ["a node that is not there", "wait", null, "gone"],
    ["anywhere from an end", "out", null, "mail"],
    ["anywhere by a way the node does not have", "wait", "true", "mail"],
  ] as const)("no way leads to %s", (_, source, way, target) => {
    expect(mayConnect(FLOW, source, way, target)).toBe(false);
    expect(connect(FLOW, source, way, target)).toBe(FLOW);
  });

  test("a node that is put in goes on to what came next; a condition by yes; an end stops the way", () => {
    const tagged = insertAfter(FLOW, "addTag", "wait", null);
    expect([edge(tagged.flow, "wait", null), edge(tagged.flow, tagged.id, null)]).toEqual([
      [tagged.id],
      ["ask"],
    ]);
    const asked = insertAfter(FLOW, "condition", "mail", null);
    expect([edge(asked.flow, asked.id, "true"), edge(asked.flow, asked.id, "false")]).toEqual([["out"], []]);
    const ended = insertAfter(FLOW, "end", "wait", null);
    expect([edge(ended.flow, "wait", null), edge(ended.flow, ended.id, null)]).toEqual([[ended.id], []]);
  });

  test("a node that is taken out joins what it stood between; a condition, whose ways part, joins nothing", () => {
    const without = removeNode(FLOW, "wait");
    expect(without.edges[0]).toEqual({ id: "e1", source: "in", target: "ask", animated: true });
    const parted = removeNode(FLOW, "ask");
    expect(edge(parted, "wait", null)).toEqual([]);
    expect(parted.edges.some(({ source, target }) => source === "ask" || target === "ask")).toBe(false);
    expect(removeNode(FLOW, "gone")).toBe(FLOW);
  });

  test("a new node has an id of its own, and every kind is one that the engine knows", () => {
    let flow: Flow = { nodes: [], edges: [] };
    for (const kind of [...NODE_KINDS, ...NODE_KINDS]) flow = addNode(flow, kind).flow;
    expect(new Set(flow.nodes.map(({ id }) => id)).size).toBe(NODE_KINDS.length * 2);
    expect(flow.nodes.slice(0, NODE_KINDS.length).map(kindOf)).toEqual([...NODE_KINDS]);
    for (const kind of NODE_KINDS) {
      const reading = readNode(newNode({ nodes: [], edges: [] }, kind) as never);
      // What is left empty is named as a problem; the kind itself is known.
      if (!reading.ok) expect(JSON.stringify(reading)).not.toContain("must be one of");
    }
  });
});

describe("the lines of a condition", () => {
  test("are read and written back with all their members; another shape is not touched", () => {
    const { data } = FLOW.nodes[2]!;
    const read = readLines(data)!;
    expect(writeLines(data, read)).toEqual(data);
    expect(writeLines({ ...data, colour: 1 }, { ...read, match: "all" })).toEqual({
      colour: 1,
      all: read.lines,
    });
    for (const strange of [{}, { all: "x" }, { any: [{ field: 1, op: "equals" }] }, { all: [{ all: [] }] }])
      expect(readLines(strange)).toBeNull();
  });

  test("every new line with a value, by every op, is one that the engine reads", () => {
    for (const subject of LINE_SUBJECTS) {
      for (const op of opsOf(subject)) {
        const line = newLine(subject);
        const field = line.field.endsWith(".") ? `${line.field}plan` : line.field;
        const value =
          op === "greaterThan" || op === "lessThan" || typeof line.value === "number" ? 5 : "SUBSCRIBED";
        const data = { all: [{ ...line, field, op, value }] };
        const reading = readNode({ id: "x", type: "condition", data } as never);
        expect([field, op, reading.ok]).toEqual([field, op, true]);
        expect(isEditable({ ...line, field, op, value })).toBe(true);
      }
    }
  });

  test.each([
    { field: "colour", op: "equals", value: "red" },
    { field: "tag", op: "like", value: "red" },
    { field: "attributes", op: "equals", value: "red" },
    { field: "tag.x", op: "equals", value: "red" },
    { field: "email", op: "equals", value: ["a"] },
  ])("a line that the console does not know is locked: %j", (line) => expect(isEditable(line)).toBe(false));
});

describe("the flow as a list", () => {
  test("has each node once, in the order somebody walks it; ways back and shared ends are named", () => {
    const round: Flow = { ...FLOW, edges: [...FLOW.edges.slice(0, 5), { source: "mail", target: "wait" }] };
    const shown = flowRows(round).map((row) =>
      row.kind === "step" ? [row.node.id, row.depth, row.by] : [`-> ${row.to.id}`, row.depth, row.by],
    );
    expect(shown).toEqual([
      ["in", 0, "start"],
      ["wait", 0, null],
      ["ask", 0, null],
      ["mail", 1, "true"],
      ["-> wait", 1, null],
      ["out", 1, "false"],
      ["note", 0, "loose"],
    ]);
  });

  test("of 500 nodes in any tangle has every node once, and a place for each on the canvas", () => {
    const of = dice(7);
    const nodes = Array.from({ length: 500 }, (_, at) => ({
      id: `n${at}`,
      type: ["trigger", "wait", "condition", "end"][of.roll(4)]!,
      data: {},
    }));
    const edges = Array.from({ length: 1000 }, () => ({
      source: `n${of.roll(500)}`,
      target: `n${of.roll(510)}`,
      ...(of.roll(2) === 0 ? {} : { sourceHandle: of.roll(2) === 0 ? "true" : "false" }),
    }));
    const flow: Flow = { nodes, edges };
    const steps = flowRows(flow).flatMap((row) => (row.kind === "step" ? [row.node.id] : []));
    expect(steps.toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
    const places = positionsOf(flow);
    expect(places.size).toBe(500);
    expect([...places.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});

test("the canvas puts yes left of no, and leaves what was put by hand where it is", () => {
  const flow: Flow = {
    ...FLOW,
    nodes: FLOW.nodes.filter(({ id }) => id !== "note"),
    edges: FLOW.edges.slice(0, 4),
  };
  const places = positionsOf(tidyUp(flow));
  expect(places.get("mail")!.x).toBeLessThan(places.get("out")!.x);
  expect(positionsOf(flow).get("mail")).toEqual({ x: 1, y: 2 });
});

test("a way that leads past a step does not lie behind it", () => {
  const nodes = [
    { id: "ask", type: "condition", data: {} },
    { id: "remind", type: "wait", data: {} },
    { id: "out", type: "end", data: {} },
  ];
  const edges = [
    { source: "ask", target: "out", sourceHandle: "true" },
    { source: "ask", target: "remind", sourceHandle: "false" },
    { source: "remind", target: "out" },
  ];
  const places = positionsOf({ nodes, edges });
  expect(places.get("remind")!.x - places.get("ask")!.x).toBeGreaterThan(NODE_WIDTH / 2);
});

describe("the palette", () => {
  const offered = (type: string, member: string): string[] =>
    NODE_KINDS.map((kind) => newNode({ nodes: [], edges: [] }, kind))
      .filter((node) => node.type === type)
      .map(({ data }) => String(data[member]))
      .toSorted();

  test("has every trigger and every action that the engine reads, and no other", () => {
    expect(offered("trigger", "trigger")).toEqual(triggerNames().toSorted());
    expect(offered("action", "action")).toEqual(actionNames().toSorted());
  });

  test("has every type of node that the engine reads", () => {
    const types = new Set(NODE_KINDS.map((kind) => newNode({ nodes: [], edges: [] }, kind).type));
    expect([...types].toSorted()).toEqual(nodeTypes().toSorted());
  });
});

describe("the words of a node", () => {
  const mail = (id: string, subject: string) => ({
    id,
    type: "action",
    data: { action: "send_email", subject },
  });
  const mails: Flow = { nodes: [mail("mail_1", "Welcome!"), mail("mail_2", "")], edges: [] };
  const wordingOf = (texts: typeof en.automations) => ({
    texts,
    quantity: (value: number) => ({ value, shown: String(value) }),
    dateTime: (at: string) => at,
    listName: (id: string) => (id === "list_1" ? "News" : null),
    mailSubject: (id: string) => mailSubjectIn(mails, id),
  });

  test("say in one line what it does, in both languages", () => {
    for (const { automations } of [en, de]) {
      const wording = wordingOf(automations);
      for (const kind of NODE_KINDS) {
        const node = newNode({ nodes: [], edges: [] }, kind);
        expect([nodeTitle(node, wording), nodeSummary(node, wording)].every((text) => text.length > 0)).toBe(
          true,
        );
      }
    }
    const wording = wordingOf(en.automations);
    const words = (type: string, data: object) =>
      nodeSummary({ id: "x", type, data: data as never }, wording);
    expect(words("wait", { amount: 2, unit: "days" })).toBe("2 days");
    expect(words("wait", { amount: 1, unit: "days" })).toBe("1 day");
    expect(words("action", { action: "add_to_list", listId: "list_1" })).toBe("News");
    expect(words("action", { action: "add_to_list", listId: "list_2" })).toBe("A list that is gone (list_2)");
    expect(words("condition", { all: [{ field: "tag", op: "equals", value: "vip" }] })).toBe("Tag is vip");
    const opened = (value: string) => words("condition", { all: [{ field: "opened", op: "exists", value }] });
    expect(opened("mail_1")).toBe("Opened “Welcome!”");
    expect(opened("mail_2")).toBe("Opened “No subject yet”");
    expect([opened(""), opened("mail_3")]).toEqual(["Not chosen yet", "Not chosen yet"]);
    expect(words("action", { action: "set_field", field: "attributes.plan", value: "pro" })).toBe(
      "plan: pro",
    );
    expect(words("sticky", {})).toBe("x");
  });

  test("take any value of any member without failing", () => {
    const wording = wordingOf(en.automations);
    for (const text of hostileStrings())
      for (const value of [text, 5, null, [text], { a: text }, true]) {
        for (const kind of NODE_KINDS) {
          const node = newNode({ nodes: [], edges: [] }, kind);
          const data = Object.fromEntries(
            Object.keys({ ...node.data, until: 1, amount: 1, unit: 1 }).map((name) => [
              name,
              ["trigger", "action"].includes(name) ? node.data[name] : value,
            ]),
          );
          expect(nodeSummary({ ...node, data }, wording)).toBeString();
        }
      }
  });
});
