import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { newRun } from "#automations/run/step/step-outcome.ts";
import {
  ADA,
  HELLO,
  NEW_SUBSCRIBER,
  NOW,
  ONE_DAY,
  edges,
  flowAround,
  node,
  performed,
  standingOn,
} from "../../support/automations/flows.ts";

describe("a run", () => {
  test("begins on its trigger and goes on from there at once", () => {
    expect(performed(flowAround("action", HELLO), newRun("in"))).toEqual({
      kind: "move",
      state: { currentNodeId: "it", waiting: false, steps: 1, stepsSinceWait: 1 },
      nextRunAt: NOW,
      effects: [],
    });
  });

  test("is COMPLETED at an end, even where edges lead out of it", () => {
    const flow = {
      nodes: [node("in", "trigger", NEW_SUBSCRIBER), node("out", "end")],
      edges: edges("in>out", "out>in"),
    };
    expect(performed(flow, standingOn("out"))).toEqual({ kind: "complete", effects: [] });
  });

  test("is COMPLETED where no edge leads on, after the step", () => {
    const flow = {
      nodes: [node("in", "trigger", NEW_SUBSCRIBER), node("it", "action", { action: "add_tag", tag: "new" })],
      edges: edges("in>it"),
    };
    expect(performed(flow, standingOn("it"))).toEqual({
      kind: "complete",
      effects: [{ kind: "addTag", tag: "new" }],
    });
  });

  test.each([
    ["trigger", "in", NEW_SUBSCRIBER],
    ["wait", "it", ONE_DAY],
  ] as const)("that is only a %s is COMPLETED after it", (type, id, data) => {
    const flow = { nodes: [node(id, type, data)], edges: [] };
    expect(performed(flow, standingOn(id, { waiting: true }))).toEqual({ kind: "complete", effects: [] });
  });

  test("FAILS with a readable message when its node is gone", () => {
    const outcome = performed(flowAround("end", {}), standingOn("deleted"));
    expect(outcome).toEqual({
      kind: "fail",
      errorMessage:
        'The step "deleted" is not in the flow: it was removed, or an edge leads to a step that is not there.',
    });
  });

  test("follows a dangling edge and FAILS there", () => {
    const flow = { nodes: [node("in", "trigger", NEW_SUBSCRIBER)], edges: edges("in>ghost") };
    const moved = performed(flow, newRun("in"));
    expect(moved).toMatchObject({ kind: "move", state: { currentNodeId: "ghost" } });
    expect(performed(flow, standingOn("ghost"))).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining("removed"),
    });
  });

  test("goes on as before where two edges lead to the same step", () => {
    const flow = {
      ...flowAround("action", { action: "unsubscribe" }),
      edges: edges("in>it", "it>out", "it>out"),
    };
    expect(performed(flow, standingOn("it"))).toMatchObject({
      kind: "move",
      state: { currentNodeId: "out" },
    });
  });
});

describe("a node that cannot be performed FAILS the run, with nothing done", () => {
  test.each([
    ["wait", { amount: 0, unit: "days" }, "`amount` must be a whole number"],
    ["condition", {}, "either `all` or `any`"],
    [
      "action",
      { action: "send_email", subject: "Hi", html: "{% if %}" },
      "Liquid template cannot be used in line 1, column 6",
    ],
    ["action", { action: "explode" }, "`action` must be"],
    ["action", { action: "webhook", url: "nowhere" }, "must be like https://example.com/hook"],
    ["action", { action: "add_to_list", listId: "ls_gone" }, 'There is no list "ls_gone"'],
    ["action", { action: "remove_from_list", listId: "ls_gone" }, 'There is no list "ls_gone"'],
    ["condition", { any: [{ field: "list", op: "equals", value: "ls_gone" }] }, 'There is no list "ls_gone"'],
    ["condition", { all: [{ field: "opened", op: "equals", value: "nope" }] }, 'no send_email step "nope"'],
    ["teleport", {}, 'The type "teleport" is not known'],
  ] as [string, JsonObject, string][])("%s %j", (type, data, message) => {
    const outcome = performed(flowAround(type, data), standingOn("it"));
    expect(outcome).toEqual({ kind: "fail", errorMessage: expect.stringContaining(message) as never });
    expect(outcome).toMatchObject({ errorMessage: expect.stringContaining('The step "it" cannot run: ') });
  });

  test("also where the flow does not say which way to go", () => {
    const action = {
      ...flowAround("action", { action: "unsubscribe" }),
      edges: edges("in>it", "it>out", "it>in"),
    };
    expect(performed(action, standingOn("it"))).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining("More than one edge"),
    });
    const condition = flowAround("condition", { all: [{ field: "tag", op: "equals", value: "vip" }] });
    const split = { ...condition, edges: edges("in>it", "it>out true", "it>in true") };
    expect(performed(split, standingOn("it"))).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining('The branch "true"'),
    });
    const twoTriggers = { ...action, nodes: [...action.nodes, node("in2", "trigger", NEW_SUBSCRIBER)] };
    expect(performed(twoTriggers, standingOn("in"))).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining("one trigger"),
    });
  });
});

