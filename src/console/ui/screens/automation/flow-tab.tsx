import { ActionIcon, Button, Drawer, Group, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconLayoutDistributeVertical } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { Simulation } from "../../api/api.gen.ts";
import { tidyUp } from "../../flow/edit-flow.ts";
import { nodeById, placeOf } from "../../flow/flow.ts";
import { useShortcut } from "../../frame/shortcuts.ts";
import { Loading } from "../../parts/states/loading.tsx";
import { useIsNarrow, useIsPhone } from "../../frame/use-is-phone.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useEditor } from "./editor.tsx";
import { FlowList } from "./flow-list.tsx";
import { NodePanel } from "./panel/node-panel.tsx";
import { Palette } from "./canvas/palette.tsx";
import { ProblemList } from "./problem-list.tsx";
import { SimulatePanel } from "./simulate-panel.tsx";
import type { FlowDraft } from "./use-flow-draft.ts";

// React Flow is loaded only for the canvas: the list does not need it.
const Canvas = lazy(() => import("./canvas/canvas.tsx").then((module) => ({ default: module.Canvas })));

type Props = {
  readonly draft: FlowDraft;
  readonly isList: boolean;
  readonly isSimulating: boolean;
  readonly onResult: (simulation: Simulation | null) => void;
};

/** The flow, the palette on its left and the chosen step (or the simulation) on its right, if there is room. */
export function FlowTab({ draft, isList, isSimulating, onResult }: Props) {
  const isPhone = useIsPhone();
  const isNarrow = useIsNarrow();
  const { canEdit } = useEditor();
  const { canvas } = useTexts().automations;
  const panel = isSimulating ? (
    <SimulatePanel onResult={onResult} before={draft.settle} isUnpublished={draft.isUnpublished} />
  ) : (
    <NodePanel />
  );
  return (
    <>
      {canEdit && !isSimulating && <Steps draft={draft} />}
      <div className="automation-work" data-phone={isPhone || undefined}>
        {!isPhone && !isSimulating && !isList && canEdit && <Palette />}
        <div className="automation-middle">
          {isList ? (
            <FlowList />
          ) : (
            <div className="automation-canvas">
              <Suspense fallback={<Loading />}>
                <Canvas key={String(isSimulating)} isLocked={isPhone || isSimulating} />
              </Suspense>
            </div>
          )}
          {!isList && !isSimulating && (
            <p className="automation-canvas-hint">{isPhone ? canvas.phone : canvas.hint}</p>
          )}
          <ProblemList />
        </div>
        {isNarrow && !isSimulating ? <PanelDrawer /> : <div className="automation-right">{panel}</div>}
      </div>
    </>
  );
}

/** Buttons for undo, redo and tidying up. */
function Steps({ draft }: { readonly draft: FlowDraft }) {
  const { automations: texts } = useTexts();
  const { flow, change } = useEditor();
  useShortcut("u", texts.undo, () => draft.undo?.());
  useShortcut("r", texts.redo, () => draft.redo?.());
  const isMoved = flow.nodes.some((node) => placeOf(node) !== null);
  return (
    <Group gap="xs" mb="xs">
      <Tooltip label={`${texts.undo} (u)`}>
        <ActionIcon
          variant="default"
          aria-label={texts.undo}
          disabled={draft.undo === null}
          onClick={() => draft.undo?.()}
        >
          <IconArrowBackUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${texts.redo} (r)`}>
        <ActionIcon
          variant="default"
          aria-label={texts.redo}
          disabled={draft.redo === null}
          onClick={() => draft.redo?.()}
        >
          <IconArrowForwardUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Button
        size="xs"
        variant="default"
        disabled={!isMoved}
        leftSection={<IconLayoutDistributeVertical size={14} aria-hidden />}
        onClick={() => change(tidyUp(flow))}
      >
        {texts.tidy}
      </Button>
    </Group>
  );
}

function PanelDrawer() {
  const { flow, chosen, choose, wording } = useEditor();
  const isOpen = nodeById(flow, chosen) !== undefined;
  return (
    <Drawer
      opened={isOpen}
      onClose={() => choose("")}
      position="bottom"
      size="80%"
      title={wording.texts.panel.title}
    >
      <NodePanel isInDrawer />
    </Drawer>
  );
}
