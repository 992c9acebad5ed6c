import {
  Background,
  ReactFlow,
  ReactFlowProvider,
  useNodesInitialized,
  useReactFlow,
  useStoreApi,
  type Connection,
  type Edge,
  type EdgeChange,
  type NodeChange,
} from "@xyflow/react";
import { useEffect, useMemo, useRef, useState, type DragEvent } from "react";
import { connect, disconnect, mayConnect, addNode, moveNode, removeNode } from "../../../flow/edit-flow.ts";
import { nodeById, wayOf, type Flow, type Position, type Way } from "../../../flow/flow.ts";
import { NODE_HEIGHT, NODE_WIDTH, positionsOf } from "../../../flow/layout.ts";
import { NODE_KINDS } from "../../../flow/node-kind.ts";
import { nodeTitle, wayWord } from "../../../flow/node-words.ts";
import { CanvasControls } from "./canvas-controls.tsx";
import { ChosenInView, useWayInView } from "./in-view.tsx";
import { useEditor, type Editor } from "../editor.tsx";
import { FlowNode, type CanvasNode } from "./flow-node.tsx";
import { KIND_DRAGGED } from "./palette.tsx";

const NODE_TYPES = { step: FlowNode };

/** The flow as a picture that can be drawn in: drag, connect, remove. */
export function Canvas({ isLocked }: { readonly isLocked: boolean }) {
  return (
    <ReactFlowProvider>
      <Drawn isLocked={isLocked} />
    </ReactFlowProvider>
  );
}

function Drawn({ isLocked }: { readonly isLocked: boolean }) {
  const { flow, change, choose, canEdit, wording } = useEditor();
  const { nodes, onNodesChange } = useCanvasNodes();
  const { edges, onEdgesChange } = useCanvasEdges();
  const drop = useDrop();
  const isFree = canEdit && !isLocked;
  return (
    <ReactFlow
      aria-label={wording.texts.canvas.label}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onBeforeDelete={isCanvasInFront}
      onNodesDelete={(gone) => change(gone.reduce((left, { id }) => removeNode(left, id), flow))}
      onEdgesDelete={(gone) =>
        change(gone.reduce((left, edge) => disconnect(left, edge.source, handleWay(edge.sourceHandle)), flow))
      }
      onConnect={({ source, target, sourceHandle }) =>
        change(connect(flow, source, handleWay(sourceHandle), target))
      }
      isValidConnection={(wanted) => isPossible(flow, wanted)}
      onPaneClick={() => choose("")}
      onFocus={useWayInView()}
      onDragOver={(event) => event.preventDefault()}
      onDrop={isFree ? drop : () => {}}
      nodesDraggable={isFree}
      nodesConnectable={isFree}
      deleteKeyCode={isFree ? ["Delete", "Backspace"] : null}
      minZoom={0.1}
      maxZoom={1.5}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={16} />
      <CanvasControls />
      <FirstView />
      <ChosenInView />
    </ReactFlow>
  );
}

/** The library hears the keys of the whole page. In a dialog over the canvas they mean something else. */
const isCanvasInFront = async (): Promise<boolean> => document.querySelector("[aria-modal=true]") === null;

/** Smaller steps cannot be read. */
const ZOOM_MIN = 0.75;

/** The first view: the whole flow; if that would be too small to read, its beginning. */
function FirstView() {
  const isMeasured = useNodesInitialized();
  const { fitView, getNodes, getNodesBounds, getViewport, setViewport } = useReactFlow();
  const pane = useStoreApi();
  const isShown = useRef(false);
  useEffect(() => {
    if (!isMeasured || isShown.current) return;
    isShown.current = true;
    void fitView({ maxZoom: 1, minZoom: ZOOM_MIN, padding: 0.15 }).then(() => {
      const { x, zoom } = getViewport();
      const { y, height } = getNodesBounds(getNodes());
      if (height * zoom < pane.getState().height) return;
      return setViewport({ x, y: VIEW_TOP - y * zoom, zoom });
    });
  }, [isMeasured, fitView, getNodes, getNodesBounds, getViewport, setViewport, pane]);
  return null;
}

const VIEW_TOP = 24;

const handleWay = (handle: string | null | undefined): Way =>
  handle === "true" || handle === "false" ? handle : null;

