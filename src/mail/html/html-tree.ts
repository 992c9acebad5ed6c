import { present } from "#core/present.ts";
import { defaultTreeAdapter, parse } from "parse5";
import type { DefaultTreeAdapterTypes, TreeAdapter, DefaultTreeAdapterTypes as Tree } from "parse5";

export type HtmlDocument = Tree.Document;
export type HtmlElement = Tree.Element;

/**
 * The document tree that a browser would build, and the constructs that were still open when the text ended (the
 * HTML standard's `eof-…` error codes).
 */
export type HtmlTree = { readonly document: HtmlDocument; readonly brokenOff: ReadonlySet<string> };

/** Deeper than any intended layout, and deeper than mail clients render. */
const DEPTH_MAX = 1_000;
/** It says how a file is encoded. Mail programs and browsers take it off, so it is not content. */
const BYTE_ORDER_MARK = /^\uFEFF/;
/** Each element costs one plus its depth. An ordinary 512 KB document needs less than a tenth of this. */
const EFFORT_MAX = 8_000_000;

/**
 * Parses HTML as the standard says, with source offsets. Mail clients run no scripts. Some parse as if they did,
 * which makes `<noscript>` raw text; `scriptingEnabled` is for those. Null if the nesting is so deep, or so many
 * unclosed formatting elements are repeated, that the standard's algorithm would take far too much time or memory.
 * Callers then leave the document unchanged.
 */
export function parseHtml(html: string, scriptingEnabled = false): HtmlTree | null {
  const brokenOff = new Set<string>();
  try {
    const document = parse(html.replace(BYTE_ORDER_MARK, " "), {
      sourceCodeLocationInfo: true,
      scriptingEnabled,
      treeAdapter: boundedAdapter(),
      onParseError: (error) => {
        if (error.code.startsWith("eof-")) brokenOff.add(error.code);
      },
    });
    return { document, brokenOff };
  } catch (error) {
    if (error instanceof TooTangled) return null;
    throw error;
  }
}

/**
 * Every element in document order, including those inside `<template>`. Not recursive, so deep nesting cannot
 * exhaust the stack.
 */
export function* elementsOf(document: HtmlDocument): Generator<HtmlElement> {
  const waiting: Tree.Node[] = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node)) yield node;
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) waiting.push(present(children[i], "child of an element"));
  }
}

/**
 * The elements along the right edge of the tree, outermost first: those that were open when the text ended.
 */
export function rightEdge(document: HtmlDocument): HtmlElement[] {
  const edge: HtmlElement[] = [];
  for (let node: Tree.Node | undefined = document; node !== undefined; node = childrenOf(node).at(-1)) {
    if (isElement(node)) edge.push(node);
  }
  return edge;
}

export function isElement(node: Tree.Node): node is HtmlElement {
  return "tagName" in node;
}

export function childrenOf(node: Tree.Node): readonly Tree.ChildNode[] {
  if ("content" in node) return node.content.childNodes;
  return "childNodes" in node ? node.childNodes : [];
}

class TooTangled extends Error {}

function boundedAdapter(): TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  let depth = 0;
  let effort = 0;
  return {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      effort += 1 + depth;
      if (effort > EFFORT_MAX) throw new TooTangled();
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onItemPush: () => {
      if (++depth > DEPTH_MAX) throw new TooTangled();
    },
    onItemPop: () => {
      depth--;
    },
  };
}
