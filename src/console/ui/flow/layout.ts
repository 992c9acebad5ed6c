import { Graph, layout } from "@dagrejs/dagre";
import { flowRows } from "./flow-order.ts";
import { edgesBy, nodeById, placeOf, waysOf, type Flow, type Position } from "./flow.ts";

export const NODE_WIDTH = 232;
export const NODE_HEIGHT = 64;

/**
 * The position of each node: where it was put by hand, otherwise from the top down in the order of the flow, "yes"
 * on the left. Only for display: it is not saved.
 */
export function positionsOf(flow: Flow): ReadonlyMap<string, Position> {
  const laid = latestLayout(flow);
  return new Map(
    flow.nodes.map((node) => [node.id, placeOf(node) ?? laid.get(node.id) ?? { x: 0, y: 0 }] as const),
  );
}

type Places = ReadonlyMap<string, Position>;

let latest: { readonly shape: string; readonly places: Places } = { shape: "", places: new Map() };

/** A new layout only if the shape changed, so that typing into a step does not cost one. */
function latestLayout(flow: Flow): Places {
  const shape = JSON.stringify([
    flow.nodes.map(({ id, type }) => [id, type]),
    flow.edges.map(({ source, target, sourceHandle }) => [source, target, sourceHandle]),
  ]);
  if (latest.shape !== shape) {
    const isLarge = flow.nodes.length + flow.edges.length > LARGE;
    latest = { shape, places: isLarge ? inRows(flow) : laidOut(flow) };
  }
  return latest.places;
}

/** dagre takes seconds for a tangle of hundreds of nodes: such a flow is shown in rows, as in the list. */
const LARGE = 300;

function inRows(flow: Flow): Places {
  const steps = flowRows(flow).flatMap((row) => (row.kind === "step" ? [row] : []));
  return new Map(
    steps.map(({ node, depth }, row) => [
      node.id,
      { x: depth * (NODE_WIDTH / 2), y: row * (NODE_HEIGHT + 32) },
    ]),
  );
}

function laidOut(flow: Flow): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 48, ranksep: 56 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of flow.nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { source, target } of flow.edges)
    if (graph.hasNode(source) && graph.hasNode(target)) graph.setEdge(source, target);
  layout(graph);
  const places = new Map<string, Position>();
  for (const { id } of flow.nodes) {
    const { x, y } = graph.node(id) as Position;
    places.set(id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 });
  }
  for (const { id, type } of flow.nodes) if (type === "condition") yesOnTheLeft(flow, id, places);
  return places;
}

/** dagre does not order the ways out. If "no" is left of "yes", everything below them changes sides. */
function yesOnTheLeft(flow: Flow, condition: string, places: Map<string, Position>): void {
  const [yes] = edgesBy(flow, condition, "true");
  const [no] = edgesBy(flow, condition, "false");
  if (yes === undefined || no === undefined || yes.target === no.target) return;
  const [left, right] = [places.get(yes.target), places.get(no.target)];
  if (left === undefined || right === undefined) return;
  const [yesSide, noSide] = [below(flow, yes.target), below(flow, no.target)];
  const shift = (ids: ReadonlySet<string>, others: ReadonlySet<string>, by: number) => {
    for (const id of ids) {
      const place = places.get(id);
      if (place !== undefined && !others.has(id)) places.set(id, { ...place, x: place.x + by });
    }
  };
  if (left.x > right.x) {
    shift(yesSide, noSide, right.x - left.x);
    shift(noSide, yesSide, left.x - right.x);
  }
  // One way passes the other: they must not overlap.
  if (Math.abs(left.x - right.x) < NODE_WIDTH / 2) shift(noSide, yesSide, SIDESTEP);
}

const SIDESTEP = NODE_WIDTH * 0.7;

function below(flow: Flow, start: string): Set<string> {
  const seen = new Set([start]);
  for (const id of seen) {
    for (const way of waysOf(nodeById(flow, id)?.type ?? "end"))
      for (const { target } of edgesBy(flow, id, way)) seen.add(target);
  }
  return seen;
}
