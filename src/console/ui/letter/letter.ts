import type { Tag } from "./tag.ts";

/**
 * A letter in MJML as blocks. Every byte of the source is kept in it, so that writing it gives the same bytes
 * again; a change rewrites only what it touches. Letters are immutable: each change makes a new one, which shares
 * unchanged parts.
 */

type Piece = {
  /** Identifies the block while the letter is open; the source does not have it. */
  readonly id: number;
  /** The white space before it. */
  readonly before: string;
};

/** What the editor does not know, kept byte for byte. `name` tells people what it is. */
type Locked = Piece & { readonly kind: "locked"; readonly name: string; readonly written: string };

/** HTML between two tags: text, the words on a button, HTML that goes out as it is. */
export type ContentBlock = Piece & {
  readonly kind: "text" | "button" | "raw";
  readonly tag: Tag;
  readonly content: string;
  readonly close: string;
};
export type PlainBlock = Piece & {
  readonly kind: "image" | "divider" | "spacer";
  readonly tag: Tag;
  /** Its closing tag and the white space before; empty where it needs none. */
  readonly close: string;
};
export type SocialLink = {
  readonly before: string;
  readonly tag: Tag;
  readonly content: string;
  readonly close: string;
};
export type SocialBlock = Piece & {
  readonly kind: "social";
  readonly tag: Tag;
  readonly links: readonly SocialLink[];
  readonly after: string;
  readonly close: string;
};
export type Block = ContentBlock | PlainBlock | SocialBlock | Locked;
export type BlockKind = Exclude<Block["kind"], "locked">;

export type Column = Piece & {
  readonly kind: "column";
  readonly tag: Tag;
  readonly blocks: readonly Block[];
  /** The white space before its closing tag. */
  readonly after: string;
  readonly close: string;
};
export type Section = Piece & {
  readonly kind: "section";
  readonly tag: Tag;
  readonly columns: readonly Column[];
  readonly after: string;
  readonly close: string;
};
/** A part of the letter from top to bottom. Raw HTML may be there without a section. */
export type Row = Section | ContentBlock | Locked;

export type Letter = {
  /** Everything before `<mj-body>`. */
  readonly head: string;
  readonly body: Tag;
  readonly rows: readonly Row[];
  /** The white space before `</mj-body>`. */
  readonly after: string;
  /** `</mj-body>` and everything after it. */
  readonly tail: string;
  /** The next free id. */
  readonly nextId: number;
};

export const COLUMNS_MAX = 4;

export const columnsOf = (letter: Letter): readonly Column[] =>
  letter.rows.flatMap((row) => (row.kind === "section" ? row.columns : []));

export const findBlock = (letter: Letter, id: number): Block | Row | null =>
  letter.rows.find((row) => row.id === id) ??
  columnsOf(letter)
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.id === id) ??
  null;
