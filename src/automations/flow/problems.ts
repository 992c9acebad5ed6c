import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import { isBranch, type Flow, type FlowNode } from "./flow.ts";
import type { FlowStep } from "./flow-step.ts";
import { graphOf, isInLoop, reachableFrom, without } from "./graph.ts";
import { emptyNames } from "#automations/mail/mail-names.ts";
import { readNode } from "./node.ts";
import type { Problem } from "#core/request/reading.ts";
import { ambiguity, missingReferences } from "./reference.ts";
import { timelessPart } from "./timeless.ts";
import { unheeded } from "./unheeded.ts";
import { unsentMails } from "./unsent-mails.ts";
import { isForbiddenHost } from "#webhooks/calls/target.ts";

/**
 * Something in a flow that would fail, never happen, or stay empty. `nodeId` is null for a problem of the
 * whole flow; `path` is the place in `flowJson`.
 */
export type FlowProblem = { readonly nodeId: string | null; readonly path: string; readonly message: string };

/** What the workspace has and allows. */
export type Surroundings = {
  readonly lists: ReadonlySet<string>;
  readonly allowPrivateWebhooks: boolean;
  /** Whether the workspace counts opens and clicks. */
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  readonly now: Instant;
};

/**
 * Everything in a flow that would make an enrollment fail, every node that would never be performed
 * (docs/decisions.md "Automations"), and names in mails that stay empty. None of it prevents saving or going LIVE.
 * The order of nodes and edges changes only the indexes in `path` and the order of the list.
 */
export function problemsOf(flow: Flow, known: Surroundings): FlowProblem[] {
  return [
    ...triggerProblems(flow),
    ...flow.nodes.flatMap((node, index) =>
      nodeProblems(flow, node, known).map(({ path, message }) => ({
        nodeId: node.id,
        path: `nodes[${index}].${path}`,
        message,
      })),
    ),
    ...edgeProblems(flow),
    ...wayProblems(flow),
    ...unsentMails(flow, known.now),
  ];
}

function triggerProblems(flow: Flow): FlowProblem[] {
  return flow.nodes.some(({ type }) => type === "trigger")
    ? []
    : [{ nodeId: null, path: "nodes", message: "The flow has no trigger, so nobody enters. Add one." }];
}

function nodeProblems(flow: Flow, node: FlowNode, known: Surroundings): Problem[] {
  const reading = readNode(node);
  if (!reading.ok) return [...reading.problems];
  const found = [
    ...missingReferences(reading.value, flow, known.lists),
    ambiguity(flow, node, reading.value),
    timeProblem(reading.value, known.now),
    targetProblem(reading.value, known.allowPrivateWebhooks),
    ...unseenProblems(reading.value, known),
    ...unheeded(node, reading.value),
    ...nameProblems(reading.value),
  ];
  return found.filter((problem) => problem !== null);
}

function timeProblem(step: FlowStep, now: Instant): Problem | null {
  if (step.type !== "wait" || step.wait.kind !== "until" || step.wait.at > now) return null;
  return { path: "data.until", message: "This moment has passed, so the step holds nobody." };
}

function targetProblem(step: FlowStep, allowPrivate: boolean): Problem | null {
  if (allowPrivate || step.type !== "action" || step.action.action !== "webhook") return null;
  return isForbiddenHost(new URL(step.action.url))
    ? {
        path: "data.url",
        message: "Webhooks go to public addresses only, unless allowPrivateWebhooks is on.",
      }
    : null;
}

/**
 * Warnings: a test asks for what the workspace does not count. The reminder for those who have not opened a mail then
 * goes to everybody.
 */
function unseenProblems(step: FlowStep, { trackOpens, trackClicks }: Surroundings): Problem[] {
  if (step.type !== "condition") return [];
  return step.tests.flatMap(({ on }, i): Problem[] => {
    const path = `data.${step.match}[${i}].field`;
    if (on === "clicked" && !trackClicks)
      return [{ path, message: "Nobody counts as having clicked, because trackClicks is off." }];
    if (on !== "opened" || trackOpens) return [];
    const message = trackClicks
      ? "Only who clicked counts as having opened it, because trackOpens is off."
      : "Nobody counts as having opened it, because trackOpens and trackClicks are off.";
    return [{ path, message }];
  });
}

/** These are warnings: the step is performed, with nothing in place of the name. */
function nameProblems(step: FlowStep): Problem[] {
  if (step.type !== "action") return [];
  const { action } = step;
  if (action.action === "set_field" && action.field === "attributes" && action.setting.kind === "liquid")
    return emptyNames(action.setting.source, "text").map((message) => ({ path: "data.value", message }));
  if (action.action !== "send_email") return [];
  const { subject, body } = action;
  return [
    ...emptyNames(subject, "line").map((message) => ({ path: "data.subject", message })),
    ...emptyNames(body.source, "html").map((message) => ({ path: `data.${body.kind}`, message })),
  ];
}

function edgeProblems({ nodes, edges }: Flow): FlowProblem[] {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  return edges.flatMap(({ source, target, sourceHandle }, index): FlowProblem[] => {
    const missing = (["source", "target"] as const).find(
      (end) => !types.has(end === "source" ? source : target),
    );
    if (missing !== undefined) {
      const id = missing === "source" ? source : target;
      const nodeId = missing === "source" ? null : source;
      return [{ nodeId, path: `edges[${index}].${missing}`, message: `There is no step ${quoted(id)}.` }];
    }
    if (types.get(source) !== "condition" || isBranch(sourceHandle)) return [];
    const message =
      'An edge from a condition needs `sourceHandle` "true" or "false"; this one is never followed.';
    return [{ nodeId: source, path: `edges[${index}].sourceHandle`, message }];
  });
}

/** Nodes that no contact reaches, and loops without a wait. */
function wayProblems(flow: Flow): FlowProblem[] {
  const triggers = flow.nodes.filter(({ type }) => type === "trigger").map(({ id }) => id);
  const reached = reachableFrom(graphOf(flow), triggers);
  const timeless = without(timelessPart(flow), (nodeId) => !reached.has(nodeId));
  return flow.nodes.flatMap(({ id }, index): FlowProblem[] => {
    const problem = (message: string): FlowProblem[] => [{ nodeId: id, path: `nodes[${index}].id`, message }];
    if (!reached.has(id)) return problem("No way leads from the trigger to this step.");
    return isInLoop(timeless, id)
      ? problem("This step is part of a loop without a wait. Add a wait to the loop.")
      : [];
  });
}
