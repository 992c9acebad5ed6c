import { columnsOf, type Block, type Column, type Letter, type Row, type Section } from "./letter.ts";
import { shared } from "./edit-letter.ts";

/** A place between blocks: before the one at `index`. With `columnId` null it is between the letter's rows. */
export type Place = { readonly columnId: number | null; readonly index: number };

/** The present place of a block or row; null if the letter has none with this id. */
export function placeOf(letter: Letter, id: number): Place | null {
  const row = letter.rows.findIndex((one) => one.id === id);
  if (row >= 0) return { columnId: null, index: row };
  for (const section of letter.rows) {
    if (section.kind !== "section") continue;
    for (const column of section.columns) {
      const index = column.blocks.findIndex((block) => block.id === id);
      if (index >= 0) return { columnId: column.id, index };
    }
  }
  return null;
}

type Added = { readonly letter: Letter; readonly id: number };

/** Puts a block into a column. It gets a new id and the indentation of its neighbours. */
export function insertBlock(letter: Letter, place: Place, block: Block): Added {
  const id = letter.nextId;
  const next = inColumn({ ...letter, nextId: id + 1 }, place.columnId, (column) => {
    const before = indentation(column, column.blocks, place.index);
    const blocks = column.blocks.toSpliced(place.index, 0, { ...block, id, before });
    return { ...column, blocks, after: closing(column, column.blocks.length) };
  });
  return { letter: next, id };
}

/** Puts a section, or another row, between the letter's rows. All in it get new ids. */
export function insertRow(letter: Letter, index: number, row: Row): Added {
  let nextId = letter.nextId;
  const fresh = freshRow(row, () => nextId++);
  const parent = { before: letter.head.match(/\n[ \t]*$/)?.[0] ?? "", after: letter.after };
  const before = indentation(parent, letter.rows, index);
  const rows = letter.rows.toSpliced(index, 0, { ...fresh, before });
  const after = closing(parent, letter.rows.length);
  return { letter: { ...letter, rows, after, nextId }, id: fresh.id };
}

function freshRow(row: Row, next: () => number): Row {
  const id = next();
  if (row.kind !== "section") return { ...row, id };
  const columns = row.columns.map((column) => ({
    ...column,
    id: next(),
    blocks: column.blocks.map((block) => ({ ...block, id: next() })),
  }));
  return { ...row, id, columns };
}

/** Takes a block or row out, with the white space before it. */
export function removePiece(letter: Letter, id: number): Letter {
  const rows = letter.rows.filter((row) => row.id !== id);
  if (rows.length < letter.rows.length) return { ...letter, rows };
  return everyColumn(letter, (column) => {
    const blocks = column.blocks.filter((block) => block.id !== id);
    return blocks.length < column.blocks.length ? { ...column, blocks } : column;
  });
}

/** Moves a block or row. `place` is counted before the move. A row stays between rows, a block in a column. */
export function movePiece(letter: Letter, id: number, place: Place): Letter {
  const from = placeOf(letter, id);
  if (from === null || (from.columnId === null) !== (place.columnId === null)) return letter;
  const isSame = from.columnId === place.columnId;
  if (isSame && (place.index === from.index || place.index === from.index + 1)) return letter;
  const index = isSame && from.index < place.index ? place.index - 1 : place.index;
  const rest = removePiece(letter, id);
  if (from.columnId === null) {
    const row = letter.rows[from.index];
    return row ? { ...rest, rows: rest.rows.toSpliced(index, 0, row) } : letter;
  }
  const block = blockAt(letter, from);
  if (block === undefined) return letter;
  return inColumn(rest, place.columnId, (column) => {
    const before = isSame ? block.before : indentation(column, column.blocks, index);
    const blocks = column.blocks.toSpliced(index, 0, { ...block, before });
    return { ...column, blocks, after: closing(column, column.blocks.length) };
  });
}

