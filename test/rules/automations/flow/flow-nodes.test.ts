import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import { readNode } from "#automations/flow/node.ts";

/** What a node does, or `path: message` of each thing that is wrong. */
const read = (type: string, data: unknown): unknown => {
  const reading = readNode({ type, data: data as JsonObject });
  return reading.ok ? reading.value : reading.problems.map(({ path, message }) => `${path}: ${message}`);
};
const pathsOf = (type: string, data: unknown): unknown => {
  const reading = readNode({ type, data: data as JsonObject });
  return reading.ok ? "fine" : reading.problems.map(({ path }) => path);
};

describe("a trigger node", () => {
  test.each([
    [{ trigger: "new_subscriber" }, { on: { kind: "new_subscriber" }, reenroll: "once" }],
    [
      { trigger: "new_subscriber", reenroll: "each_time" },
      { on: { kind: "new_subscriber" }, reenroll: "each_time" },
    ],
    [
      { trigger: "tag_added", tag: "vip" },
      { on: { kind: "tag_added", tag: "vip" }, reenroll: "each_time" },
    ],
    [
      { trigger: "tag_added", tag: " VIP ", reenroll: "once" },
      { on: { kind: "tag_added", tag: "VIP" }, reenroll: "once" },
    ],
    [
      { trigger: "custom_event", eventName: "Order Placed" },
      { on: { kind: "custom_event", eventName: "order_placed" }, reenroll: "each_time" },
    ],
    [
      { trigger: "custom_event", eventName: "order_placed", reenroll: "once" },
      { on: { kind: "custom_event", eventName: "order_placed" }, reenroll: "once" },
    ],
    [
      { trigger: "new_subscriber", reenroll: null, label: "kept", tag: 5 },
      { on: { kind: "new_subscriber" }, reenroll: "once" },
    ],
  ])("%j", (data, step) => {
    expect(read("trigger", data)).toEqual({ type: "trigger", ...step });
  });

  test.each([
    [{}, "data.trigger"],
    [{ trigger: "birthday" }, "data.trigger"],
    [{ trigger: ["new_subscriber"] }, "data.trigger"],
    [{ trigger: "constructor" }, "data.trigger"],
    [{ trigger: "tag_added" }, "data.tag"],
    [{ trigger: "tag_added", tag: " " }, "data.tag"],
    [{ trigger: "tag_added", tag: 5 }, "data.tag"],
    [{ trigger: "tag_added", tag: "x".repeat(101) }, "data.tag"],
    [{ trigger: "custom_event" }, "data.eventName"],
    [{ trigger: "custom_event", eventName: "!!" }, "data.eventName"],
    [{ trigger: "new_subscriber", reenroll: "sometimes" }, "data.reenroll"],
    [{ trigger: "new_subscriber", reenroll: true }, "data.reenroll"],
  ])("%j is wrong at %s", (data, path) => {
    expect(pathsOf("trigger", data)).toEqual([path]);
  });
});

describe("a wait node", () => {
  test.each([
    [
      { amount: 1, unit: "minutes" },
      { kind: "for", amount: 1, unit: "minutes" },
    ],
    [
      { amount: 36, unit: "hours" },
      { kind: "for", amount: 36, unit: "hours" },
    ],
    [
      { amount: 3650, unit: "days" },
      { kind: "for", amount: 3650, unit: "days" },
    ],
    [
      { amount: 521, unit: "weeks" },
      { kind: "for", amount: 521, unit: "weeks" },
    ],
    [
      { amount: 5_256_000, unit: "minutes" },
      { kind: "for", amount: 5_256_000, unit: "minutes" },
    ],
    [{ until: "2027-01-01T09:00:00Z" }, { kind: "until", at: Date.parse("2027-01-01T09:00:00Z") }],
    [{ until: "2027-01-01T09:00" }, { kind: "until", at: Date.parse("2027-01-01T09:00:00Z") }],
    [{ until: "2027-01-01T09:00:00+02:00" }, { kind: "until", at: Date.parse("2027-01-01T07:00:00Z") }],
    [
      { until: null, amount: 1, unit: "days" },
      { kind: "for", amount: 1, unit: "days" },
    ],
  ])("%j", (data, wait) => {
    expect(read("wait", data)).toEqual({ type: "wait", wait });
  });

  test.each([
    [{}, "data.unit"],
    [{ amount: 1 }, "data.unit"],
    [{ amount: 5, unit: "months" }, "data.unit"],
    [{ amount: 5, unit: "toString" }, "data.unit"],
    [{ amount: 5, unit: ["days"] }, "data.unit"],
    [{ unit: "days" }, "data.amount"],
    [{ amount: 0, unit: "days" }, "data.amount"],
    [{ amount: -1, unit: "days" }, "data.amount"],
    [{ amount: 1.5, unit: "days" }, "data.amount"],
    [{ amount: "1", unit: "days" }, "data.amount"],
    [{ amount: Number.NaN, unit: "days" }, "data.amount"],
    [{ amount: Number.POSITIVE_INFINITY, unit: "days" }, "data.amount"],
    [{ amount: 1e308, unit: "minutes" }, "data.amount"],
    [{ amount: 3651, unit: "days" }, "data.amount"],
    [{ amount: 522, unit: "weeks" }, "data.amount"],
    [{ amount: 87_601, unit: "hours" }, "data.amount"],
    [{ amount: 5_256_001, unit: "minutes" }, "data.amount"],
    [{ until: "2027-01-01" }, "data.until"],
    [{ until: "9999-12-31T23:59:59-23:00" }, "data.until"],
    [{ until: "tomorrow" }, "data.until"],
    [{ until: 1_798_000_000_000 }, "data.until"],
    [{ until: "", amount: 1, unit: "days" }, "data.until"],
    [{ until: "2027-02-30T09:00:00Z" }, "data.until"],
  ])("%j is wrong at %s", (data, path) => {
    expect(pathsOf("wait", data)).toEqual([path]);
  });
});

