import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCopy, IconGripVertical, IconTrash } from "@tabler/icons-react";
import { useState, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import type { Place } from "../../letter/place.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useBlockActions, useSelected } from "./block-actions.tsx";
import { useDragging, type DragKind } from "./dragging.ts";

type Props = {
  readonly id: number;
  readonly kind: DragKind;
  readonly place: Place;
  /** What it is, for people. */
  readonly name: string;
  readonly className?: string;
  /** How it looks. A click on it chooses it. */
  readonly children: ReactNode;
  /** Its fields, shown while it is chosen. */
  readonly fields?: ReactNode;
};

/** The frame of every block and section: it can be chosen, moved by pointer or keyboard, copied, removed. */
export function PieceFrame({ id, kind, place, name, className = "", children, fields }: Props) {
  const { letter } = useTexts();
  const actions = useBlockActions();
  const { isReadOnly } = actions;
  const { element, setHandle, isDragging, side } = useDragging({
    kind,
    id,
    place,
    isOff: isReadOnly,
    onDrop: actions.move,
  });
  const isSelected = useSelected() === id && !isReadOnly;
  const { isNear, nearness } = useNearness();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || isReadOnly) return;
    if (pressed(event, actions, id)) event.preventDefault();
  };
  return (
    <div
      ref={element}
      className={`piece piece-${kind} ${className}`}
      data-piece={id}
      data-selected={isSelected || undefined}
      data-dragging={isDragging || undefined}
      data-drop={side ?? undefined}
      role="group"
      aria-label={isReadOnly ? name : letter.select(name)}
      tabIndex={0}
      {...nearness}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        event.stopPropagation();
        // React also brings the clicks of menus and dialogs, which stand elsewhere in the document.
        const isInside = event.currentTarget.contains(event.target as Node);
        if (isInside && !isReadOnly && !isSelected) actions.select(id);
      }}
    >
      {!isReadOnly && (isNear || isSelected || isDragging) && (
        <Tools id={id} name={name} handle={setHandle} />
      )}
      {children}
      {isSelected && fields && (
        <div className="piece-fields" role="group" aria-label={name}>
          {fields}
        </div>
      )}
    </div>
  );
}

/** A long letter has hundreds of pieces: only the one under the pointer or the focus has tools. */
function useNearness() {
  const [isOver, setOver] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const nearness = {
    onMouseEnter: () => setOver(true),
    onMouseLeave: () => setOver(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      setFocused(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  };
  return { isNear: isOver || isFocused, nearness };
}

type Actions = ReturnType<typeof useBlockActions>;

/** @returns whether the key had an effect */
function pressed({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, actions: Actions, id: number): boolean {
  if (altKey && key === "ArrowUp") actions.step(id, -1);
  else if (altKey && key === "ArrowDown") actions.step(id, 1);
  else if (key === "Enter") actions.select(id);
  else if (key === "Escape") actions.select(null);
  else if (key === "Delete" || key === "Backspace") actions.remove(id);
  else if ((ctrlKey || metaKey) && key === "d") actions.duplicate(id);
  else return false;
  return true;
}

type ToolsProps = {
  readonly id: number;
  readonly name: string;
  readonly handle: React.Ref<HTMLElement>;
};

function Tools({ id, name, handle }: ToolsProps) {
  const { letter } = useTexts();
  const actions = useBlockActions();
  const tools = [
    { label: letter.moveUp, icon: IconArrowUp, run: () => actions.step(id, -1) },
    { label: letter.moveDown, icon: IconArrowDown, run: () => actions.step(id, 1) },
    { label: letter.duplicate, icon: IconCopy, run: () => actions.duplicate(id) },
    { label: letter.remove, icon: IconTrash, run: () => actions.remove(id) },
  ];
  return (
    <div className="piece-tools">
      <span className="piece-name">{name}</span>
      <Tooltip label={letter.drag(name)}>
        <ActionIcon
          ref={handle}
          // Firefox drags nothing by a button.
          component="span"
          role="button"
          tabIndex={-1}
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={letter.drag(name)}
        >
          <IconGripVertical size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {tools.map(({ label, icon: Icon, run }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`${label}: ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              run();
            }}
          >
            <Icon size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
