/**
 * A flow as the console edits it: the JSON of the API, with every member. What the console does not know (a node's
 * label from another builder, an edge's id) is kept, because edits copy and never rebuild.
 */

export type Data = Readonly<Record<string, unknown>>;

export type FlowNode = {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  readonly position?: unknown;
  readonly [member: string]: unknown;
};

export type FlowEdge = {
  readonly source: string;
  readonly target: string;
  readonly sourceHandle?: unknown;
  readonly [member: string]: unknown;
};

export type Flow = {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly [member: string]: unknown;
};

/** A way out of a node. A condition has two; an end has none; other nodes have one without a name. */
export type Way = "true" | "false" | null;

export type Position = { readonly x: number; readonly y: number };

export const nodeById = (flow: Flow, id: string): FlowNode | undefined =>
  flow.nodes.find((node) => node.id === id);

/** The ways that lead on from a node of this type. */
export function waysOf(type: string): readonly Way[] {
  if (type === "condition") return ["true", "false"];
  return type === "end" ? [] : [null];
}

/** Which way an edge belongs to; undefined if the engine never follows it. */
export function wayOf(edge: FlowEdge, type: string): Way | undefined {
  if (type === "end") return undefined;
  if (type !== "condition") return null;
  return edge.sourceHandle === "true" || edge.sourceHandle === "false" ? edge.sourceHandle : undefined;
}

/** The edges of a node that the engine follows by this way; the first of them counts. */
export const edgesBy = (flow: Flow, id: string, way: Way): readonly FlowEdge[] => {
  const type = nodeById(flow, id)?.type ?? "";
  return flow.edges.filter((edge) => edge.source === id && wayOf(edge, type) === way);
};

/** Where a node was put by hand; null if it was not. */
export function placeOf({ position }: FlowNode): Position | null {
  if (typeof position !== "object" || position === null) return null;
  const { x, y } = position as Record<string, unknown>;
  return typeof x === "number" && typeof y === "number" && Number.isFinite(x) && Number.isFinite(y)
    ? { x, y }
    : null;
}
