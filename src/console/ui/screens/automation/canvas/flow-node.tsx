import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { edgesBy, waysOf, type FlowNode as Raw } from "../../../flow/flow.ts";
import { isTrigger, kindOf } from "../../../flow/node-kind.ts";
import { nodeSummary, nodeTitle, wayWord } from "../../../flow/node-words.ts";
import { useEditor, useMarks } from "../editor.tsx";
import { NodeFigureLine } from "./node-figure-line.tsx";
import { NodeIcon } from "./node-icon.tsx";

/** A node on the canvas. `raw` is the flow's own object, which is never written to. */
export type CanvasNode = Node<{ readonly raw: Raw }, "step">;

export function FlowNode({ data: { raw }, selected }: NodeProps<CanvasNode>) {
  const { wording } = useEditor();
  const { hasProblem, path } = useMarks(raw.id);
  const [title, summary] = [nodeTitle(raw, wording), nodeSummary(raw, wording)];
  return (
    <div
      className="automation-node"
      data-type={raw.type}
      data-selected={selected || undefined}
      data-problem={hasProblem || undefined}
      data-path={path}
    >
      {!isTrigger(raw) && <Handle type="target" position={Position.Top} />}
      <span className="automation-node-icon">
        <NodeIcon kind={kindOf(raw)} />
      </span>
      <span className="automation-node-words">
        <strong title={title}>{title}</strong>
        <span title={summary}>{summary}</span>
      </span>
      {hasProblem && (
        <span className="automation-node-problem" role="img" aria-label={wording.texts.problems}>
          !
        </span>
      )}
      <NodeFigureLine id={raw.id} />
      <Ways node={raw} />
    </div>
  );
}

/** The dots where ways begin. A way that leads nowhere yet has its name here; otherwise the way itself shows it. */
function Ways({ node: { id, type } }: { readonly node: Raw }) {
  const { flow, wording } = useEditor();
  return waysOf(type).map((way) => {
    const word = wayWord(wording, way);
    return (
      <Handle
        key={way ?? "next"}
        type="source"
        position={Position.Bottom}
        id={way}
        {...(way === null ? {} : { style: { left: way === "true" ? "28%" : "72%" } })}
        title={word ?? wording.texts.panel.next}
      >
        {word !== null && edgesBy(flow, id, way).length === 0 && (
          <span className="automation-node-way">{word}</span>
        )}
      </Handle>
    );
  });
}
