import { quoted } from "#core/text/text.ts";
import { performAction, type ActionInput } from "./perform.ts";
import { evaluate } from "./condition.ts";
import { nodeOf, targetsOf, type Branch, type Flow } from "#automations/flow/flow.ts";
import type { FlowStep, Wait } from "#automations/flow/flow-step.ts";
import { isInLoop } from "#automations/flow/graph.ts";
import { readNode } from "#automations/flow/node.ts";
import { ambiguity, missingReferences } from "#automations/flow/reference.ts";
import type { Complete, Fail, Move, StepOutcome } from "./step-outcome.ts";
import { timelessPart } from "#automations/flow/timeless.ts";
import { waitEndsAt } from "#automations/flow/wait.ts";

const STEPS_WITHOUT_WAIT_MAX = 100;

/** The input of `step`. `facts` has what `factsNeeded` names for the current node; `zone` is the workspace's. */
export type StepInput = ActionInput & { readonly flow: Flow; readonly zone: string };

/**
 * Performs the one node that is due and says what follows (docs/decisions.md "Automations"). Call it when
 * `nextRunAt` has come and the automation is LIVE. Write the outcome and the effects in one transaction, so
 * that a run killed at any moment repeats nothing and skips nothing.
 *
 * A run stays on a node until the node is performed. A wait node is due twice: the first time starts the wait; the
 * second time, when the wait is over, the run follows the edges the node has then. If the node by then names a later
 * moment, it is due once more. A run is COMPLETED at an `end` and at a node without a next edge. It is FAILED at a node
 * that was removed or cannot be performed, and if the flow does not say which of several edges to follow. A loop
 * without a wait is FAILED after 100 steps; a long path without a loop is not.
 */
export function step(input: StepInput): StepOutcome {
  const { flow, state, facts } = input;
  const { currentNodeId: nodeId } = state;
  const node = nodeOf(flow, nodeId);
  if (node === null)
    return failed(
      nodeId,
      "is not in the flow: it was removed, or an edge leads to a step that is not there.",
    );
  if (state.stepsSinceWait >= STEPS_WITHOUT_WAIT_MAX && isInLoop(timelessPart(flow), nodeId))
    return failed(
      nodeId,
      `is part of a loop without a wait; the run was stopped after ${state.stepsSinceWait} steps.`,
    );
  const reading = readNode(node);
  if (!reading.ok) return failed(nodeId, `cannot run: ${reading.problems[0]?.message ?? ""}`);
  const [missing = ambiguity(flow, node, reading.value)] = missingReferences(
    reading.value,
    flow,
    facts.knownListIds,
  );
  if (missing !== null) return failed(nodeId, `cannot run: ${missing.message}`);
  return perform(reading.value, input);
}

function perform(node: FlowStep, input: StepInput): StepOutcome {
  const { state, facts, now } = input;
  switch (node.type) {
    case "trigger":
      return goOn(input, null);
    case "end":
      return { kind: "complete", effects: [] };
    case "wait":
      return performWait(input, node.wait);
    case "condition":
      return goOn(input, evaluate(node, facts, now) ? "true" : "false");
    case "action": {
      const done = performAction(node.action, input);
      if (done.kind === "impossible") return failed(state.currentNodeId, done.message);
      const next = goOn(input, null);
      if (done.kind === "webhook") return { kind: "needs", call: done.call, next };
      return { ...next, effects: done.effects };
    }
  }
}

/**
 * A wait whose moment has already passed makes nobody wait, and does not count as a wait. Who waits until a moment that
 * was put off meanwhile waits on: its author does not want anybody to go on before.
 */
function performWait(input: StepInput, wait: Wait): Move | Complete {
  const { state, now, zone } = input;
  const endsAt = waitEndsAt(wait, now, zone);
  const begins = !state.waiting || wait.kind === "until";
  if (begins && endsAt > now)
    return { kind: "move", state: { ...state, waiting: true }, nextRunAt: endsAt, effects: [] };
  const after = goOn(input, null);
  if (!state.waiting || after.kind === "complete") return after;
  return { ...after, state: { ...after.state, stepsSinceWait: 0 } };
}

/**
 * Where a run whose call has succeeded goes on. The flow may have been changed meanwhile: like after a wait, the run
 * follows the edges the node has now. If they say nothing, it goes where it would have gone when the call began.
 */
export function afterItsCall(input: GoOnInput, asItWas: Move | Complete): Move | Complete {
  const { flow, state } = input;
  const isAction = nodeOf(flow, state.currentNodeId)?.type === "action";
  const isClear = isAction && targetsOf(flow, state.currentNodeId, null).length <= 1;
  return isClear ? goOn(input, null) : asItWas;
}

type GoOnInput = Pick<StepInput, "flow" | "state" | "now">;

/** Follows the only edge, or the only edge of a branch; `ambiguity` has excluded a second one. */
function goOn({ flow, state, now }: GoOnInput, branch: Branch | null): Move | Complete {
  const [target] = targetsOf(flow, state.currentNodeId, branch);
  if (target === undefined) return { kind: "complete", effects: [] };
  return {
    kind: "move",
    state: {
      currentNodeId: target,
      waiting: false,
      steps: state.steps + 1,
      stepsSinceWait: state.stepsSinceWait + 1,
    },
    nextRunAt: now,
    effects: [],
  };
}

const failed = (nodeId: string, what: string): Fail => ({
  kind: "fail",
  errorMessage: `The step ${quoted(nodeId)} ${what}`,
});
