import type { Instant } from "#core/clock.ts";
import { quoted } from "#core/text.ts";
import { performAction } from "./perform.ts";
import { evaluate } from "#automations/flow/condition.ts";
import type { Facts } from "./facts.ts";
import { nodeOf, targetsOf, type Branch, type Flow } from "#automations/flow/flow.ts";
import type { FlowStep } from "#automations/flow/flow-step.ts";
import { isOnRound } from "#automations/flow/graph.ts";
import { readNode } from "#automations/flow/node.ts";
import { ambiguity, missingReferences } from "#automations/flow/reference.ts";
import type { Complete, Fail, Move, RunIdentity, RunState, StepOutcome } from "./step-outcome.ts";
import { timelessPart } from "#automations/flow/timeless.ts";
import { waitEndsAt } from "#automations/flow/wait.ts";

const STEPS_WITHOUT_WAIT_MAX = 100;

/** What `step` looks at. `facts` holds what `factsNeeded` names for the current node; `zone` is the workspace's. */
export type StepInput = {
  readonly flow: Flow;
  readonly run: RunIdentity;
  readonly state: RunState;
  readonly facts: Facts;
  readonly now: Instant;
  readonly zone: string;
};

/**
 * Performs the one node whose turn it is and says what follows (docs/decisions.md "Automations"). To be
 * called when `nextRunAt` has come and the automation is LIVE; outcome and effects are written in one
 * transaction, so a run killed at any moment repeats or skips nothing.
 *
 * A run stands on a node until it is performed. On a wait it stands twice: the first turn starts the wait, the second, when it is
 * over, leads on by the edges of that time. It ends COMPLETED at an `end` and where no edge leads on, FAILED at a node that is gone
 * or says something that cannot be done, where the flow does not say which of several ways to take, and on a round without a
 * wait once 100 steps have gone by (a long straight way is none).
 */
export function step(input: StepInput): StepOutcome {
  const { flow, state, facts, now, zone } = input;
  const { currentNodeId: nodeId } = state;
  const node = nodeOf(flow, nodeId);
  if (node === null)
    return failed(
      nodeId,
      "is not in the flow: it was removed, or an edge leads to a step that is not there.",
    );
  if (state.stepsSinceWait >= STEPS_WITHOUT_WAIT_MAX && isOnRound(timelessPart(flow), nodeId))
    return failed(
      nodeId,
      `lies on a round without a wait; the run was stopped after ${state.stepsSinceWait} steps.`,
    );
  const reading = readNode(node);
  if (!reading.ok) return failed(nodeId, `cannot run: ${reading.problems[0]?.message ?? ""}`);
  const [missing = ambiguity(flow, node, reading.value)] = missingReferences(
    reading.value,
    flow,
    facts.knownListIds,
  );
  if (missing !== null) return failed(nodeId, `cannot run: ${missing.message}`);
  return perform(reading.value, input, now, zone);
}

function perform(node: FlowStep, input: StepInput, now: Instant, zone: string): StepOutcome {
  switch (node.type) {
    case "trigger":
      return goOn(input, null);
    case "end":
      return { kind: "complete", effects: [] };
    case "wait":
      return performWait(input, waitEndsAt(node.wait, now, zone));
    case "condition":
      return goOn(input, evaluate(node, input.facts, now) ? "true" : "false");
    case "action": {
      const done = performAction(node.action, input.state, input.run, input.facts, now);
      if (done.kind === "impossible") return failed(input.state.currentNodeId, done.message);
      const next = goOn(input, null);
      if (done.kind === "webhook") return { kind: "needs", call: done.call, next };
      return { ...next, effects: done.effects };
    }
  }
}

/** A wait whose moment has passed already holds nobody, and does not count as one. */
function performWait(input: StepInput, endsAt: Instant): Move | Complete {
  const { state, now } = input;
  if (!state.waiting && endsAt > now)
    return { kind: "move", state: { ...state, waiting: true }, nextRunAt: endsAt, effects: [] };
  const after = goOn(input, null);
  if (!state.waiting || after.kind === "complete") return after;
  return { ...after, state: { ...after.state, stepsSinceWait: 0 } };
}

/** On by the only edge, or by the only one of a branch; `ambiguity` has seen to it that there is no second. */
function goOn({ flow, state, now }: StepInput, branch: Branch | null): Move | Complete {
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
