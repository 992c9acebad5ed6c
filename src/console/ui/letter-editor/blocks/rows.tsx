import { Button, Menu, SegmentedControl, SimpleGrid, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { memo } from "react";
import { useFormat } from "../../frame/format.ts";
import { columnWidths } from "../../letter/edit-letter.ts";
import type { Block, BlockKind, Column, Row, Section } from "../../letter/letter.ts";
import { setColumnCount } from "../../letter/place.ts";
import { attributeOf, withAttribute } from "../../letter/tag.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useBlockActions, useSelected } from "./block-actions.tsx";
import { BlockFields } from "./block-fields.tsx";
import { BlockLook } from "./block-look.tsx";
import { useEmptyDrop } from "./dragging.ts";
import { ColourField, LengthField } from "./fields.tsx";
import { PieceFrame } from "./piece-frame.tsx";

/** A row of the letter: a section, or something locked. */
export const RowView = memo(function RowView({ row, index }: { readonly row: Row; readonly index: number }) {
  const { nameOf } = useBlockActions();
  const place = { columnId: null, index };
  if (row.kind === "section") return <SectionView section={row} index={index} />;
  const fields = row.kind === "raw" ? <BlockFields block={row} /> : undefined;
  return (
    <PieceFrame id={row.id} kind="row" place={place} name={nameOf(row.kind)} fields={fields}>
      <BlockLook block={row} />
    </PieceFrame>
  );
});

function SectionView({ section, index }: { readonly section: Section; readonly index: number }) {
  const { nameOf } = useBlockActions();
  const widths = columnWidths(section);
  return (
    <PieceFrame
      id={section.id}
      kind="row"
      place={{ columnId: null, index }}
      name={nameOf("section")}
      className="section"
      fields={<SectionFields section={section} />}
    >
      <div
        className="section-columns"
        style={{ backgroundColor: attributeOf(section.tag, "background-color") ?? undefined }}
      >
        {section.columns.map((column, at) => (
          <ColumnView key={column.id} column={column} width={widths?.[at] ?? null} />
        ))}
      </div>
    </PieceFrame>
  );
}

type ColumnProps = { readonly column: Column; readonly width: number | null };

const ColumnView = memo(function ColumnView({ column, width }: ColumnProps) {
  const { letter } = useTexts();
  const { isReadOnly, move } = useBlockActions();
  const isEmpty = column.blocks.length === 0;
  const { element, isOver } = useEmptyDrop(column.id, isReadOnly || !isEmpty, move);
  const place = { columnId: column.id, index: column.blocks.length };
  return (
    <div ref={element} className="column" data-over={isOver || undefined} style={{ flexGrow: width ?? 1 }}>
      {isEmpty && <p className="column-empty">{letter.dropHere}</p>}
      {column.blocks.map((block, index) => (
        <BlockView key={block.id} block={block} columnId={column.id} index={index} />
      ))}
      {!isReadOnly && <AddBlock place={place} />}
    </div>
  );
});

type BlockViewProps = { readonly block: Block; readonly columnId: number; readonly index: number };

const BlockView = memo(function BlockView({ block, columnId, index }: BlockViewProps) {
  const { nameOf, isReadOnly } = useBlockActions();
  const selected = useSelected();
  const fields = block.kind === "locked" ? undefined : <BlockFields block={block} />;
  // A text that is being edited is shown in its editor.
  const isWritten = block.kind === "text" && selected === block.id && !isReadOnly;
  return (
    <PieceFrame
      id={block.id}
      kind="block"
      place={{ columnId, index }}
      name={nameOf(block.kind)}
      fields={fields}
    >
      {!isWritten && <BlockLook block={block} />}
    </PieceFrame>
  );
});

const KINDS: readonly BlockKind[] = ["text", "button", "image", "divider", "spacer", "social", "raw"];

function AddBlock({ place }: { readonly place: { columnId: number; index: number } }) {
  const { letter } = useTexts();
  const { insert, nameOf } = useBlockActions();
  return (
    <Menu width={200} position="bottom">
      <Menu.Target>
        <Button
          className="add-block"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={(event) => event.stopPropagation()}
        >
          {letter.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map((kind) => (
          <Menu.Item key={kind} onClick={() => insert(kind, place)}>
            {nameOf(kind)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function AddSection() {
  const { letter: texts } = useTexts();
  const { quantity } = useFormat();
  const { addSection } = useBlockActions();
  return (
    <Menu width={200} position="top">
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
          {texts.addSection}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[1, 2, 3, 4].map((count) => (
          <Menu.Item key={count} onClick={() => addSection(count)}>
            {texts.columns(quantity(count))}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const unsized = (column: Column): Column => ({ ...column, tag: withAttribute(column.tag, "width", null) });

function SectionFields({ section }: { readonly section: Section }) {
  const { letter: texts } = useTexts();
  const { quantity } = useFormat();
  const { edit } = useBlockActions();
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={texts.kinds.column}
        size="xs"
        value={String(section.columns.length)}
        onChange={(count) => edit((letter) => setColumnCount(letter, section.id, Number(count), unsized))}
        data={[1, 2, 3, 4].map((count) => ({ value: String(count), label: texts.columns(quantity(count)) }))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ColourField piece={section} name="background-color" label={texts.background} />
        <LengthField piece={section} name="padding" label={texts.padding} />
      </SimpleGrid>
    </Stack>
  );
}
