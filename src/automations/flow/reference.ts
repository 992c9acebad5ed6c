import { quoted } from "#core/text/text.ts";
import { targetsOf, type Flow, type FlowNode } from "./flow.ts";
import type { ConditionTest, FlowStep } from "./flow-step.ts";
import type { Problem } from "#core/request/reading.ts";

/** Problems of a readable node that names things that do not exist: lists of the workspace, mail nodes of the flow. */
export function missingReferences(step: FlowStep, flow: Flow, knownListIds: ReadonlySet<string>): Problem[] {
  if (step.type === "action" && "listId" in step.action)
    return unknownList(step.action.listId, "data.listId", knownListIds);
  if (step.type !== "condition") return [];
  return step.tests.flatMap((test, index) =>
    missingInTest(test, `data.${step.match}[${index}].value`, flow, knownListIds),
  );
}

function missingInTest(test: ConditionTest, path: string, flow: Flow, known: ReadonlySet<string>): Problem[] {
  if (test.on === "list") return unknownList(test.listId, path, known);
  if (!("mailId" in test) || test.mailId === null) return [];
  const { mailId } = test;
  const isMail = flow.nodes.some(
    ({ id, type, data }) => id === mailId && type === "action" && data.action === "send_email",
  );
  return isMail ? [] : [{ path, message: `The flow has no send_email step ${quoted(mailId)}.` }];
}

function unknownList(listId: string, path: string, known: ReadonlySet<string>): Problem[] {
  return known.has(listId)
    ? []
    : [{ path, message: `There is no list ${quoted(listId)} in this workspace.` }];
}

/**
 * A node where the flow does not say what to do: a second trigger, or edges to more than one other node (for a
 * condition: within one branch). Nothing is chosen at random, so the order of nodes and edges never matters.
 */
export function ambiguity(flow: Flow, { id, type }: FlowNode, step: FlowStep): Problem | null {
  if (type === "trigger" && flow.nodes.filter((node) => node.type === "trigger").length > 1)
    return { path: "type", message: "A flow has one trigger; this one has more. Remove all but one." };
  if (step.type === "end") return null;
  const branches = step.type === "condition" ? (["true", "false"] as const) : [null];
  const split = branches.find((branch) => targetsOf(flow, id, branch).length > 1);
  if (split === undefined) return null;
  const way =
    split === null
      ? "More than one edge leads on from here"
      : `The branch ${quoted(split)} has more than one edge`;
  return { path: "id", message: `${way}, to different steps. Keep one.` };
}
