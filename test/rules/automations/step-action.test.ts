import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { newRun, type StepOutcome } from "#automations/run/step/step-outcome.ts";
import {
  ABOUT_ADA,
  ADA,
  HELLO,
  NEW_SUBSCRIBER,
  NOW,
  edges,
  flowAround,
  node,
  performed,
  RUN,
  standingOn,
} from "../../support/automations/flows.ts";

const acting = (data: JsonObject, facts: Partial<Facts> = {}) =>
  performed(flowAround("action", data), standingOn("it", { steps: 4, stepsSinceWait: 2 }), facts);
const MOVED_OUT = {
  kind: "move",
  state: { currentNodeId: "out", waiting: false, steps: 5, stepsSinceWait: 3 },
  nextRunAt: NOW,
};

describe("an action", () => {
  test("plans a mail for a SUBSCRIBED contact, named by the step it belongs to", () => {
    expect(acting(HELLO)).toEqual({
      ...MOVED_OUT,
      effects: [
        {
          kind: "sendEmail",
          nodeId: "it",
          execution: 4,
          subject: "Hello",
          body: { kind: "html", source: "<p>Hello</p>" },
        },
      ],
    } as never);
  });

  test.each([
    ["PENDING", null],
    ["UNSUBSCRIBED", null],
    ["BOUNCED", null],
    ["SUBSCRIBED", "COMPLAINT"],
    ["SUBSCRIBED", "MANUAL"],
    ["SUBSCRIBED", "UNSUBSCRIBED"],
    ["SUBSCRIBED", "HARD_BOUNCE"],
  ] as const)("mails nobody who is %s with the suppression %p, and goes on", (status, suppression) => {
    expect(acting(HELLO, { contact: { ...ADA, status }, suppression })).toEqual({
      ...MOVED_OUT,
      effects: [],
    } as never);
  });

  const tags50 = Array.from({ length: 50 }, (_, i) => `t${i}`);
  test.each([
    [{ action: "add_tag", tag: "new" }, {}, [{ kind: "addTag", tag: "new" }]],
    [{ action: "add_tag", tag: "vip" }, {}, []],
    [{ action: "add_tag", tag: "VIP" }, {}, [{ kind: "addTag", tag: "VIP" }]],
    [{ action: "add_tag", tag: "t7" }, { tags: tags50 }, []],
    [{ action: "remove_tag", tag: "vip" }, {}, [{ kind: "removeTag", tag: "vip" }]],
    [{ action: "remove_tag", tag: "new" }, {}, []],
    [{ action: "add_to_list", listId: "ls_other" }, {}, [{ kind: "addToList", listId: "ls_other" }]],
    [
      { action: "add_to_list", listId: "ls_other" },
      { status: "PENDING" },
      [{ kind: "addToList", listId: "ls_other" }],
    ],
    [{ action: "add_to_list", listId: "ls_other" }, { status: "UNSUBSCRIBED" }, []],
    [{ action: "add_to_list", listId: "ls_other" }, { status: "BOUNCED" }, []],
    [{ action: "add_to_list", listId: "ls_news" }, {}, []],
    [{ action: "add_to_list", listId: "ls_left" }, {}, []],
    [{ action: "remove_from_list", listId: "ls_news" }, {}, [{ kind: "removeFromList", listId: "ls_news" }]],
    [{ action: "remove_from_list", listId: "ls_other" }, {}, []],
    [
      { action: "set_field", field: "firstName", value: "Augusta" },
      {},
      [{ kind: "setField", field: "firstName", value: "Augusta" }],
    ],
    [
      { action: "set_field", field: "lastName", value: "" },
      {},
      [{ kind: "setField", field: "lastName", value: "" }],
    ],
    [{ action: "set_field", field: "firstName", value: "Ada" }, {}, []],
    [{ action: "unsubscribe" }, {}, [{ kind: "unsubscribe" }]],
    [{ action: "unsubscribe" }, { status: "PENDING" }, [{ kind: "unsubscribe" }]],
    [{ action: "unsubscribe" }, { status: "UNSUBSCRIBED" }, [{ kind: "unsubscribe" }]],
    [{ action: "unsubscribe" }, { status: "BOUNCED" }, []],
  ] as [JsonObject, Partial<Facts["contact"]>, unknown[]][])("%j for %j", (data, contact, effects) => {
    expect(acting(data, { contact: { ...ADA, ...contact } })).toEqual({ ...MOVED_OUT, effects } as never);
  });

  test("that would give a contact their 51st tag FAILS", () => {
    expect(acting({ action: "add_tag", tag: "new" }, { contact: { ...ADA, tags: tags50 } })).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining("at most 50 tags"),
    });
  });

  test("that calls a webhook needs it done first, under a name that stays the same when it is tried again", () => {
    const outcome = acting({ action: "webhook", url: "https://example.com/hook" });
    const { createdAt, attributes: _attributes, ...ada } = ADA;
    const { createdAt: orderedAt, ...order } = ABOUT_ADA.event!;
    expect(outcome).toEqual({
      kind: "needs",
      call: {
        kind: "webhook",
        nodeId: "it",
        messageId: "msg_en_1_4",
        url: "https://example.com/hook",
        payload: {
          type: "automation.webhook",
          timestamp: new Date(NOW).toISOString(),
          data: {
            ...RUN,
            nodeId: "it",
            contact: { ...ada, createdAt: new Date(createdAt).toISOString() },
            event: { ...order, createdAt: new Date(orderedAt).toISOString() },
          },
        },
      },
      next: { ...MOVED_OUT, effects: [] },
    } as never);
    expect(acting({ action: "webhook", url: "https://example.com/hook" })).toEqual(outcome);
    expect(acting({ action: "webhook", url: "https://example.com/hook" }, { event: null })).toHaveProperty(
      "call.payload.data.event",
      null,
    );
  });
});

