import { expect, test } from "bun:test";
import { applyEffect } from "#automations/simulation/simulated-effect.ts";
import { ABOUT_ADA } from "../../support/automations/flows.ts";

test("a simulated mail is not opened because one of an earlier run was; with `opens` it is", () => {
  const facts = { ...ABOUT_ADA, openedNodeIds: new Set(["m", "other"]), clickedNodeIds: new Set(["m"]) };
  const sent = {
    kind: "sendEmail",
    nodeId: "m",
    execution: 1,
    subject: "Hello",
    body: { kind: "html", source: "<p>Hello</p>" },
  } as const;
  const after = applyEffect(facts, sent, false);
  expect([after.openedNodeIds, after.clickedNodeIds]).toEqual([new Set(["other"]), new Set()]);
  const opened = applyEffect(facts, sent, true);
  expect([opened.openedNodeIds, opened.clickedNodeIds]).toEqual([new Set(["m", "other"]), new Set()]);
});
