import { childrenOf, elementsOf, isElement, parseHtml } from "./html-tree.ts";
import type { HtmlDocument, HtmlElement, HtmlTree } from "./html-tree.ts";

/**
 * Where parsers show a footer that was inserted on trial: nowhere, or inside these elements (innermost first). None
 * of these elements may stay open.
 */
export type Sight = { readonly isShown: boolean; readonly inside: readonly string[] };

/** The trees that a document can have: two if `<noscript>` is parsed differently with and without scripting. */
export function readings(html: string): readonly [HtmlTree, ...HtmlTree[]] | null {
  const modes = /<noscript/i.test(html) ? [false, true] : [false];
  const [first, ...others] = modes
    .map((scripting) => parseHtml(html, scripting))
    .filter((tree) => tree !== null);
  return first !== undefined && others.length + 1 === modes.length ? [first, ...others] : null;
}

/** Whether the footer is in the right place: in the page, and inside no other element. */
export function isOutside(sight: Sight): boolean {
  return sight.isShown && sight.inside.length === 0;
}

/** Tries the footer before `html[at]`, after `closing`, in every tree of the document. */
export function look(html: string, at: number, closing: string, footer: string): Sight {
  const start = at + closing.length;
  const trees = readings(html.slice(0, at) + closing + footer + html.slice(at)) ?? [];
  const sights = trees.map(({ document }) => lookInto(document, start, start + footer.length));
  return {
    isShown: sights.length > 0 && sights.every(({ isShown }) => isShown),
    inside: sights.find(({ inside }) => inside.length > 0)?.inside ?? [],
  };
}

function lookInto(document: HtmlDocument, start: number, end: number): Sight {
  const isOurs = (node: HtmlElement) => {
    const offset = node.sourceCodeLocation?.startOffset ?? -1;
    return offset >= start && offset < end;
  };
  const hosts = new Map<object, HtmlElement>();
  const ours: HtmlElement[] = [];
  for (const element of elementsOf(document)) {
    if ("content" in element) hosts.set(element.content as object, element);
    if (isOurs(element)) ours.push(element);
  }
  const root = ours[0];
  if (root?.sourceCodeLocation?.startOffset !== start) return { isShown: false, inside: [] };
  const inside = ours
    .map((element) => strangersAround(element, isOurs, hosts))
    .find((names) => names.length > 0);
  return { isShown: true, inside: inside ?? overtaken(root, start) };
}

function strangersAround(
  element: HtmlElement,
  isOurs: (element: HtmlElement) => boolean,
  hosts: ReadonlyMap<object, HtmlElement>,
): string[] {
  const names: string[] = [];
  let node = hosts.get(element.parentNode ?? element) ?? element.parentNode;
  for (; node !== null && isElement(node); node = hosts.get(node.parentNode ?? node) ?? node.parentNode) {
    if (!isRoot(node.tagName) && !isOurs(node)) names.push(node.tagName);
  }
  return names;
}

/**
 * An open table moves later content in front of itself. The table then comes after the footer, although it was
 * written before it.
 */
function overtaken(root: HtmlElement, start: number): string[] {
  const siblings = root.parentNode === null ? [] : childrenOf(root.parentNode);
  const next = siblings[siblings.indexOf(root) + 1];
  const isEarlier = (next?.sourceCodeLocation?.startOffset ?? start) < start;
  return next !== undefined && isElement(next) && isEarlier ? [next.tagName] : [];
}

/** The only ancestors that a footer may have. */
export function isRoot(tagName: string): boolean {
  return tagName === "html" || tagName === "body";
}
