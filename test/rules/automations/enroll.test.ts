import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Trigger } from "#core/trigger.ts";
import { decideEnroll, entryFor, staysUntil, type ActiveRun } from "#automations/run/enroll.ts";
import { HOUR_MS } from "#core/time/time.ts";
import { HELLO, node } from "../../support/automations/flows.ts";

const JOINED: Trigger = { kind: "new_subscriber" };
const TAGGED: Trigger = { kind: "tag_added", tag: "vip" };
const ORDERED: Trigger = { kind: "custom_event", eventName: "order_placed", eventId: "ev_1" };

const entry = (data: JsonObject, trigger: Trigger) =>
  entryFor({ nodes: [node("in", "trigger", data)], edges: [] }, trigger);

describe("what lets a contact in", () => {
  test.each([
    [{ trigger: "new_subscriber" }, [true, false, false]],
    [{ trigger: "tag_added", tag: "vip" }, [false, true, false]],
    [{ trigger: "tag_added", tag: " vip " }, [false, true, false]],
    [{ trigger: "tag_added", tag: "VIP" }, [false, false, false]],
    [{ trigger: "tag_added", tag: "new_subscriber" }, [false, false, false]],
    [{ trigger: "custom_event", eventName: "order_placed" }, [false, false, true]],
    [{ trigger: "custom_event", eventName: "Order Placed" }, [false, false, true]],
    [{ trigger: "custom_event", eventName: "orderPlaced" }, [false, false, true]],
    [{ trigger: "custom_event", eventName: "order" }, [false, false, false]],
    [{ trigger: "custom_event", eventName: "vip" }, [false, false, false]],
    [{ trigger: "birthday" }, [false, false, false]],
    [{ trigger: "tag_added" }, [false, false, false]],
    [{}, [false, false, false]],
  ] as [JsonObject, boolean[]][])("%j on joining, on the tag vip, on an order: %j", (data, lets) => {
    expect([JOINED, TAGGED, ORDERED].map((trigger) => entry(data, trigger) !== null)).toEqual(lets);
  });

  test("is a trigger node, whatever else carries such data", () => {
    const nodes = [
      node("a", "action", { ...HELLO, trigger: "new_subscriber" }),
      node("t", "trigger", { trigger: "new_subscriber" }),
    ];
    expect(entryFor({ nodes, edges: [] }, JOINED)).toEqual({ nodeId: "t", reenroll: "once" });
    expect(entryFor({ nodes: [], edges: [] }, JOINED)).toBeNull();
  });

  test("is the trigger that fits, and of several the least id, in whatever order they stand", () => {
    const nodes = [
      node("c", "trigger", { trigger: "new_subscriber" }),
      node("b", "trigger", { trigger: "new_subscriber", reenroll: "each_time" }),
      node("a", "trigger", { trigger: "tag_added", tag: "vip" }),
    ];
    for (const order of [nodes, nodes.toReversed()]) {
      expect(entryFor({ nodes: order, edges: [] }, JOINED)).toEqual({ nodeId: "b", reenroll: "each_time" });
      expect(entryFor({ nodes: order, edges: [] }, TAGGED)).toEqual({ nodeId: "a", reenroll: "each_time" });
      expect(entryFor({ nodes: order, edges: [] }, ORDERED)).toBeNull();
    }
  });
});

test("the triggers of a flow are read once, however many may enter", () => {
  let read = 0;
  const data = {
    trigger: "custom_event",
    get eventName() {
      read++;
      return "order_placed";
    },
  };
  const flow = { nodes: [node("in", "trigger", data)], edges: [] };
  expect(entryFor(flow, ORDERED)).not.toBeNull();
  const before = read;
  expect(before).toBeGreaterThan(0);
  for (const trigger of [ORDERED, JOINED, ORDERED]) entryFor(flow, trigger);
  expect(read).toBe(before);
});

describe("who enters again", () => {
  test.each([
    [{ trigger: "new_subscriber" }, JOINED, "once"],
    [{ trigger: "tag_added", tag: "vip" }, TAGGED, "each_time"],
    [{ trigger: "custom_event", eventName: "order_placed" }, ORDERED, "each_time"],
    [{ trigger: "new_subscriber", reenroll: "each_time" }, JOINED, "each_time"],
    [{ trigger: "tag_added", tag: "vip", reenroll: "once" }, TAGGED, "once"],
  ] as [JsonObject, Trigger, string][])("%j on %j: %s", (data, trigger, reenroll) => {
    expect(entry(data, trigger)).toEqual({ nodeId: "in", reenroll } as never);
  });

  const NOW = 1_000_000;
  const at = (waiting: boolean, nextRunAt: number) => ({ waiting, nextRunAt });
  const was = (active: ActiveRun | null, everEnrolled = true, causedStays = false) => ({
    active,
    everEnrolled,
    causedStays,
  });
  test.each([
    ["once", "new", was(null, false), 0, "enroll"],
    ["once", "over", was(null), 0, "once-only"],
    ["once", "on its way", was(at(false, NOW)), 0, "once-only"],
    ["each_time", "new", was(null, false), 0, "enroll"],
    ["each_time", "over", was(null), 0, "enroll"],
    ["each_time", "at a wait", was(at(true, NOW + HOUR_MS)), 0, "already-active"],
    ["each_time", "at a wait that is over", was(at(true, NOW)), 0, "stay"],
    ["each_time", "on its way", was(at(false, NOW)), 0, "stay"],
    ["each_time", "at a step that is tried again", was(at(false, NOW + HOUR_MS)), 0, "stay"],
    ["each_time", "on its way, by a tag of a run", was(at(false, NOW)), 1, "stay"],
    ["each_time", "the same, and one stays", was(at(false, NOW), true, true), 1, "already-active"],
    ["each_time", "by an event, and one stays", was(at(false, NOW), true, true), 0, "stay"],
  ] as const)("%s, %s", (policy, _, history, depth, decision) => {
    expect(decideEnroll(policy, history, { depth, now: NOW })).toBe(decision);
  });

  test("a start that stays is looked at again when its run is due, and after a minute at the earliest", () => {
    expect(staysUntil(at(false, NOW - 1), NOW)).toBe(NOW + 60_000);
    expect(staysUntil(at(false, NOW + HOUR_MS), NOW)).toBe(NOW + HOUR_MS);
  });
});
