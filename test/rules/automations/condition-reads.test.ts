/** What conditions and other steps read: what they need to know, and each of it once. */
import { describe, expect, spyOn, test } from "bun:test";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { factsNeeded } from "#automations/run/step/facts.ts";
import { flowNeeds } from "#automations/run/flow-needs.ts";
import { holds, stepOf } from "../../support/automations/conditions.ts";
import { ABOUT_ADA, ADA, HELLO, node, NOW } from "../../support/automations/flows.ts";

describe("tests share what they read, because a flow that was saved before there was a limit may have thousands", () => {
  const TESTS = 300;
  const many = (field: string, op: string, word: (i: number) => JsonValue): JsonObject => ({
    any: Array.from({ length: TESTS }, (_, i) => ({ field, op, value: word(i) })),
  });

  test("of a list", () => {
    let reads = 0;
    const entries = Array.from({ length: 100 }, (_, i) => `entry ${i}`);
    const list = new Proxy(entries, {
      get(target, member, receiver) {
        if (typeof member === "string" && /^\d+$/.test(member)) reads++;
        return Reflect.get(target, member, receiver);
      },
    });
    const facts = { event: { ...ABOUT_ADA.event!, properties: { list } } };
    expect(holds(many("trigger.list", "contains", String), facts)).toBe(false);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(entries.length * 10);
  });

  test.each([
    ["trigger.text", "equals"],
    ["trigger.text", "contains"],
    ["attributes.text", "contains"],
    ["attributes.texts", "contains"],
    ["firstName", "contains"],
  ])("of a text: %s %s", (field, op) => {
    const text = "É".repeat(500);
    const facts = {
      contact: { ...ADA, firstName: text, attributes: { text, texts: [text] } },
      event: { ...ABOUT_ADA.event!, properties: { text } },
    };
    // Only a text outside ASCII is normalized, twice each time that it is folded.
    const normalized = spyOn(String.prototype, "normalize");
    expect(
      holds(
        many(field, op, (i) => `word ${i}`),
        facts,
      ),
    ).toBe(false);
    const { length } = normalized.mock.calls;
    normalized.mockRestore();
    expect(length).toBe(2);
  });

  test("of events and mails: each is looked up by its name", () => {
    const unsearched = <T extends object>(known: T): T =>
      Object.assign(known, {
        [Symbol.iterator]() {
          throw new Error("was searched");
        },
      });
    const facts = {
      lastEventAt: unsearched(new Map([["e299", NOW]])),
      openedNodeIds: unsearched(new Set(["e299"])),
      clickedNodeIds: unsearched(new Set<string>()),
    };
    expect(
      holds(
        many("event", "exists", (i) => `e${i}`),
        facts,
      ),
    ).toBe(true);
    expect(
      holds(
        many("opened", "exists", (i) => `e${i}`),
        facts,
      ),
    ).toBe(true);
    expect(
      holds(
        many("clicked", "exists", (i) => `e${i}`),
        facts,
      ),
    ).toBe(false);
  });
});

describe("what a step needs to know", () => {
  const NOTHING = {
    suppression: false,
    listIds: [],
    score: false,
    eventNames: [],
    mailNodeIds: [],
    attributeHolders: false,
  };
  test.each([
    ["trigger", { trigger: "new_subscriber" }, {}],
    ["wait", { amount: 1, unit: "days" }, {}],
    ["end", {}, {}],
    ["action", { action: "set_field", field: "attributes.city", value: "x" }, { attributeHolders: true }],
    ["action", { action: "set_field", field: "firstName", value: "x" }, {}],
    ["action", HELLO, { suppression: true }],
    ["action", { action: "add_tag", tag: "a" }, {}],
    ["action", { action: "add_to_list", listId: "ls_1" }, { listIds: ["ls_1"] }],
    ["action", { action: "remove_from_list", listId: "ls_1" }, { listIds: ["ls_1"] }],
    ["action", { action: "webhook", url: "https://example.com" }, {}],
    [
      "condition",
      {
        any: [
          { field: "firstName", op: "exists" },
          { field: "list", op: "equals", value: "ls_1" },
          { field: "list", op: "notEquals", value: "ls_2" },
          { field: "score", op: "greaterThan", value: 1 },
          { field: "event", op: "equals", value: "Seen It" },
          { field: "opened", op: "equals", value: "m1" },
          { field: "clicked", op: "equals", value: "m2" },
          { field: "trigger.a", op: "exists" },
        ],
      },
      { listIds: ["ls_1", "ls_2"], score: true, eventNames: ["seen_it"], mailNodeIds: ["m1", "m2"] },
    ],
  ] as [string, JsonObject, object][])("%s %j", (type, data, needed) => {
    expect(factsNeeded(stepOf(type, data))).toEqual({ ...NOTHING, ...needed });
  });

  test("a whole flow: no template is looked at, because the event loop does it", () => {
    const unread = (action: string, member: string): JsonObject =>
      Object.defineProperty({ action, field: "attributes.x", subject: "s" }, member, {
        get() {
          throw new Error("was read");
        },
      });
    const about = { field: "list", op: "equals", value: "ls_1" };
    const nodes = [
      node("mail", "action", unread("send_email", "html")),
      node("field", "action", unread("set_field", "value")),
      node("list", "action", { action: "add_to_list", listId: "ls_2" }),
      // Unknown members are kept: what they say means nothing here.
      node("ask", "condition", { action: "set_field", any: [about] }),
    ];
    expect(flowNeeds({ nodes, edges: [] })).toEqual({
      ...NOTHING,
      suppression: true,
      score: true,
      attributeHolders: true,
      listIds: ["ls_2", "ls_1"],
    });
  });
});
