import { Select } from "@mantine/core";
import { connect, disconnect, mayConnect } from "../../../flow/edit-flow.ts";
import { edgesBy, waysOf, type FlowNode, type Way } from "../../../flow/flow.ts";
import { nodeSummary, nodeTitle } from "../../../flow/node-words.ts";
import { useEditor } from "../editor.tsx";

/** Where a step leads: the ways of the canvas as fields, for the keyboard. */
export function NextFields({ node }: { readonly node: FlowNode }) {
  return waysOf(node.type).map((way) => <NextField key={way ?? "next"} node={node} way={way} />);
}

function NextField({ node, way }: { readonly node: FlowNode; readonly way: Way }) {
  const { flow, change, canEdit, wording } = useEditor();
  const { panel } = wording.texts;
  const label = way === null ? panel.next : way === "true" ? panel.nextYes : panel.nextNo;
  const targets = flow.nodes.filter(({ id }) => mayConnect(flow, node.id, way, id));
  const [edge] = edgesBy(flow, node.id, way);
  const choices = targets.map((each) => ({
    value: each.id,
    label: `${nodeTitle(each, wording)}: ${nodeSummary(each, wording)}`,
  }));
  return (
    <Select
      label={label}
      placeholder={panel.nowhere}
      data={choices}
      clearable
      disabled={!canEdit}
      value={edge?.target ?? null}
      onChange={(target) =>
        change(target === null ? disconnect(flow, node.id, way) : connect(flow, node.id, way, target))
      }
    />
  );
}
