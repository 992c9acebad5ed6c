import { edgesBy, waysOf, type Flow, type FlowNode, type Way } from "./flow.ts";
import { isTrigger } from "./node-kind.ts";

/** One row of the flow as a list. */
export type FlowRow =
  | {
      readonly kind: "step";
      readonly node: FlowNode;
      readonly depth: number;
      readonly by: Way | "start" | "loose";
    }
  /** A way that leads to a step that is listed elsewhere. */
  | {
      readonly kind: "jump";
      readonly to: FlowNode;
      readonly from: string;
      readonly depth: number;
      readonly by: Way;
    };

/** The steps in walking order: from each trigger on, "yes" before "no", each once; then those that nothing leads to. */
export function flowRows(flow: Flow): FlowRow[] {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  const listed = new Set<string>();
  const rows: FlowRow[] = [];

  /** Steps still to be listed, the next one last. No recursion, so that a long flow is no problem. */
  const walk = (start: FlowNode, by: "start" | "loose"): void => {
    const open: { node: FlowNode; depth: number; by: Way | "start" | "loose"; from: string }[] = [
      { node: start, depth: 0, by, from: "" },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, depth } = next;
      if (listed.has(node.id)) {
        if (next.by !== "start" && next.by !== "loose")
          rows.push({ kind: "jump", to: node, from: next.from, depth, by: next.by });
        continue;
      }
      listed.add(node.id);
      rows.push({ kind: "step", node, depth, by: next.by });
      const ways = waysOf(node.type);
      for (const way of ways.toReversed()) {
        const target = byId.get(edgesBy(flow, node.id, way)[0]?.target ?? "");
        if (target !== undefined)
          open.push({ node: target, depth: depth + (ways.length > 1 ? 1 : 0), by: way, from: node.id });
      }
    }
  };

  for (const node of flow.nodes) if (isTrigger(node)) walk(node, "start");
  for (const node of flow.nodes) if (!listed.has(node.id)) walk(node, "loose");
  return rows;
}
