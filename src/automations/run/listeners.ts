import { triggerDetail, type Trigger } from "#core/trigger.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { readTrigger } from "#automations/flow/trigger-node.ts";

/**
 * What a flow waits for, in the form in which it is looked up when something happens: the kind of trigger, and its
 * tag or event name, if it has one.
 */
export type Listener = { readonly kind: Trigger["kind"]; readonly detail: string };

/** What the trigger nodes of a flow wait for, without duplicates. A node that cannot be read waits for nothing. */
export function listenersOf(flow: Flow): Listener[] {
  const all = flow.nodes.flatMap(({ type, data }): (readonly [string, Listener])[] => {
    const step = type === "trigger" ? readTrigger(data) : null;
    if (step?.ok !== true) return [];
    const listener = { kind: step.value.on.kind, detail: triggerDetail(step.value.on) };
    return [[JSON.stringify(listener), listener]];
  });
  return [...new Map(all).values()];
}
