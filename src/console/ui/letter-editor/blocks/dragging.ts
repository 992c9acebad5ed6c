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

/**
 * Lets an element be dragged by its handle, and be dropped upon. Only the handle is draggable, though the element is what
 * one sees move: inside of what is draggable Firefox puts no cursor where somebody clicks, and marks no text.
 */
export function useDragging({ kind, id, place, isOff, onDrop }: Draggable) {
  const element = useRef<HTMLDivElement>(null);
  // The handle appears and disappears with the pointer, so dragging is bound to it each time.
  const [handle, setHandle] = useState<HTMLElement | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [side, setSide] = useState<DropSide | null>(null);
  const { columnId, index } = place;
  useEffect(() => {
    const { current } = element;
    if (current === null || isOff) return;
    const sideOf = ({ location }: ElementDropTargetEventBasePayload): DropSide => {
      const { top, height } = current.getBoundingClientRect();
      return location.current.input.clientY < top + height / 2 ? "before" : "after";
    };
    return dropTargetForElements({
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
  }, [kind, id, columnId, index, isOff, onDrop]);
  useEffect(() => {
    if (handle === null || isOff) return;
    return draggable({
      element: handle,
      getInitialData: () => ({ kind, id }),
      onGenerateDragPreview: ({ nativeSetDragImage, location }) => {
        const { clientX, clientY } = location.initial.input;
        const { left, top } = element.current?.getBoundingClientRect() ?? { left: clientX, top: clientY };
        nativeSetDragImage?.(element.current ?? handle, clientX - left, clientY - top);
      },
      onDragStart: () => setDragging(true),
      onDrop: () => setDragging(false),
    });
  }, [kind, id, isOff, handle]);
  return { element, setHandle, isDragging, side };
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