/** One step up or down, as by keyboard. At the edge of a column it goes to the column before or after. */
export function stepPiece(letter: Letter, id: number, step: -1 | 1): Letter {
  const from = placeOf(letter, id);
  if (from === null) return letter;
  const count =
    from.columnId === null ? letter.rows.length : (columnAt(letter, from.columnId)?.blocks.length ?? 0);
  const index = step < 0 ? from.index - 1 : from.index + 2;
  if (index >= 0 && index <= count) return movePiece(letter, id, { ...from, index });
  const columns = columnsOf(letter);
  const beside = columns[columns.findIndex((column) => column.id === from.columnId) + step];
  if (from.columnId === null || beside === undefined) return letter;
  return movePiece(letter, id, { columnId: beside.id, index: step < 0 ? beside.blocks.length : 0 });
}

/** A copy right after it. */
export function duplicatePiece(letter: Letter, id: number): Added | null {
  const from = placeOf(letter, id);
  if (from === null) return null;
  if (from.columnId === null) {
    const row = letter.rows[from.index];
    return row ? insertRow(letter, from.index + 1, row) : null;
  }
  const block = blockAt(letter, from);
  return block ? insertBlock(letter, { ...from, index: from.index + 1 }, block) : null;
}

/**
 * A section with so many columns: new ones are empty and come last; the content of removed ones goes to the end of
 * the last column that stays. The widths of columns are removed, so that all are equally wide.
 */
export function setColumnCount(
  letter: Letter,
  id: number,
  count: number,
  unsized: (column: Column) => Column,
): Letter {
  let nextId = letter.nextId;
  const rows = shared(letter.rows, (row) => {
    if (row.id !== id || row.kind !== "section" || row.columns.length === count) return row;
    const kept = row.columns.slice(0, count).map(unsized);
    return {
      ...row,
      columns: count < row.columns.length ? merged(row, kept) : grown(row, kept, count, () => nextId++),
    };
  });
  return { ...letter, rows, nextId };
}

function merged(row: Section, kept: readonly Column[]): readonly Column[] {
  const last = kept.at(-1);
  if (last === undefined) return row.columns;
  const moved = row.columns.slice(kept.length).flatMap(({ blocks }) => blocks);
  return [...kept.slice(0, -1), { ...last, blocks: [...last.blocks, ...moved] }];
}

function grown(row: Section, kept: readonly Column[], count: number, next: () => number): readonly Column[] {
  const before = kept.at(-1)?.before ?? "";
  const tag = { name: "mj-column", attributes: [], written: "<mj-column>" };
  const empty = Array.from({ length: count - kept.length }, (): Column => {
    return { kind: "column", id: next(), before, tag, blocks: [], after: before, close: "</mj-column>" };
  });
  return [...kept, ...empty];
}

const blockAt = (letter: Letter, { columnId, index }: Place): Block | undefined =>
  columnId === null ? undefined : columnAt(letter, columnId)?.blocks[index];

const columnAt = (letter: Letter, id: number): Column | undefined =>
  columnsOf(letter).find((column) => column.id === id);

const inColumn = (letter: Letter, id: number | null, change: (column: Column) => Column): Letter =>
  everyColumn(letter, (column) => (column.id === id ? change(column) : column));

function everyColumn(letter: Letter, change: (column: Column) => Column): Letter {
  const rows = shared(letter.rows, (row): Row => {
    if (row.kind !== "section") return row;
    const columns = shared(row.columns, change);
    return columns === row.columns ? row : { ...row, columns };
  });
  return rows === letter.rows ? letter : { ...letter, rows };
}

type Indented = { readonly before: string };

function indentation(parent: Indented, siblings: readonly Indented[], index: number): string {
  const beside = siblings[index] ?? siblings[index - 1];
  if (beside) return beside.before.match(/\n[ \t]*$/)?.[0] ?? beside.before;
  const own = parent.before.match(/\n[ \t]*$/)?.[0];
  return own === undefined ? "" : `${own}  `;
}

/** The first block of an empty column puts the column's closing tag on a line of its own. */
const closing = (parent: { before: string; after: string }, blocksBefore: number): string =>
  blocksBefore === 0 && parent.after.trim() === "" && !parent.after.includes("\n")
    ? (parent.before.match(/\n[ \t]*$/)?.[0] ?? parent.after)
    : parent.after;
