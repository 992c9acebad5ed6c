import type { Trigger } from "#core/trigger.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Reenroll, TriggerStep } from "#automations/flow/flow-step.ts";
import { matches, readTrigger } from "#automations/flow/trigger-node.ts";

/** The node where a trigger lets a contact into a flow, and how often it may. */
export type Entry = { readonly nodeId: string; readonly reenroll: Reenroll };

/**
 * The trigger node that waits for this event; null if there is none, or if its data cannot be read. If there are
 * several, the one with the smallest id: its run then fails with a message, because a flow has one trigger
 * (`step.ts`).
 */
export function entryFor(flow: Flow, trigger: Trigger): Entry | null {
  const found = triggersOf(flow).find(({ on }) => matches(on, trigger));
  return found === undefined ? null : { nodeId: found.nodeId, reenroll: found.reenroll };
}

type ReadTrigger = TriggerStep & { readonly nodeId: string };

/** The triggers of flows that were asked before. A flow never changes, many may start in it, and reading is slow. */
const known = new WeakMap<Flow, readonly ReadTrigger[]>();

/** The trigger nodes whose data can be read, the smallest id first. */
function triggersOf(flow: Flow): readonly ReadTrigger[] {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const all = flow.nodes.flatMap(({ id, type, data }): ReadTrigger[] => {
    const step = type === "trigger" ? readTrigger(data) : null;
    return step?.ok === true ? [{ ...step.value, nodeId: id }] : [];
  });
  const triggers = all.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  known.set(flow, triggers);
  return triggers;
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
