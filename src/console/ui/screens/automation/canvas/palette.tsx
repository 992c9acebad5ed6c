import { UnstyledButton } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { addNode, insertAfter } from "../../../flow/edit-flow.ts";
import { edgesBy, nodeById, waysOf, type Way } from "../../../flow/flow.ts";
import { isTrigger, newNode, NODE_GROUPS, type NodeGroup, type NodeKind } from "../../../flow/node-kind.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { useEditor, type Editor } from "../editor.tsx";
import { NodeIcon } from "./node-icon.tsx";

/** The type of the data of a drag from the palette. */
export const KIND_DRAGGED = "application/x-postrider-step";

/** All kinds of steps: drag one to the canvas, or press it to add it after the chosen step. */
export function Palette() {
  const { automations: texts } = useTexts();
  return (
    <nav className="automation-palette" aria-label={texts.palette}>
      {Object.entries(NODE_GROUPS).map(([group, kinds]) => (
        <section key={group}>
          <h2>{texts.groups[group as NodeGroup]}</h2>
          {kinds.map((kind) => (
            <PaletteEntry key={kind} kind={kind} />
          ))}
        </section>
      ))}
    </nav>
  );
}

function PaletteEntry({ kind }: { readonly kind: NodeKind }) {
  const { automations: texts } = useTexts();
  const editor = useEditor();
  const add = () => putBehindChosen(editor, kind);
  return (
    <UnstyledButton
      // Firefox drags nothing by a button.
      component="div"
      role="button"
      className="automation-palette-entry"
      tabIndex={editor.canEdit ? 0 : -1}
      aria-disabled={!editor.canEdit}
      draggable={editor.canEdit}
      onDragStart={(event) => {
        event.dataTransfer.setData(KIND_DRAGGED, kind);
        event.dataTransfer.effectAllowed = "copy";
      }}
      {...(editor.canEdit ? { onClick: add, onKeyDown: pressing(add) } : {})}
    >
      <NodeIcon kind={kind} size={16} />
      {texts.kinds[kind]}
    </UnstyledButton>
  );
}

/** The keys that press a button. A key that is held presses it once. */
const pressing = (press: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  if (!event.repeat) press();
};

/** After the chosen step, on its free way if there is one, otherwise on its first. A trigger is added by itself. */
function putBehindChosen({ flow, chosen, change, choose }: Editor, kind: NodeKind): void {
  const behind = isTrigger(newNode(flow, kind)) ? null : freeWayOf(flow, chosen);
  const added = behind === null ? addNode(flow, kind) : insertAfter(flow, kind, behind.id, behind.way);
  change(added.flow);
  choose(added.id);
}

function freeWayOf(flow: Editor["flow"], chosen: string): { readonly id: string; readonly way: Way } | null {
  const node = nodeById(flow, chosen);
  const ways = waysOf(node?.type ?? "end");
  const way = ways.find((each) => edgesBy(flow, chosen, each).length === 0) ?? ways[0];
  return way === undefined ? null : { id: chosen, way };
}