describe("a loop without a wait", () => {
  const loop: Flow = {
    nodes: [
      node("in", "trigger", NEW_SUBSCRIBER),
      node("a", "action", { action: "add_tag", tag: "vip" }),
      node("b", "action", { action: "remove_tag", tag: "x" }),
    ],
    edges: edges("in>a", "a>b", "b>a"),
  };
  const runOn = (flow: Flow, facts: Partial<Facts> = {}): { outcome: StepOutcome; turns: number } => {
    let [state, now, turns] = [newRun("in"), NOW, 0];
    for (;;) {
      const outcome = performed(flow, state, facts, now);
      if (outcome.kind !== "move" || ++turns > 2000) return { outcome, turns };
      ({ state, nextRunAt: now } = outcome);
    }
  };

  test("is stopped after 100 steps: FAILED", () => {
    const { outcome, turns } = runOn(loop);
    expect(turns).toBe(100);
    expect(outcome).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining(
        "part of a loop without a wait; the run was stopped after 100 steps",
      ),
    });
  });

  test("is stopped also where its only wait is for a moment long past", () => {
    const flow = {
      ...loop,
      nodes: [...loop.nodes.slice(0, 2), node("b", "wait", { until: "2020-01-01T00:00:00Z" })],
    };
    expect(runOn(flow)).toMatchObject({ turns: 100, outcome: { kind: "fail" } });
  });

  test("is not stopped with a wait on the way", () => {
    const flow = {
      ...loop,
      nodes: [...loop.nodes.slice(0, 2), node("b", "wait", { amount: 1, unit: "minutes" })],
    };
    expect(runOn(flow).turns).toBeGreaterThan(2000);
  });

  test("is no straight way, however long", () => {
    const ids = Array.from({ length: 498 }, (_, i) => `n${i}`);
    const flow: Flow = {
      nodes: [
        node("in", "trigger", NEW_SUBSCRIBER),
        ...ids.map((id) => node(id, "action", { action: "add_tag", tag: "vip" })),
        node("out", "end"),
      ],
      edges: edges("in>n0", ...ids.slice(1).map((id, i) => `n${i}>${id}`), "n497>out"),
    };
    expect(runOn(flow)).toEqual({ turns: 499, outcome: { kind: "complete", effects: [] } });
  });
});
