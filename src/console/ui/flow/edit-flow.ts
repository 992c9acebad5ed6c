/** Changes of a flow. Each returns a new flow; nodes and edges that do not change are the very same objects. */
import {
  edgesBy,
  nodeById,
  wayOf,
  waysOf,
  type Data,
  type Flow,
  type FlowEdge,
  type Position,
  type Way,
} from "./flow.ts";
import { isTrigger, newNode, type NodeKind } from "./node-kind.ts";

export type Added = { readonly flow: Flow; readonly id: string };

/** A new node that nothing leads to. */
export function addNode(flow: Flow, kind: NodeKind, position: Position | null = null): Added {
  const made = newNode(flow, kind);
  const node = position === null ? made : { ...made, position: rounded(position) };
  return { flow: { ...flow, nodes: [...flow.nodes, node] }, id: node.id };
}

/** Inserts a node on a way out of another one. The node that came next follows on the new node's first way. */
export function insertAfter(flow: Flow, kind: NodeKind, source: string, way: Way): Added {
  const { flow: grown, id } = addNode(flow, kind);
  const [next] = edgesBy(flow, source, way);
  const joined = connect(grown, source, way, id);
  const [firstWay] = waysOf(nodeById(joined, id)?.type ?? "end");
  const goesOn = next !== undefined && firstWay !== undefined;
  return { flow: goesOn ? connect(joined, id, firstWay, next.target) : joined, id };
}

/** Removes a node. If one way led in and one node came next, they are joined. */
export function removeNode(flow: Flow, id: string): Flow {
  const node = nodeById(flow, id);
  if (node === undefined) return flow;
  const out = waysOf(node.type).flatMap((way) => edgesBy(flow, id, way).slice(0, 1));
  const [next] = out;
  const heal = (edge: FlowEdge): FlowEdge[] => {
    if (edge.source === id) return [];
    if (edge.target !== id) return [edge];
    const isJoined =
      next !== undefined && out.length === 1 && next.target !== id && next.target !== edge.source;
    return isJoined ? [{ ...edge, target: next.target }] : [];
  };
  return {
    ...flow,
    nodes: flow.nodes.filter((each) => each.id !== id),
    edges: flow.edges.flatMap(heal),
  };
}

export const setData = (flow: Flow, id: string, data: Data): Flow => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, data } : node)),
});

export const moveNode = (flow: Flow, id: string, position: Position): Flow => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, position: rounded(position) } : node)),
});

/** Drops the positions that were set by hand, so that the layout is made again. */
export const tidyUp = (flow: Flow): Flow => ({
  ...flow,
  nodes: flow.nodes.map((node) => {
    const { position: _position, ...rest } = node;
    return "position" in node ? rest : node;
  }),
});

/** Whether a way may lead there: nothing leads to a trigger, and no way leads back to its own node. */
export function mayConnect(flow: Flow, source: string, way: Way, target: string): boolean {
  const from = nodeById(flow, source);
  const to = nodeById(flow, target);
  return (
    from !== undefined &&
    to !== undefined &&
    source !== target &&
    !isTrigger(to) &&
    waysOf(from.type).includes(way)
  );
}

/** A way leads to one node: it replaces the node before, and the edge keeps its other members. */
export function connect(flow: Flow, source: string, way: Way, target: string): Flow {
  if (!mayConnect(flow, source, way, target)) return flow;
  const [first, ...others] = edgesBy(flow, source, way);
  if (first !== undefined) {
    const edges = flow.edges.filter((edge) => !others.includes(edge));
    return { ...flow, edges: edges.map((edge) => (edge === first ? { ...edge, target } : edge)) };
  }
  const edge: FlowEdge = way === null ? { source, target } : { source, target, sourceHandle: way };
  return { ...flow, edges: [...flow.edges, edge] };
}

export function disconnect(flow: Flow, source: string, way: Way): Flow {
  const type = nodeById(flow, source)?.type ?? "";
  return { ...flow, edges: flow.edges.filter((edge) => edge.source !== source || wayOf(edge, type) !== way) };
}

const rounded = ({ x, y }: Position): Position => ({ x: Math.round(x), y: Math.round(y) });
