import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventBasePayload,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useRef, useState } from "react";
import type { Place } from "../../letter/place.ts";

/** What may be dropped where: rows between rows, blocks between blocks. */
export type DragKind = "row" | "block";

export type DropSide = "before" | "after";

type Dragged = { readonly kind: DragKind; readonly id: number };

const isDragged = (data: Record<string, unknown>): data is Dragged & Record<string, unknown> =>
  (data["kind"] === "row" || data["kind"] === "block") && typeof data["id"] === "number";

type Draggable = {
  readonly kind: DragKind;
  readonly id: number;
  /** Where it stands. */
  readonly place: Place;
  readonly isOff: boolean;
  readonly onDrop: (id: number, place: Place) => void;
};

/** Lets an element be dragged by its handle, and be dropped upon. */
export function useDragging({ kind, id, place, isOff, onDrop }: Draggable) {
  const element = useRef<HTMLDivElement>(null);
  // The handle appears and disappears with the pointer, so dragging is bound to it each time.
  const [handle, setHandle] = useState<HTMLElement | null>(null);
  const [side, setSide] = useState<DropSide | null>(null);
  const { columnId, index } = place;
  useEffect(() => {
    const { current } = element;
    if (current === null || isOff) return;
    const sideOf = ({ location }: ElementDropTargetEventBasePayload): DropSide => {
      const { top, height } = current.getBoundingClientRect();
      return location.current.input.clientY < top + height / 2 ? "before" : "after";
    };
    const drag = handle
      ? [draggable({ element: current, dragHandle: handle, getInitialData: () => ({ kind, id }) })]
      : [];
    const drop = dropTargetForElements({
      element: current,
      canDrop: ({ source }) => source.data["kind"] === kind && source.data["id"] !== id,
      onDrag: (event) => setSide(isInnermost(event, current) ? sideOf(event) : null),
      onDragLeave: () => setSide(null),
      onDrop: (event) => {
        setSide(null);
        const { data } = event.source;
        if (!isDragged(data) || !isInnermost(event, current)) return;
        onDrop(data.id, { columnId, index: sideOf(event) === "before" ? index : index + 1 });
      },
    });
    return combine(...drag, drop);
  }, [kind, id, columnId, index, isOff, onDrop, handle]);
  return { element, setHandle, side };
}

const isInnermost = ({ location }: ElementDropTargetEventBasePayload, element: Element): boolean =>
  location.current.dropTargets[0]?.element === element;

/** An empty column takes a block anywhere in it. */
export function useEmptyDrop(columnId: number, isOff: boolean, onDrop: (id: number, place: Place) => void) {
  const element = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null || isOff) return;
    return dropTargetForElements({
      element: current,
      canDrop: ({ source }) => source.data["kind"] === "block",
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        if (isDragged(source.data)) onDrop(source.data.id, { columnId, index: 0 });
      },
    });
  }, [columnId, isOff, onDrop]);
  return { element, isOver };
}
