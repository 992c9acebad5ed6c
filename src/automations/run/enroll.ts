import type { Trigger } from "#core/trigger.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Reenroll } from "#automations/flow/flow-step.ts";
import { matches, readTrigger } from "#automations/flow/trigger-node.ts";

/**
 * How many automations may stand in a chain of causes: an API call's trigger has depth 0, one that a run causes (a tag it adds) the
 * depth of the trigger that started the run, plus 1. Deeper ones start nothing, so automations that call each other come to rest.
 */
export const CAUSAL_DEPTH_MAX = 5;

/** Where a trigger lets a contact into a flow, and how often. */
export type Entry = { readonly nodeId: string; readonly reenroll: Reenroll };

/**
 * The trigger node that what happened belongs to; null where there is none or its data cannot be read. Of several, the one with the
 * least id: its run then fails with a message, for a flow has one trigger (`step.ts`).
 */
export function entryFor(flow: Flow, trigger: Trigger): Entry | null {
  const entries = flow.nodes.flatMap(({ id, type, data }): Entry[] => {
    const step = type === "trigger" ? readTrigger(data) : null;
    return step?.ok === true && matches(step.value.on, trigger)
      ? [{ nodeId: id, reenroll: step.value.reenroll }]
      : [];
  });
  return entries.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1))[0] ?? null;
}

/** What is known of a contact in one automation. */
export type EnrollHistory = { readonly active: boolean; readonly everEnrolled: boolean };

export type EnrollDecision = "enroll" | "already-active" | "once-only" | "too-deep";

/**
 * Whether a contact enters. ACTIVE at most once in an automation whatever the policy; `depth` is the trigger's (`CAUSAL_DEPTH_MAX`).
 * That the automation is LIVE is for the caller to see to.
 */
export function decideEnroll(policy: Reenroll, history: EnrollHistory, depth: number): EnrollDecision {
  if (depth > CAUSAL_DEPTH_MAX) return "too-deep";
  if (history.active) return "already-active";
  return policy === "once" && history.everEnrolled ? "once-only" : "enroll";
}
