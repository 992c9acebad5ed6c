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

describe("a condition node", () => {
  const condition = (entry: unknown) => read("condition", { all: [entry] });
  test.each([
    [
      { field: "status", op: "equals", value: "SUBSCRIBED" },
      { on: "text", field: "status", test: { op: "equals", value: "SUBSCRIBED" } },
    ],
    [
      { field: "email", op: "contains", value: "@example" },
      { on: "text", field: "email", test: { op: "contains", value: "@example" } },
    ],
    [
      { field: "firstName", op: "exists" },
      { on: "text", field: "firstName", test: { op: "exists" } },
    ],
    [
      { field: "lastName", op: "notEquals", value: "" },
      { on: "text", field: "lastName", test: { op: "exists" } },
    ],
    [
      { field: "score", op: "greaterThan", value: 10 },
      { on: "score", test: { op: "greaterThan", value: 10 } },
    ],
    [
      { field: "score", op: "lessThan", value: " 10 " },
      { on: "score", test: { op: "lessThan", value: 10 } },
    ],
    [
      { field: "score", op: "exists" },
      { on: "score", test: { op: "exists" } },
    ],
    [
      { field: "tag", op: "equals", value: " vip " },
      { on: "tag", is: true, tag: "vip" },
    ],
    [
      { field: "tag", op: "contains", value: "vip" },
      { on: "tag", is: true, tag: "vip" },
    ],
    [
      { field: "tag", op: "exists", value: "vip" },
      { on: "tag", is: true, tag: "vip" },
    ],
    [
      { field: "tag", op: "notEquals", value: "vip" },
      { on: "tag", is: false, tag: "vip" },
    ],
    [
      { field: "list", op: "equals", value: "ls_1" },
      { on: "list", is: true, listId: "ls_1" },
    ],
    [
      { field: "list", op: "notEquals", value: "ls_1" },
      { on: "list", is: false, listId: "ls_1" },
    ],
    [
      { field: "event", op: "equals", value: "Order Placed" },
      { on: "event", times: "atLeast", count: 1, name: "order_placed", withinDays: null, where: [] },
    ],
    [
      { field: "event", op: "exists", value: "seen", withinDays: 7 },
      { on: "event", times: "atLeast", count: 1, name: "seen", withinDays: 7, where: [] },
    ],
    [
      { field: "event", op: "notEquals", value: "seen", withinDays: "0.5" },
      { on: "event", times: "atMost", count: 0, name: "seen", withinDays: 0.5, where: [] },
    ],
    [
      { field: "opened", op: "equals", value: "m1" },
      { on: "opened", is: true, mailId: "m1", withinDays: null },
    ],
    [
      { field: "clicked", op: "notEquals", value: "m1" },
      { on: "clicked", is: false, mailId: "m1", withinDays: null },
    ],
    [
      { field: "trigger.plan", op: "equals", value: "pro" },
      { on: "property", path: ["plan"], test: { op: "equals", value: "pro" } },
    ],
    [
      { field: "trigger.a.b.0", op: "exists" },
      { on: "property", path: ["a", "b", "0"], test: { op: "exists" } },
    ],
    [
      { field: "trigger.n", op: "greaterThan", value: "5" },
      { on: "property", path: ["n"], test: { op: "greaterThan", value: 5 } },
    ],
    [
      { field: "trigger.b", op: "equals", value: true },
      { on: "property", path: ["b"], test: { op: "equals", value: true } },
    ],
    [
      { field: "firstName", op: "equals", value: "" },
      { on: "text", field: "firstName", test: { op: "notExists" } },
    ],
    [
      { field: "attributes.plan", op: "startsWith", value: "p" },
      { on: "attribute", name: "plan", test: { op: "startsWith", value: "p" } },
    ],
    [
      { field: "attributes.renewal", op: "withinDays", value: 7 },
      { on: "attribute", name: "renewal", test: { op: "withinDays", days: 7 } },
    ],
  ])("%j", (given, expected) => {
    expect(condition(given)).toEqual({ type: "condition", match: "all", tests: [expected] } as never);
  });

  test("matches all or any", () => {
    const tests = [
      { field: "tag", op: "equals", value: "a" },
      { field: "tag", op: "equals", value: "b" },
    ];
    expect(read("condition", { any: tests })).toMatchObject({
      match: "any",
      tests: [{ tag: "a" }, { tag: "b" }],
    });
    expect(read("condition", { all: tests, any: null })).toMatchObject({ match: "all" });
  });

  test.each([
    [{}, ["data"]],
    [{ all: null }, ["data"]],
    [{ all: [{ field: "tag", op: "equals", value: "a" }], any: [] }, ["data"]],
    [{ all: [] }, ["data.all"]],
    [{ any: {} }, ["data.any"]],
    [{ all: ["tag"] }, ["data.all[0]"]],
    [{ all: [{}] }, ["data.all[0].op"]],
    [{ all: [{ field: "tag", op: "is", value: "a" }] }, ["data.all[0].op"]],
    [{ all: [{ field: "tag", op: "toString", value: "a" }] }, ["data.all[0].op"]],
    [{ all: [{ op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "phone", op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "attributes.", op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "attributes.plan", op: "is" }] }, ["data.all[0].op"]],
    [{ all: [{ field: "attributes.plan", op: "equals" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "trigger", op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "trigger.", op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "trigger.a..b", op: "exists" }] }, ["data.all[0].field"]],
    [{ all: [{ field: "firstName", op: "greaterThan", value: "A" }] }, ["data.all[0].op"]],
    [{ all: [{ field: "firstName", op: "equals" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "firstName", op: "equals", value: 5 }] }, ["data.all[0].value"]],
    [{ all: [{ field: "score", op: "contains", value: 5 }] }, ["data.all[0].op"]],
    [{ all: [{ field: "score", op: "greaterThan", value: "many" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "score", op: "greaterThan" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "tag", op: "greaterThan", value: "a" }] }, ["data.all[0].op"]],
    [{ all: [{ field: "tag", op: "exists" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "list", op: "exists" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "event", op: "equals", value: "!" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "event", op: "equals", value: "a", withinDays: 0 }] }, ["data.all[0].withinDays"]],
    [{ all: [{ field: "event", op: "equals", value: "a", withinDays: -1 }] }, ["data.all[0].withinDays"]],
    [{ all: [{ field: "event", op: "equals", value: "a", withinDays: "week" }] }, ["data.all[0].withinDays"]],
    [{ all: [{ field: "event", op: "equals", value: "a", withinDays: 1e9 }] }, ["data.all[0].withinDays"]],
    [{ all: [{ field: "opened", op: "equals" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "trigger.a", op: "equals" }] }, ["data.all[0].value"]],
    [{ all: [{ field: "trigger.a", op: "equals", value: [1] }] }, ["data.all[0].value"]],
    [{ all: [{ field: "trigger.a", op: "greaterThan", value: "x" }] }, ["data.all[0].value"]],
    [
      { any: [{ field: "x", op: "exists" }, { field: "tag", op: "equals", value: "a" }, {}] },
      ["data.any[0].field", "data.any[2].op"],
    ],
  ])("%j is wrong at %j", (data, paths) => {
    expect(pathsOf("condition", data)).toEqual(paths);
  });
});