describe("an action node", () => {
  test.each([
    [
      { action: "send_email", subject: " Hi {{ contact.firstName }}", html: "<p>Hi</p>" },
      {
        action: "send_email",
        subject: " Hi {{ contact.firstName }}",
        body: { kind: "html", source: "<p>Hi</p>" },
      },
    ],
    [
      { action: "send_email", subject: "Hi", mjml: "<mjml></mjml>" },
      { action: "send_email", subject: "Hi", body: { kind: "mjml", source: "<mjml></mjml>" } },
    ],
    [
      { action: "send_email", subject: "Hi", mjml: "<mjml></mjml>", html: "<p>Hi</p>" },
      { action: "send_email", subject: "Hi", body: { kind: "html", source: "<p>Hi</p>" } },
    ],
    [
      { action: "send_email", subject: "Hi", mjml: "<mjml></mjml>", html: "" },
      { action: "send_email", subject: "Hi", body: { kind: "mjml", source: "<mjml></mjml>" } },
    ],
    [
      { action: "add_tag", tag: " vip " },
      { action: "add_tag", tag: "vip" },
    ],
    [
      { action: "remove_tag", tag: "vip" },
      { action: "remove_tag", tag: "vip" },
    ],
    [
      { action: "add_to_list", listId: "ls_1" },
      { action: "add_to_list", listId: "ls_1" },
    ],
    [
      { action: "remove_from_list", listId: "ls_1" },
      { action: "remove_from_list", listId: "ls_1" },
    ],
    [
      { action: "set_field", field: "firstName", value: " Ada\0 " },
      { action: "set_field", field: "firstName", value: "Ada" },
    ],
    [
      { action: "set_field", field: "lastName", value: "" },
      { action: "set_field", field: "lastName", value: "" },
    ],
    [
      { action: "set_field", field: "lastName" },
      { action: "set_field", field: "lastName", value: "" },
    ],
    [{ action: "unsubscribe" }, { action: "unsubscribe" }],
    [
      { action: "webhook", url: "https://example.com/hook" },
      { action: "webhook", url: "https://example.com/hook" },
    ],
  ])("%j", (data, action) => {
    expect(read("action", { ...data, position: 1 })).toEqual({ type: "action", action });
  });

  test.each([
    [{}, ["data.action"]],
    [{ action: "explode" }, ["data.action"]],
    [{ action: null }, ["data.action"]],
    [{ action: "toString" }, ["data.action"]],
    [{ action: ["unsubscribe"] }, ["data.action"]],
    [{ action: "send_email" }, ["data.subject", "data"]],
    [{ action: "send_email", subject: "Hi" }, ["data"]],
    [{ action: "send_email", subject: " ", html: "<p>" }, ["data.subject"]],
    [{ action: "send_email", subject: "Hi", html: 5 }, ["data"]],
    [{ action: "send_email", subject: "{{ a", html: "{% if %}" }, ["data.subject", "data.html"]],
    [{ action: "send_email", subject: "Hi", mjml: "{{ a | nope }}" }, ["data.mjml"]],
    [{ action: "add_tag" }, ["data.tag"]],
    [{ action: "add_tag", tag: "\0 " }, ["data.tag"]],
    [{ action: "remove_tag", tag: ["a"] }, ["data.tag"]],
    [{ action: "add_to_list" }, ["data.listId"]],
    [{ action: "remove_from_list", listId: 5 }, ["data.listId"]],
    [{ action: "set_field", field: "status", value: "SUBSCRIBED" }, ["data.field"]],
    [{ action: "set_field", field: "email", value: "x@example.com" }, ["data.field"]],
    [{ action: "set_field", field: "firstName", value: 5 }, ["data.value"]],
    [{ action: "webhook" }, ["data.url"]],
    [{ action: "webhook", url: "example.com/hook" }, ["data.url"]],
    [{ action: "webhook", url: "ftp://example.com/" }, ["data.url"]],
    [{ action: "webhook", url: "https://ada:secret@example.com/" }, ["data.url"]],
  ])("%j is wrong at %j", (data, paths) => {
    expect(pathsOf("action", data)).toEqual(paths);
  });

  test("with a bad template says where in it", () => {
    const html = "<p>Hi</p>\n<p>{{ contact.firstName | nope }}</p>";
    expect(read("action", { action: "send_email", subject: "Hi", html })).toEqual([
      "data.html: The Liquid template cannot be used in line 2, column 4: undefined filter: nope.",
    ]);
  });
});

describe("other nodes", () => {
  test("an end needs nothing and takes anything", () => {
    expect(read("end", {})).toEqual({ type: "end" });
    expect(read("end", { label: "Bye" })).toEqual({ type: "end" });
  });

  test.each([["Trigger"], ["constructor"], ["email"], [" wait"]])("the type %j is not known", (type) => {
    expect(pathsOf(type, {})).toEqual(["type"]);
  });
});
