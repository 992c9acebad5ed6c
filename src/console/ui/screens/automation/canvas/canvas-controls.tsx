import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowsMaximize, IconMinus, IconPlus, type Icon } from "@tabler/icons-react";
import { Panel, useReactFlow } from "@xyflow/react";
import { useTexts } from "../../../texts/texts.tsx";

export function CanvasControls() {
  const { canvas } = useTexts().automations;
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-left" className="automation-controls">
      <Control label={canvas.zoomIn} icon={IconPlus} run={() => void zoomIn()} />
      <Control label={canvas.zoomOut} icon={IconMinus} run={() => void zoomOut()} />
      <Control
        label={canvas.fit}
        icon={IconArrowsMaximize}
        run={() => void fitView({ maxZoom: 1, padding: 0.15 })}
      />
    </Panel>
  );
}

type ControlProps = { readonly label: string; readonly icon: Icon; readonly run: () => void };

function Control({ label, icon: Shown, run }: ControlProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={run}>
        <Shown size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
