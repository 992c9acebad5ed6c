import { NO_NODE_FIGURES, type NodeFigures } from "#automations/node-figures.ts";

type OfNode = { readonly node: string };
export type NodeCountRow = OfNode & Pick<NodeFigures, "entered" | "completed" | "failed" | "waiting">;
export type NodeMailRow = OfNode & Pick<NodeFigures, "sent" | "opened" | "clicked">;

/** What became of runs and mails at each node, by node. */
export function nodeFigures(
  counts: readonly NodeCountRow[],
  mails: readonly NodeMailRow[],
): Map<string, NodeFigures> {
  const figures = new Map<string, NodeFigures>();
  for (const { node, ...row } of counts) figures.set(node, { ...NO_NODE_FIGURES, ...row });
  for (const { node, ...row } of mails)
    figures.set(node, { ...(figures.get(node) ?? NO_NODE_FIGURES), ...row });
  return figures;
}
