import type { JsonObject, JsonValue } from "#core/request/json-value.ts";

/**
 * A node as the builder stored it. `node.ts` reads `data` when the node is due. Other members (positions) are kept
 * and never read.
 */
export type FlowNode = {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly [member: string]: JsonValue;
};

/**
 * An edge. The branches of a condition are its edges with `sourceHandle` `"true"` and `"false"`; for other
 * nodes the handle has no meaning.
 */
export type FlowEdge = {
  readonly source: string;
  readonly target: string;
  readonly [member: string]: JsonValue;
};

/**
 * A flow of the right shape (`flow-input.ts`), with unique node ids. Its nodes may still make no sense
 * (`problems.ts`).
 */
export type Flow = {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly [member: string]: JsonValue | readonly FlowNode[] | readonly FlowEdge[];
};

/** The way out of a condition. */
export type Branch = "true" | "false";

export const isBranch = (handle: unknown): handle is Branch => handle === "true" || handle === "false";

/** The flow of a new automation: one trigger node, new subscriber joins (docs/contract.md "Automation"). */
export const INITIAL_FLOW: Flow = {
  nodes: [{ id: "trigger", type: "trigger", data: { trigger: "new_subscriber" } }],
  edges: [],
};

/** Results of earlier look-ups in a flow. A flow never changes, and its runs need the same results many times. */
type Known = {
  readonly nodes: Map<string, FlowNode | null>;
  readonly targets: Readonly<Record<Branch | "only", Map<string, readonly string[]>>>;
};
const known = new WeakMap<Flow, Known>();

function knownOf(flow: Flow): Known {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const none: Known = {
    nodes: new Map(),
    targets: { true: new Map(), false: new Map(), only: new Map() },
  };
  known.set(flow, none);
  return none;
}

export function nodeOf(flow: Flow, nodeId: string): FlowNode | null {
  const { nodes } = knownOf(flow);
  const before = nodes.get(nodeId);
  if (before !== undefined) return before;
  const node = flow.nodes.find(({ id }) => id === nodeId) ?? null;
  nodes.set(nodeId, node);
  return node;
}

/**
 * The nodes that the edges of a node lead to, each once. None: the run ends here. More than one: the flow does not
 * say which. With a `branch`, only that branch's edges count. Targets need not exist. The order of the edges makes
 * no difference.
 */
export function targetsOf(flow: Flow, nodeId: string, branch: Branch | null): readonly string[] {
  const targets = knownOf(flow).targets[branch ?? "only"];
  const before = targets.get(nodeId);
  if (before !== undefined) return before;
  const found = findTargets(flow, nodeId, branch);
  targets.set(nodeId, found);
  return found;
}

function findTargets(flow: Flow, nodeId: string, branch: Branch | null): string[] {
  const edges = flow.edges.filter(
    ({ source, sourceHandle }) => source === nodeId && (branch === null || sourceHandle === branch),
  );
  return [...new Set(edges.map(({ target }) => target))].toSorted();
}
