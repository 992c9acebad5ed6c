import type { Instant } from "#core/time/clock.ts";
import type { Flow, FlowNode } from "./flow.ts";
import { graphOf, without, type Graph } from "./graph.ts";
import { readWait } from "./wait.ts";

/**
 * The part of a flow that a contact passes without waiting: every loop in it is a loop without a wait. A wait
 * `until` a moment is part of it, since after that moment it makes nobody wait. So is a node that cannot be read.
 */
export function timelessPart(flow: Flow): Graph {
  return withoutWaits(flow, Number.POSITIVE_INFINITY);
}

/** The part that a contact who comes now passes at once: a wait `until` a moment to come is no part of it. */
export function partWithoutWaits(flow: Flow, now: Instant): Graph {
  return withoutWaits(flow, now);
}

function withoutWaits(flow: Flow, now: Instant): Graph {
  const leftOut = new Set(flow.nodes.filter((node) => takesTime(node, now)).map(({ id }) => id));
  return without(graphOf(flow), (nodeId) => leftOut.has(nodeId));
}

function takesTime({ type, data }: FlowNode, now: Instant): boolean {
  const wait = type === "wait" ? readWait(data) : null;
  return wait?.ok === true && (wait.value.kind === "for" || wait.value.at > now);
}
