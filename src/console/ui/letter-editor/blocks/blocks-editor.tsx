import { ActionIcon, Alert, Button, Group, Popover, Stack, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { findBlock, type Letter } from "../../letter/letter.ts";
import { newBlock, newSection } from "../../letter/new-blocks.ts";
import { pieceAt, type SourcePlace } from "../../letter/piece-at.ts";
import {
  duplicatePiece,
  insertBlock,
  insertRow,
  movePiece,
  removePiece,
  stepPiece,
} from "../../letter/place.ts";
import { attributeOf } from "../../letter/tag.ts";
import { useTexts } from "../../texts/texts.tsx";
import { setBodyAttribute } from "../../letter/edit-letter.ts";
import { ActionsProvider, SelectedProvider, useBlockActions, type BlockActions } from "./block-actions.tsx";
import { ColourInput, LengthInput } from "./fields.tsx";
import { AddSection, RowView } from "./rows.tsx";
import { useBlocks } from "./use-blocks.ts";

type Props = {
  readonly source: string;
  readonly onChange: (source: string) => void;
  readonly isReadOnly: boolean;
  /** A place in the source whose block to jump to. A new object jumps again. */
  readonly place: SourcePlace | null;
  /** Opens the source, where a letter that cannot be shown as blocks can be corrected. */
  readonly toSource: () => void;
};

/** A letter in MJML as blocks. */
export function BlocksEditor({ source, onChange, isReadOnly, place, toSource }: Props) {
  const { letter: texts } = useTexts();
  const blocks = useBlocks(source, onChange);
  if (blocks.letter === null)
    return (
      <Alert color="yellow" role="status">
        <p className="load-error-says">{blocks.reason === "unclosed" ? texts.unclosed : texts.noBody}</p>
        <Button variant="default" size="xs" onClick={toSource}>
          {texts.toSource}
        </Button>
      </Alert>
    );
  return (
    <Canvas
      key={blocks.times}
      blocks={blocks}
      letter={blocks.letter}
      source={source}
      place={place}
      isReadOnly={isReadOnly}
    />
  );
}

type Blocks = ReturnType<typeof useBlocks>;
type CanvasProps = Pick<Props, "source" | "place" | "isReadOnly"> & {
  readonly blocks: Blocks;
  readonly letter: Letter;
};

function Canvas({ blocks, letter, source, place, isReadOnly }: CanvasProps) {
  const { letter: texts } = useTexts();
  const host = useRef<HTMLDivElement>(null);
  const { actions, selected, said } = useActions(blocks, letter, isReadOnly, host);
  useAsked(place, () => {
    const asked = place && pieceAt(letter, source, place);
    if (asked) actions.show(asked.id);
  });
  const background = attributeOf(letter.body, "background-color") ?? "#ffffff";
  const onKeyDown = (event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (isReadOnly || !isUndo || isField(event.target)) return;
    event.preventDefault();
    if (event.shiftKey) blocks.redo();
    else blocks.undo();
  };
  return (
    <ActionsProvider value={actions}>
      <SelectedProvider value={selected}>
        <div ref={host} className="blocks" onKeyDown={onKeyDown}>
          {!isReadOnly && <UndoBar blocks={blocks} letter={letter} />}
          <div
            className="blocks-paper"
            style={{ backgroundColor: background }}
            onClick={() => actions.select(null)}
            role="presentation"
          >
            {letter.rows.length === 0 && <p className="blocks-empty">{texts.emptySays}</p>}
            {letter.rows.map((row, index) => (
              <RowView key={row.id} row={row} index={index} />
            ))}
          </div>
          {!isReadOnly && <AddSection />}
          <VisuallyHidden role="status" aria-live="polite">
            {said}
          </VisuallyHidden>
        </div>
      </SelectedProvider>
    </ActionsProvider>
  );
}

/** Fields have an undo of their own. */
const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea"));

function UndoBar({ blocks, letter }: { readonly blocks: Blocks; readonly letter: Letter }) {
  const { letter: texts } = useTexts();
  const buttons = [
    { label: texts.undo, icon: IconArrowBackUp, run: blocks.undo, isOn: blocks.canUndo },
    { label: texts.redo, icon: IconArrowForwardUp, run: blocks.redo, isOn: blocks.canRedo },
  ];
  return (
    <Group gap={4} className="blocks-bar">
      {buttons.map(({ label, icon: Icon, run, isOn }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={!isOn} onClick={() => run()}>
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <WholeLetter letter={letter} />
    </Group>
  );
}

/** The settings of the letter as a whole. */
function WholeLetter({ letter }: { readonly letter: Letter }) {
  const { letter: texts } = useTexts();
  const { edit } = useBlockActions();
  const field = (name: string) => ({
    value: attributeOf(letter.body, name) ?? "",
    set: (value: string | null) => void edit((open) => setBodyAttribute(open, name, value), `body ${name}`),
  });
  return (
    <Popover position="bottom-start" trapFocus withArrow>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" color="gray">
          {texts.whole}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <ColourInput label={texts.pageBackground} {...field("background-color")} />
          <LengthInput label={texts.pageWidth} {...field("width")} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function useActions(
  blocks: Blocks,
  letter: Letter,
  isReadOnly: boolean,
  host: React.RefObject<HTMLDivElement | null>,
) {
  const { letter: texts, campaigns } = useTexts();
  const [selected, select] = useState<number | null>(null);
  const [said, say] = useState("");
  const wanted = useFocus(host, letter);
  const now = useRef({ blocks, letter });
  now.current = { blocks, letter };
  const actions = useMemo((): BlockActions => {
    const nameOf = (kind: string): string => (texts.kinds as Readonly<Record<string, string>>)[kind] ?? kind;
    const nameOfId = (id: number): string => nameOf(findBlock(now.current.letter, id)?.kind ?? "");
    const words = { text: campaigns.firstText, button: campaigns.firstButton };
    const showAdded = (added: { letter: Letter; id: number } | null) => {
      if (added === null) return;
      now.current.blocks.change(added.letter);
      select(added.id);
      wanted.current = added.id;
    };
    const moved = (id: number, next: Letter) => {
      if (next === now.current.letter) return;
      now.current.blocks.change(next);
      wanted.current = id;
      say(texts.moved(nameOfId(id)));
    };
    return {
      isReadOnly,
      select,
      show(id) {
        select(id);
        const piece = host.current?.querySelector<HTMLElement>(`[data-piece="${id}"]`);
        piece?.focus({ preventScroll: true });
        piece?.scrollIntoView({ block: "center" });
      },
      edit(how, about) {
        const next = how(now.current.letter);
        if (next !== null) now.current.blocks.change(next, about ?? null);
        return next !== null;
      },
      insert: (kind, place) => showAdded(insertBlock(now.current.letter, place, newBlock(kind, words))),
      addSection: (columns) =>
        showAdded(insertRow(now.current.letter, now.current.letter.rows.length, newSection(columns))),
      move: (id, place) => moved(id, movePiece(now.current.letter, id, place)),
      step: (id, step) => moved(id, stepPiece(now.current.letter, id, step)),
      duplicate: (id) => showAdded(duplicatePiece(now.current.letter, id)),
      remove(id) {
        say(texts.removed(nameOfId(id)));
        now.current.blocks.change(removePiece(now.current.letter, id));
        wanted.current = neighbourOf(host.current, id);
        select(null);
      },
      nameOf,
    };
  }, [isReadOnly, texts, campaigns, wanted, host]);
  return { actions, selected, said };
}

/** After a move or an insertion by keyboard, people continue from there: the block gets the focus once it is drawn. */
function useFocus(host: React.RefObject<HTMLDivElement | null>, letter: Letter) {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    host.current?.querySelector<HTMLElement>(`[data-piece="${wanted.current}"]`)?.focus();
    wanted.current = null;
  }, [host, letter]);
  return wanted;
}

/** Places that were jumped to: a letter that is opened again later stays where it is. */
const goneTo = new WeakSet<SourcePlace>();

function useAsked(place: SourcePlace | null, go: () => void): void {
  useEffect(() => {
    if (place === null || goneTo.has(place)) return;
    goneTo.add(place);
    go();
  });
}

/** The piece before this one; for the first piece, the one after it. */
function neighbourOf(host: HTMLElement | null, id: number): number | null {
  const pieces = [...(host?.querySelectorAll<HTMLElement>("[data-piece]") ?? [])].map(({ dataset }) =>
    Number(dataset["piece"]),
  );
  const at = pieces.indexOf(id);
  return pieces[at - 1] ?? pieces[at + 1] ?? null;
}