const isPossible = (flow: Flow, { source, target, sourceHandle }: Connection | Edge): boolean =>
  mayConnect(flow, source, handleWay(sourceHandle), target);

/** The nodes in their places; while one is dragged, it is at the pointer. */
function useCanvasNodes() {
  const { flow, change, chosen, choose } = useEditor();
  const [dragged, setDragged] = useState<ReadonlyMap<string, Position>>(new Map());
  const [measured, setMeasured] = useState<ReadonlyMap<string, { width: number; height: number }>>(new Map());
  const places = useMemo(() => positionsOf(flow), [flow]);
  const nodes = useMemo(
    () =>
      flow.nodes.map((raw): CanvasNode => ({
        id: raw.id,
        type: "step",
        data: { raw },
        position: dragged.get(raw.id) ?? places.get(raw.id) ?? { x: 0, y: 0 },
        selected: raw.id === chosen,
        measured: measured.get(raw.id) ?? { width: NODE_WIDTH, height: NODE_HEIGHT },
      })),
    [flow, places, dragged, measured, chosen],
  );

  const onNodesChange = (changes: NodeChange<CanvasNode>[]) => {
    for (const one of changes) {
      if (one.type === "dimensions" && one.dimensions) {
        const { dimensions, id } = one;
        setMeasured((before) => new Map([...before, [id, dimensions]]));
      }
      if (one.type === "select" && one.selected) choose(one.id);
      if (one.type !== "position" || one.position === undefined) continue;
      const { id, position } = one;
      if (one.dragging === true) {
        setDragged((before) => new Map([...before, [id, position]]));
      } else {
        setDragged(new Map());
        if (nodeById(flow, id) !== undefined) change(moveNode(flow, id, position), `move ${id}`);
      }
    }
  };
  return { nodes, onNodesChange };
}

/** The ways between the nodes. A way that was chosen, by click or by Tab and Enter, can be removed. */
function useCanvasEdges() {
  const editor = useEditor();
  const { flow } = editor;
  const [chosen, setChosen] = useState<{ readonly flow: Flow; readonly id: string } | null>(null);
  // In another flow the same number means another way.
  const chosenId = chosen?.flow === flow ? chosen.id : null;
  const edges = drawnEdges(editor).map((edge) => ({ ...edge, selected: edge.id === chosenId }));
  const onEdgesChange = (changes: EdgeChange[]) => {
    for (const one of changes) {
      if (one.type !== "select") continue;
      setChosen(one.selected ? { flow, id: one.id } : null);
      // Otherwise Delete would also remove the step that was chosen before.
      if (one.selected) editor.choose("");
    }
  };
  return { edges, onEdgesChange };
}

function drawnEdges({ flow, wording, simulated }: Editor): Edge[] {
  const { canvas } = wording.texts;
  const walked = new Set(
    simulated?.steps.slice(1).map(({ nodeId }, index) => `${simulated.steps[index]?.nodeId} ${nodeId}`),
  );
  const titleOf = (id: string): string => {
    const node = nodeById(flow, id);
    return node === undefined ? id : nodeTitle(node, wording);
  };
  return flow.edges.map((edge, index) => {
    const way = wayOf(edge, nodeById(flow, edge.source)?.type ?? "");
    const label = wayWord(wording, way ?? null);
    return {
      id: `${index}`,
      source: edge.source,
      target: edge.target,
      sourceHandle: way ?? null,
      ...(label === null ? {} : { label }),
      ariaLabel: canvas.way(titleOf(edge.source), titleOf(edge.target), label),
      className: walked.has(`${edge.source} ${edge.target}`) ? "automation-edge-walked" : "automation-edge",
      animated: false,
    };
  });
}

/** A kind that is dropped from the palette becomes a node there. */
function useDrop() {
  const { flow, change, choose } = useEditor();
  const { screenToFlowPosition } = useReactFlow();
  return (event: DragEvent) => {
    const kind = NODE_KINDS.find((known) => known === event.dataTransfer.getData(KIND_DRAGGED));
    if (kind === undefined) return;
    event.preventDefault();
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const added = addNode(flow, kind, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 });
    change(added.flow);
    choose(added.id);
  };
}
