import { isBranch, type Flow } from "./flow.ts";

/** The nodes of a flow and, for each, the nodes it can lead to. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Leaves out edges that are never followed: from or to a missing node, from an `end`, and from a condition without
 * a branch.
 */
export function graphOf(flow: Flow): Graph {
  const graph = new Map<string, string[]>(flow.nodes.map(({ id }) => [id, []]));
  const types = new Map(flow.nodes.map(({ id, type }) => [id, type]));
  for (const edge of flow.edges) {
    const type = types.get(edge.source);
    const isFollowed = type === "condition" ? isBranch(edge.sourceHandle) : type !== "end";
    if (isFollowed && graph.has(edge.target)) graph.get(edge.source)?.push(edge.target);
  }
  return graph;
}

/** Every node that can be reached from these nodes, including themselves. */
export function reachableFrom(graph: Graph, starts: readonly string[]): ReadonlySet<string> {
  const seen = new Set(starts);
  for (const node of seen) for (const target of graph.get(node) ?? []) seen.add(target);
  return seen;
}

/** The graph without some nodes, and without the edges to them. */
export function without(graph: Graph, isLeftOut: (nodeId: string) => boolean): Graph {
  const left = [...graph].filter(([node]) => !isLeftOut(node));
  return new Map(left.map(([node, targets]) => [node, targets.filter((target) => !isLeftOut(target))]));
}

/** Whether some path leads from a node back to it. */
export function isInLoop(graph: Graph, nodeId: string): boolean {
  return reachableFrom(graph, graph.get(nodeId) ?? []).has(nodeId);
}
