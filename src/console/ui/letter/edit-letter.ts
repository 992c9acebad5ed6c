import { isContained } from "./contained.ts";
import type { Block, Column, Letter, Row, Section, SocialBlock, SocialLink } from "./letter.ts";
import { attributeOf, withAttribute, type Tag } from "./tag.ts";

/** Whatever has an opening tag of its own. */
export type Tagged = Exclude<Block | Row | Column, { kind: "locked" }>;

/** Changes one section, column or block; everything else is the same object as before. */
export function changePiece(letter: Letter, id: number, change: <T extends Tagged>(piece: T) => T): Letter {
  const inColumn = (column: Column): Column => {
    if (column.id === id) return change(column);
    const blocks = shared(column.blocks, (block) => changed(block, id, change));
    return blocks === column.blocks ? column : { ...column, blocks };
  };
  const rows = shared(letter.rows, (row): Row => {
    if (row.kind !== "section" || row.id === id) return changed(row, id, change);
    const columns = shared(row.columns, inColumn);
    return columns === row.columns ? row : { ...row, columns };
  });
  return rows === letter.rows ? letter : { ...letter, rows };
}

const changed = <T extends Block | Row>(piece: T, id: number, change: <P extends Tagged>(piece: P) => P): T =>
  piece.id !== id || piece.kind === "locked" ? piece : (change(piece as Tagged) as T);

/** Returns the same array if nothing in it changed. */
export function shared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const next = items.map(change);
  return next.every((item, at) => item === items[at]) ? items : next;
}

/** Sets one attribute of a section, column or block; null removes it. */
export const setAttribute = (letter: Letter, id: number, name: string, value: string | null): Letter =>
  changePiece(letter, id, (piece) => {
    const tag = withAttribute(piece.tag, name, value);
    return tag === piece.tag ? piece : { ...piece, tag };
  });

/** The same for the letter as a whole: its width and the colour behind it. */
export function setBodyAttribute(letter: Letter, name: string, value: string | null): Letter {
  const body = withAttribute(letter.body, name, value);
  return body === letter.body ? letter : { ...letter, body };
}

/** Sets the content between a block's tags. Null if it would end the block too early: then nothing may be written. */
export function setContent(letter: Letter, id: number, content: string): Letter | null {
  let isSafe = true;
  const next = changePiece(letter, id, (piece) => {
    if (!("content" in piece) || piece.content === content) return piece;
    isSafe = isContained(piece.tag.name, content);
    return { ...piece, content };
  });
  return isSafe ? next : null;
}

/** A network (`facebook`, `github`, …), the address of the link, and the words beside its sign. */
export type SocialEntry = { readonly network: string; readonly href: string; readonly label: string };

export const socialEntries = (block: SocialBlock): SocialEntry[] =>
  block.links.map(({ tag, content }) => ({
    network: attributeOf(tag, "name") ?? "",
    href: attributeOf(tag, "href") ?? "",
    label: labelOf(content),
  }));

/** Without the line breaks around it, which only lay out the source. A space that was just typed stays. */
const labelOf = (content: string): string => content.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, "");

/** Takes one link out of a social block; the others keep their bytes. */
export const removeSocial = (letter: Letter, id: number, at: number): Letter =>
  changePiece(letter, id, (piece) =>
    piece.kind === "social" ? { ...piece, links: piece.links.toSpliced(at, 1) } : piece,
  );

/** The links of a social block, by their place; null where a label would end its element. */
export function setSocial(letter: Letter, id: number, entries: readonly SocialEntry[]): Letter | null {
  if (!entries.every(({ label }) => isContained("mj-social-element", label))) return null;
  return changePiece(letter, id, (piece) => {
    if (piece.kind !== "social") return piece;
    const links = entries.map((entry, at) => socialLink(piece, entry, at));
    return { ...piece, links };
  });
}

const NEW_LINK: Tag = { name: "mj-social-element", attributes: [], written: "<mj-social-element>" };

function socialLink(block: SocialBlock, { network, href, label }: SocialEntry, at: number): SocialLink {
  const old = block.links[at];
  const before = old?.before ?? block.links.at(-1)?.before ?? "";
  const base = old ?? { before, tag: NEW_LINK, content: "", close: "</mj-social-element>" };
  const tag = withAttribute(withAttribute(base.tag, "name", network), "href", href);
  if (labelOf(base.content) === label) return { ...base, tag };
  // A tag that closed itself has no room for a label.
  if (base.close === "") return { ...base, tag: openTag(tag), content: label, close: "</mj-social-element>" };
  return { ...base, tag, content: label };
}

const openTag = (tag: Tag): Tag => ({ ...tag, written: tag.written.replace(/\s*\/\s*>$/, ">") });

/** The widths of a section's columns in percent; null if one of them has none, or not in percent. */
export function columnWidths({ columns }: Section): readonly number[] | null {
  const widths = columns.map(({ tag }) => /^(\d+(?:\.\d+)?)%$/.exec(attributeOf(tag, "width") ?? "")?.[1]);
  return widths.every((width) => width !== undefined) ? widths.map(Number) : null;
}
