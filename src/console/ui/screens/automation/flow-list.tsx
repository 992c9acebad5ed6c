import { Button, Menu } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { addNode, insertAfter } from "../../flow/edit-flow.ts";
import { waysOf, type FlowNode, type Way } from "../../flow/flow.ts";
import { flowRows, type FlowRow } from "../../flow/flow-order.ts";
import { isTrigger, kindOf, newNode, NODE_KINDS } from "../../flow/node-kind.ts";
import { nodeSummary, nodeTitle, wayWord, type Wording } from "../../flow/node-words.ts";
import { useEditor, useMarks } from "./editor.tsx";
import { NodeFigureLine } from "./canvas/node-figure-line.tsx";
import { NodeIcon } from "./canvas/node-icon.tsx";

/** The same flow as rows: for phones, the keyboard and screen readers. Everything can be changed here. */
export function FlowList() {
  const { flow, canEdit, wording } = useEditor();
  return (
    <div>
      <ol className="automation-list" aria-label={wording.texts.list.label}>
        {flowRows(flow).map((row) => (
          <li
            key={row.kind === "step" ? row.node.id : `${row.from} ${row.by}`}
            style={{ marginInlineStart: `${Math.min(row.depth, 6) * 20}px` }}
          >
            {row.kind === "step" ? <StepRow row={row} /> : <JumpRow row={row} />}
          </li>
        ))}
      </ol>
      {canEdit && <AddMenu label={wording.texts.palette} shown={wording.texts.palette} after={null} />}
    </div>
  );
}

type StepRowProps = { readonly row: Extract<FlowRow, { kind: "step" }> };

function StepRow({ row: { node, by } }: StepRowProps) {
  const { chosen, choose, canEdit, wording } = useEditor();
  const { hasProblem, path } = useMarks(node.id);
  return (
    <div
      className="automation-row"
      data-selected={node.id === chosen || undefined}
      data-problem={hasProblem || undefined}
      data-path={path}
    >
      <WayWord by={by} />
      <button
        type="button"
        className="automation-row-step"
        aria-pressed={node.id === chosen}
        onClick={() => choose(node.id)}
      >
        <NodeIcon kind={kindOf(node)} />
        <span className="automation-node-words">
          <strong>{nodeTitle(node, wording)}</strong>
          <span>{nodeSummary(node, wording)}</span>
        </span>
        <NodeFigureLine id={node.id} />
      </button>
      {canEdit &&
        waysOf(node.type).map((way) => (
          <AddMenu
            key={way ?? "next"}
            label={addLabel(wording, way)}
            shown={wayWord(wording, way) ?? ""}
            after={{ node, way }}
          />
        ))}
    </div>
  );
}

const addLabel = (wording: Wording, way: Way): string => {
  const { addAfter } = wording.texts.list;
  const word = wayWord(wording, way);
  return word === null ? addAfter : `${addAfter} (${word})`;
};

function JumpRow({ row: { to, by } }: { readonly row: Extract<FlowRow, { kind: "jump" }> }) {
  const { choose, wording } = useEditor();
  return (
    <div className="automation-row">
      <WayWord by={by} />
      <Button variant="subtle" size="compact-sm" onClick={() => choose(to.id)}>
        {wording.texts.list.goesBack(`${nodeTitle(to, wording)}: ${nodeSummary(to, wording)}`)}
      </Button>
    </div>
  );
}

function WayWord({ by }: { readonly by: FlowRow["by"] }) {
  const { wording } = useEditor();
  if (by === "start") return null;
  const word = by === "loose" ? wording.texts.list.loose : wayWord(wording, by);
  return word !== null && <span className="automation-row-way">{word}</span>;
}

type AddMenuProps = {
  readonly label: string;
  /** The text beside the plus, so that two in a row can be told apart. */
  readonly shown: string;
  /** Null: a step that nothing leads to, such as a trigger. */
  readonly after: { readonly node: FlowNode; readonly way: Way } | null;
};

function AddMenu({ label, shown, after }: AddMenuProps) {
  const { flow, change, choose, wording } = useEditor();
  const kinds = NODE_KINDS.filter((kind) => after === null || !isTrigger(newNode(flow, kind)));
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant={after === null ? "default" : "subtle"}
          size="compact-sm"
          aria-label={label}
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        {kinds.map((kind) => (
          <Menu.Item
            key={kind}
            leftSection={<NodeIcon kind={kind} size={16} />}
            onClick={() => {
              const added =
                after === null ? addNode(flow, kind) : insertAfter(flow, kind, after.node.id, after.way);
              change(added.flow);
              choose(added.id);
            }}
          >
            {wording.texts.kinds[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
