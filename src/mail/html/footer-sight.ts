import { childrenOf, elementsOf, isElement, parseHtml } from "./html-tree.ts";
import type { HtmlDocument, HtmlElement, HtmlTree } from "./html-tree.ts";

/** What parsers show of a footer on trial: absent, or inside these elements (innermost first; none of them is right). */
export type Sight = { readonly isShown: boolean; readonly inside: readonly string[] };

/** The trees a document can have: two where `<noscript>` means one thing with scripting and another without. */
export function readings(html: string): HtmlTree[] | null {
  const modes = /<noscript/i.test(html) ? [false, true] : [false];
  const trees = modes.map((scripting) => parseHtml(html, scripting)).filter((tree) => tree !== null);
  return trees.length === modes.length ? trees : null;
}

/** Where a footer belongs: in the page and inside nothing. */
export function isOutside(sight: Sight): boolean {
  return sight.isShown && sight.inside.length === 0;
}

/** Tries the footer before `html[at]`, after `closing`, in every reading of the document. */
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

/** An open table pushes what follows in front of itself: the table then comes after the footer though it was written before. */
function overtaken(root: HtmlElement, start: number): string[] {
  const siblings = root.parentNode === null ? [] : childrenOf(root.parentNode);
  const next = siblings[siblings.indexOf(root) + 1];
  const isEarlier = (next?.sourceCodeLocation?.startOffset ?? start) < start;
  return next !== undefined && isElement(next) && isEarlier ? [next.tagName] : [];
}

/** The only ancestors a footer may have. */
export function isRoot(tagName: string): boolean {
  return tagName === "html" || tagName === "body";
}
