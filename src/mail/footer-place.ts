import { childrenOf, elementsOf, isElement, parseHtml, rightEdge } from "./html-tree.ts";
import type { HtmlDocument, HtmlElement, HtmlTree } from "./html-tree.ts";

/** `added` goes in before `html[at]`: end tags for what the author left open there, then the footer. */
export type FooterPlace = { readonly at: number; readonly added: string };

/** What a parser shows of a footer on trial: absent, or inside these elements (innermost first; none of them is right). */
type Sight = { readonly isShown: boolean; readonly inside: readonly string[] };

/** Each round closes every unwanted ancestor there is; another is only needed where closing one uncovers the next. */
const ROUNDS_MAX = 4;

/**
 * Finds where the footer stands outside anything the author left unclosed: before the real `</body>`, else at the end,
 * else (`<plaintext>`, framesets) at the top. Promise: parsed by the HTML standard, the footer's elements have no
 * ancestors but `html`, `body` and each other, and no other content comes after it that was written before it, unless
 * it stands at the top. A stylesheet that hides `body` itself is beyond it.
 *
 * States: trial at the end -> (absent) close the tokenizer's state -> (inside something) close that -> shown, or top.
 */
export function placeFooter(html: string, footer: string): FooterPlace {
  const trees = readings(html);
  if (trees === null) return { at: 0, added: footer };
  const { document } = trees[0]!;
  const at = bodyEnd(document) ?? html.length;
  for (const closing of new Set(["", ...trees.flatMap(closingsToTry)])) {
    const added = closeAround(html, at, closing, footer);
    if (added !== null) return { at, added };
  }
  const top = topsToTry(document).find((place) => isOutside(look(html, place, "", footer)));
  return { at: top ?? 0, added: footer };
}

/** The trees a document can have: two where `<noscript>` means one thing with scripting and another without. */
function readings(html: string): HtmlTree[] | null {
  const modes = /<noscript/i.test(html) ? [false, true] : [false];
  const trees = modes.map((scripting) => parseHtml(html, scripting)).filter((tree) => tree !== null);
  return trees.length === modes.length ? trees : null;
}

/** Adds end tags until the footer stands free; null where the parser does not show it at all or closing does not help. */
function closeAround(html: string, at: number, closing: string, footer: string): string | null {
  let added = closing;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const sight = look(html, at, added, footer);
    if (!sight.isShown) return null;
    if (isOutside(sight)) return added + footer;
    added += endTags(sight.inside);
  }
  return null;
}

function isOutside(sight: Sight): boolean {
  return sight.isShown && sight.inside.length === 0;
}

function bodyEnd(document: HtmlDocument): number | undefined {
  const [html, body] = [find(document, "html"), find(document, "body")];
  return (body?.sourceCodeLocation?.endTag ?? html?.sourceCodeLocation?.endTag)?.startOffset;
}

function topsToTry(document: HtmlDocument): number[] {
  const afterBodyTag = find(document, "body")?.sourceCodeLocation?.startTag?.endOffset;
  const doctype = document.childNodes.find((node) => node.nodeName === "#documentType");
  return [afterBodyTag, doctype?.sourceCodeLocation?.endOffset].filter((place) => place !== undefined);
}

function find(document: HtmlDocument, tagName: string): HtmlElement | undefined {
  for (const element of elementsOf(document)) if (element.tagName === tagName) return element;
  return undefined;
}

/** What ends the token the text broke off in; then also what ends raw text and `select`. */
function closingsToTry({ document, brokenOff }: HtmlTree): string[] {
  const open = rightEdge(document).filter(({ sourceCodeLocation }) => !sourceCodeLocation?.endTag);
  const edge = endTags(open.map(({ tagName }) => tagName).filter((name) => !isRoot(name)).toReversed());
  return tokenEnds(brokenOff).flatMap((end) => [end, end + edge]);
}

/** Where a tag broke off, its quote is not known: each is tried. A bogus comment (`<!x`, `</`) ends at `>`. */
function tokenEnds(brokenOff: ReadonlySet<string>): string[] {
  if (brokenOff.has("eof-in-tag")) return [">", '">', "'>"];
  if (brokenOff.has("eof-in-script-html-comment-like-text")) return ["", "-->"];
  if (brokenOff.has("eof-in-comment")) return ["-->"];
  if (brokenOff.has("eof-in-cdata")) return ["]]>"];
  return brokenOff.has("eof-in-element-that-can-contain-only-text") ? [""] : [">", ""];
}

function look(html: string, at: number, closing: string, footer: string): Sight {
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
  const inside = ours.map((element) => strangersAround(element, isOurs, hosts)).find((names) => names.length > 0);
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

function isRoot(tagName: string): boolean {
  return tagName === "html" || tagName === "body";
}

function endTags(tagNames: readonly string[]): string {
  return tagNames.map((name) => `</${name}>`).join("");
}
