import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef, type FocusEvent } from "react";
import { nodeById } from "../../../flow/flow.ts";
import { useEditor } from "../editor.tsx";

/** Moves the canvas to these steps, unless all of them are seen. */
function useInView() {
  const { getNodesBounds, getViewport, setCenter } = useReactFlow();
  const pane = useStoreApi();
  return useCallback(
    (ids: string[]): void => {
      const { width, height } = pane.getState();
      const all = getNodesBounds(ids);
      const { x, y, zoom } = getViewport();
      const [left, top] = [all.x * zoom + x, all.y * zoom + y];
      const [right, bottom] = [left + all.width * zoom, top + all.height * zoom];
      if (left >= 0 && top >= 0 && right <= width && bottom <= height) return;
      void setCenter(all.x + all.width / 2, all.y + all.height / 2, { zoom });
    },
    [getNodesBounds, getViewport, setCenter, pane],
  );
}

/**
 * A way that is reached by keyboard comes into view with both its ends, as the library does for steps: otherwise Delete
 * would remove what nobody sees. The browser scrolls to it too, and the library takes that back.
 */
export function useWayInView() {
  const { flow } = useEditor();
  const show = useInView();
  return ({ target }: FocusEvent<HTMLElement>): void => {
    const way = target.closest(".react-flow__edge");
    const edge = flow.edges[Number(way?.getAttribute("data-id") ?? "none")];
    if (way !== null && edge !== undefined && way.matches(":focus-visible")) show([edge.source, edge.target]);
  };
}

/**
 * A step that is chosen beside the canvas comes into view: one that was just added, or that a problem leads to. What is
 * pressed on the canvas stays under the pointer.
 */
export function ChosenInView() {
  const { flow, chosen } = useEditor();
  const show = useInView();
  const pane = useStoreApi();
  const before = useRef(chosen);
  const isThere = nodeById(flow, chosen) !== undefined;
  useEffect(() => {
    if (!isThere || before.current === chosen) return;
    before.current = chosen;
    const { domNode } = pane.getState();
    if (domNode?.matches(":active") !== true) show([chosen]);
  }, [isThere, chosen, show, pane]);
  return null;
}
