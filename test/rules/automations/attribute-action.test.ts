import { describe, expect, test } from "bun:test";
import { problemsOf } from "#automations/flow/problems.ts";
import { readNode } from "#automations/flow/node.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import { attributeEffect } from "#automations/run/step/attribute-effect.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { ABOUT_ADA, ADA, NOW, flowAround } from "../../support/automations/flows.ts";

const setting = (name: string, value?: unknown): JsonObject =>
  ({
    action: "set_field",
    field: `attributes.${name}`,
    ...(value === undefined ? {} : { value }),
  }) as JsonObject;

function performed(name: string, value: unknown, facts: Partial<Facts> = {}) {
  const reading = readNode({ type: "action", data: setting(name, value) });
  if (
    !reading.ok ||
    reading.value.type !== "action" ||
    reading.value.action.action !== "set_field" ||
    reading.value.action.field !== "attributes"
  )
    throw new Error(JSON.stringify(reading));
  return attributeEffect(reading.value.action, { ...ABOUT_ADA, ...facts });
}

describe("set_field on attributes.<name>", () => {
  test.each([
    ["a text", "Bern", "Bern"],
    ["a text with space around it", "  Bern\n", "Bern"],
    ["a number", 36.5, 36.5],
    ["a boolean", false, false],
    ["a list", ["a", "b"], ["a", "b"]],
    ["Liquid of the contact", "{{ contact.firstName }} of {{ contact.attributes.city }}", "Ada of Zürich"],
    ["Liquid of the event", "{{ event.properties.plan }}", "Pro"],
    ["Liquid that is not escaped", "{{ contact.firstName | append: '<&' }}", "Ada<&"],
    ["Liquid of a list", "{{ contact.attributes.colours | join: ', ' }}", "red, green"],
    ["Liquid of an attribute that every object has", "[{{ contact.attributes.constructor }}]", "[]"],
  ])("%s", (_what, value, expected) => {
    expect(performed("new", value)).toEqual({
      ok: true,
      value: {
        kind: "setAttribute",
        name: "new",
        value: expected,
        attributes: { ...ADA.attributes, new: expected },
      },
    });
  });

  test.each([undefined, null, "", "  ", "{{ contact.nobody }}", "{% if false %}x{% endif %}"])(
    "%p clears it",
    (value) => {
      const { city: _city, ...left } = ADA.attributes;
      expect(performed("city", value)).toEqual({
        ok: true,
        value: { kind: "setAttribute", name: "city", value: null, attributes: left },
      });
    },
  );

  test.each([
    ["what is so already", "city", "Zürich"],
    ["a list that is so already", "colours", ["red", "green"]],
    ["the clearing of one that is not there", "nothing", ""],
  ])("%s changes nothing", (_what, name, value) => {
    expect(performed(name, value)).toEqual({ ok: true, value: null });
  });

  const full = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, 1]));
  const names = new Map(Array.from({ length: 500 }, (_, i) => [`n${i}`, 2]));
  test.each([
    ["a 101st attribute", "more", "x", { contact: { ...ADA, attributes: full } }, "at most 100"],
    ["a 501st name", "more", "x", { attributeHolders: names }, "at most 500"],
    [
      "1,001 characters from Liquid",
      "city",
      "{{ 'x' | append: '' }}{% for i in (1..250) %}abcd{% endfor %}",
      {},
      "1000",
    ],
    ["Liquid that takes long", "city", "{% for i in (1..30000) %}{{ i }}{% endfor %}", {}, "Make it simpler"],
  ] as const)("%s is refused", (_what, name, value, facts, says) => {
    const done = performed(name, value, facts);
    expect(done).toMatchObject({ ok: false, refusal: { message: expect.stringContaining(says) } });
  });

  test.each([
    ["no name", setting("", "x"), ["data.field"]],
    ["a name that is none", setting("first name", "x"), ["data.field"]],
    ["a path", setting("a.b", "x"), ["data.field"]],
    ["an object", setting("a", { b: 1 }), ["data.value"]],
    ["a list of numbers", setting("a", [1]), ["data.value"]],
    ["1,001 characters", setting("a", "x".repeat(1_001)), ["data.value"]],
    ["Liquid that cannot be read", setting("a", "{{ contact.email | nope }}"), ["data.value"]],
  ])("%s is a problem of the flow", (_what, data, paths) => {
    const reading = readNode({ type: "action", data });
    expect(reading.ok ? [] : reading.problems.map(({ path }) => path)).toEqual(paths);
  });

  test("and so is a name in its Liquid that stays empty", () => {
    const flow = flowAround("action", setting("a", "{{ contact.first_name }}"));
    const counted = { trackOpens: true, trackClicks: true };
    const known = { ...counted, lists: new Set<string>(), allowPrivateWebhooks: false, now: NOW };
    expect(problemsOf(flow, known)).toMatchObject([
      {
        nodeId: "it",
        path: expect.stringContaining("data.value"),
        message: expect.stringContaining("contact.firstName"),
      },
    ]);
  });
});
