import type { Flow } from "#automations/flow/flow.ts";

/**
 * What became of runs and mails at one node. Every run that entered it counts in one of the next three, unless its
 * contact was deleted there: `waiting` is at the node now, `completed` left it or ended there, `failed` ended there
 * with an error. A run that enters again counts again. `sent`, `opened` and `clicked` count messages.
 */
export type NodeFigures = {
  readonly entered: number;
  readonly waiting: number;
  readonly completed: number;
  readonly failed: number;
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
};

export const NO_NODE_FIGURES: NodeFigures = {
  entered: 0,
  waiting: 0,
  completed: 0,
  failed: 0,
  sent: 0,
  opened: 0,
  clicked: 0,
};

/** The figures of all nodes of the flow, in its order; then those of nodes that are no longer in the flow. */
export function figuresInOrder(
  { nodes }: Flow,
  figures: ReadonlyMap<string, NodeFigures>,
): (NodeFigures & { readonly nodeId: string })[] {
  const ids = new Set([...nodes.map(({ id }) => id), ...[...figures.keys()].toSorted()]);
  return [...ids].map((nodeId) => ({ nodeId, ...(figures.get(nodeId) ?? NO_NODE_FIGURES) }));
}
