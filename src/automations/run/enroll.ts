import type { Trigger } from "#core/trigger.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Reenroll } from "#automations/flow/flow-step.ts";
import { matches, readTrigger } from "#automations/flow/trigger-node.ts";

/** The node where a trigger lets a contact into a flow, and how often it may. */
export type Entry = { readonly nodeId: string; readonly reenroll: Reenroll };

/**
 * The trigger node that waits for this event; null if there is none, or if its data cannot be read. If there are
 * several, the one with the smallest id: its run then fails with a message, because a flow has one trigger
 * (`step.ts`).
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

/** A contact's earlier runs in one automation. */
export type EnrollHistory = { readonly active: boolean; readonly everEnrolled: boolean };

export type EnrollDecision = "enroll" | "already-active" | "once-only";

/**
 * Whether a contact enters. A contact is ACTIVE at most once in an automation, under every policy. The caller must
 * check that the automation is LIVE.
 */
export function decideEnroll(policy: Reenroll, history: EnrollHistory): EnrollDecision {
  if (history.active) return "already-active";
  return policy === "once" && history.everEnrolled ? "once-only" : "enroll";
}