describe("a wait", () => {
  const flow = flowAround("wait", ONE_DAY);

  test("holds the run where it is until it is over", () => {
    expect(performed(flow, standingOn("it", { steps: 1, stepsSinceWait: 1 }))).toEqual({
      kind: "move",
      state: { currentNodeId: "it", waiting: true, steps: 1, stepsSinceWait: 1 },
      nextRunAt: NOW + 86_400_000,
      effects: [],
    });
  });

  test("then leads on at once and starts the count of steps anew", () => {
    expect(
      performed(flow, standingOn("it", { waiting: true, steps: 1, stepsSinceWait: 1 }), {}, NOW + 86_400_000),
    ).toEqual({
      kind: "move",
      state: { currentNodeId: "out", waiting: false, steps: 2, stepsSinceWait: 0 },
      nextRunAt: NOW + 86_400_000,
      effects: [],
    });
  });

  test("that was made shorter or longer meanwhile is over when it was to be", () => {
    const longer = flowAround("wait", { amount: 9, unit: "weeks" });
    expect(performed(longer, standingOn("it", { waiting: true }))).toMatchObject({
      kind: "move",
      state: { currentNodeId: "out" },
    });
  });

  test("until a moment that was put off meanwhile holds the run until then", () => {
    const waits = standingOn("it", { waiting: true, steps: 1, stepsSinceWait: 1 });
    const putOff = flowAround("wait", { until: "2026-11-25T08:00:00Z" });
    expect(performed(putOff, waits)).toEqual({
      kind: "move",
      state: { currentNodeId: "it", waiting: true, steps: 1, stepsSinceWait: 1 },
      nextRunAt: Date.parse("2026-11-25T08:00:00Z"),
      effects: [],
    });
    expect(performed(putOff, waits, {}, Date.parse("2026-11-25T08:00:00Z"))).toMatchObject({
      state: { currentNodeId: "out", waiting: false, stepsSinceWait: 0 },
    });
  });

  test("whose node became another step meanwhile is performed as that step", () => {
    const outcome = performed(
      flowAround("action", { action: "add_tag", tag: "new" }),
      standingOn("it", { waiting: true }),
    );
    expect(outcome).toMatchObject({
      kind: "move",
      state: { currentNodeId: "out", waiting: false },
      effects: [{ kind: "addTag" }],
    });
  });

  test.each([
    [
      "in the future holds until then",
      "2026-11-25T08:00:00Z",
      { state: { currentNodeId: "it", waiting: true }, nextRunAt: Date.parse("2026-11-25T08:00:00Z") },
    ],
    [
      "now holds nobody",
      "2026-11-21T09:30:00Z",
      { state: { currentNodeId: "out", waiting: false, stepsSinceWait: 1 }, nextRunAt: NOW },
    ],
    [
      "in the past holds nobody",
      "2020-01-01T00:00:00Z",
      { state: { currentNodeId: "out", waiting: false, stepsSinceWait: 1 }, nextRunAt: NOW },
    ],
  ])("until a moment %s", (_, until, expected) => {
    expect(performed(flowAround("wait", { until }), standingOn("it"))).toMatchObject({
      kind: "move",
      ...expected,
    });
  });
});

describe("a condition", () => {
  const test1: JsonObject = { all: [{ field: "tag", op: "equals", value: "vip" }] };
  const flow: Flow = {
    nodes: [
      node("in", "trigger", NEW_SUBSCRIBER),
      node("it", "condition", test1),
      node("yes", "end"),
      node("no", "end"),
    ],
    edges: edges("in>it", "it>yes true", "it>no false", "it>in other", "it>in"),
  };

  test.each([
    [["vip"], "yes"],
    [[], "no"],
  ])("of a contact with the tags %j leads to %s, by its own edges only", (tags, target) => {
    expect(performed(flow, standingOn("it"), { contact: { ...ADA, tags } })).toMatchObject({
      kind: "move",
      state: { currentNodeId: target },
      effects: [],
    });
  });

  test.each([
    ["true", "it>no false"],
    ["false", "it>yes true"],
  ])("without a %s branch ends the run COMPLETED", (missing, arrow) => {
    const tags = missing === "true" ? ["vip"] : [];
    expect(
      performed({ ...flow, edges: edges("in>it", arrow) }, standingOn("it"), { contact: { ...ADA, tags } }),
    ).toEqual({
      kind: "complete",
      effects: [],
    });
  });
});
