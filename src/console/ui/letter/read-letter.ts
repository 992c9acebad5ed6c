import {
  COLUMNS_MAX,
  type Block,
  type Column,
  type Letter,
  type Row,
  type Section,
  type SocialLink,
} from "./letter.ts";
import { readTree, type Element, type Node } from "./source-tree.ts";
import { tagOf } from "./tag.ts";

/** Why a source has no blocks. `unclosed`: a tag is not closed. `no-body`: there is no letter in it, or more than one. */
export type Unreadable = "unclosed" | "no-body";
export type ReadLetter =
  | { readonly ok: true; readonly letter: Letter }
  | { readonly ok: false; readonly reason: Unreadable };

/** Reads a letter's MJML into blocks. `writeLetter` gives the same bytes again. */
export function readLetter(source: string): ReadLetter {
  const top = readTree(source);
  if (top === null) return { ok: false, reason: "unclosed" };
  const bodies = top
    .flatMap((node) => elementNamed(node, "mjml")?.children ?? [])
    .flatMap((node) => elementNamed(node, "mj-body") ?? []);
  const [body] = bodies;
  if (body === undefined || bodies.length > 1 || isOneTag(body)) return { ok: false, reason: "no-body" };
  return { ok: true, letter: letterOf(source, body) };
}

function letterOf(source: string, body: Element): Letter {
  let id = 0;
  const next = () => ++id;
  const { rows, after } = inside(source, body, next, (node, before) => rowOf(source, node, before, next));
  return {
    head: source.slice(0, body.start),
    body: tagOf(source, body),
    rows,
    after,
    tail: source.slice(body.closeStart),
    nextId: id + 1,
  };
}

type Ids = () => number;
type Inside<T> = { readonly rows: readonly (T | LockedPart)[]; readonly after: string };
type LockedPart = Extract<Block, { kind: "locked" }>;

/** The children with the white space between them. Anything else between them becomes a locked part of its own. */
function inside<T>(
  source: string,
  parent: Element,
  next: Ids,
  read: (node: Node, before: string) => T,
): Inside<T> {
  const rows: (T | LockedPart)[] = [];
  let before = "";
  const gap = (from: number, to: number) => {
    const between = source.slice(from, to);
    const stray = between.trim();
    if (stray === "") return void (before = between);
    const lead = between.slice(0, between.indexOf(stray));
    rows.push({ kind: "locked", id: next(), before: lead, name: "text", written: stray });
    before = between.slice(lead.length + stray.length);
  };
  let at = parent.openEnd;
  for (const node of parent.children) {
    gap(at, node.start);
    rows.push(read(node, before));
    at = node.end;
  }
  gap(at, parent.closeStart);
  return { rows, after: before };
}

function rowOf(source: string, node: Node, before: string, next: Ids): Row {
  const section = elementNamed(node, "mj-section");
  const raw = elementNamed(node, "mj-raw");
  const known = section
    ? sectionOf(source, section, before, next)
    : raw && !isOneTag(raw)
      ? contentOf(source, raw, before, next, "raw")
      : null;
  return known ?? locked(source, node, before, next);
}

/** Null unless it holds one to four columns and nothing else: then it is kept as it is. */
function sectionOf(source: string, node: Element, before: string, next: Ids): Section | null {
  if (isOneTag(node) || node.children.length === 0 || node.children.length > COLUMNS_MAX) return null;
  const id = next();
  const { rows, after } = inside(source, node, next, (child, gap) => {
    const column = elementNamed(child, "mj-column");
    return column && !isOneTag(column) ? columnOf(source, column, gap, next) : null;
  });
  const columns = rows.filter((row): row is Column => row?.kind === "column");
  if (columns.length < rows.length) return null;
  return {
    kind: "section",
    id,
    before,
    tag: tagOf(source, node),
    columns,
    after,
    close: closeOf(source, node),
  };
}

function columnOf(source: string, node: Element, before: string, next: Ids): Column {
  const id = next();
  const { rows, after } = inside(source, node, next, (child, gap) => blockOf(source, child, gap, next));
  return {
    kind: "column",
    id,
    before,
    tag: tagOf(source, node),
    blocks: rows,
    after,
    close: closeOf(source, node),
  };
}

function blockOf(source: string, node: Node, before: string, next: Ids): Block {
  const known = node.kind === "element" ? knownBlock(source, node, before, next) : null;
  return known ?? locked(source, node, before, next);
}

function knownBlock(source: string, node: Element, before: string, next: Ids): Block | null {
  switch (node.name) {
    case "mj-text":
    case "mj-button":
    case "mj-raw":
      return isOneTag(node) ? null : contentOf(source, node, before, next, CONTENT_KINDS[node.name]);
    case "mj-image":
    case "mj-divider":
    case "mj-spacer": {
      const close = source.slice(node.openEnd, node.end);
      if (node.children.length > 0 || source.slice(node.openEnd, node.closeStart).trim() !== "") return null;
      return { kind: PLAIN_KINDS[node.name], id: next(), before, tag: tagOf(source, node), close };
    }
    case "mj-social":
      return socialOf(source, node, before, next);
    default:
      return null;
  }
}

const CONTENT_KINDS = { "mj-text": "text", "mj-button": "button", "mj-raw": "raw" } as const;
const PLAIN_KINDS = { "mj-image": "image", "mj-divider": "divider", "mj-spacer": "spacer" } as const;

const contentOf = <K extends "text" | "button" | "raw">(
  source: string,
  node: Element,
  before: string,
  next: Ids,
  kind: K,
) => ({
  kind,
  id: next(),
  before,
  tag: tagOf(source, node),
  content: source.slice(node.openEnd, node.closeStart),
  close: closeOf(source, node),
});

function socialOf(source: string, node: Element, before: string, next: Ids): Block | null {
  if (isOneTag(node)) return null;
  const id = next();
  const { rows, after } = inside(source, node, next, (child, gap): SocialLink | null => {
    const link = elementNamed(child, "mj-social-element");
    if (!link) return null;
    const content = source.slice(link.openEnd, link.closeStart);
    return { before: gap, tag: tagOf(source, link), content, close: closeOf(source, link) };
  });
  const links = rows.filter((row): row is SocialLink => row !== null && !("kind" in row));
  if (links.length < rows.length) return null;
  return { kind: "social", id, before, tag: tagOf(source, node), links, after, close: closeOf(source, node) };
}

const locked = (source: string, node: Node, before: string, next: Ids): LockedPart => ({
  kind: "locked",
  id: next(),
  before,
  name: node.kind === "element" ? node.name : "comment",
  written: source.slice(node.start, node.end),
});

const elementNamed = (node: Node, name: string): Element | null =>
  node.kind === "element" && node.name === name ? node : null;
const isOneTag = (node: Element): boolean => node.openEnd === node.end;
const closeOf = (source: string, node: Element): string => source.slice(node.closeStart, node.end);
