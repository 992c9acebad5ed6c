import type { Flow, FlowNode } from "./flow.ts";
import { graphOf, without, type Graph } from "./graph.ts";
import { readWait } from "./wait.ts";

/**
 * The part of a flow that a contact passes without waiting: every loop in it is a loop without a wait. A wait
 * `until` a moment is part of it, since after that moment it makes nobody wait. So is a node that cannot be read.
 */
export function timelessPart(flow: Flow): Graph {
  const leftOut = new Set(flow.nodes.filter(takesTime).map(({ id }) => id));
  return without(graphOf(flow), (nodeId) => leftOut.has(nodeId));
}

function takesTime({ type, data }: FlowNode): boolean {
  const wait = type === "wait" ? readWait(data) : null;
  return wait?.ok === true && wait.value.kind === "for";
}
