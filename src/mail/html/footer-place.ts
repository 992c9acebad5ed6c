import { isOutside, isRoot, look, readings } from "./footer-sight.ts";
import { elementsOf, rightEdge } from "./html-tree.ts";
import type { HtmlDocument, HtmlElement, HtmlTree } from "./html-tree.ts";
import { END_IN_COMMENT, END_IN_PAGE, isInCondition } from "./outlook-conditions.ts";

/** Insert `added` before `html[at]`: end tags for the elements that the author left open there, then the footer. */
export type FooterPlace = { readonly at: number; readonly added: string };

/** Each round closes every unwanted ancestor. Another round is needed only if closing one uncovers the next. */
const ROUNDS_MAX = 4;

/** Elements that end only at their own end tag. `noscript` is one for parsers that assume scripting. */
const RAW_TEXT = new Set("iframe noembed noframes noscript script style textarea title xmp".split(" "));

/**
 * Finds a place for the footer outside every element that the author left open: before the real `</body>`, else at
 * the end, else (`<plaintext>`, framesets) at the top.
 *
 * Promise: parsed by the HTML standard, the footer's elements have no ancestors but `html`, `body` and each other.
 * No content that was written before the footer comes after it, unless the footer is at the top. Outlook shows it
 * too, where a condition for other readers was left open. A stylesheet that hides `body` itself is not handled.
 *
 * States: trial at the end -> (absent) close the tokenizer's state -> (inside something) close that -> shown,
 * or top.
 */
export function placeFooter(html: string, footer: string): FooterPlace {
  const trees = readings(html);
  if (trees === null) return { at: 0, added: footer };
  const { document } = trees[0];
  const at = bodyEnd(document) ?? html.length;
  const isOpen = isInCondition(html, at);
  const breaksOffInIt = isOpen && at === html.length && trees.some(isInComment);
  const closings = trees.flatMap((tree) => closingsToTry(tree, isOpen));
  for (const closing of new Set(breaksOffInIt ? closings : ["", ...closings])) {
    const end = isOpen && !closing.startsWith(END_IN_COMMENT) ? END_IN_PAGE : "";
    const added = closeAround(html, at, closing, end, footer);
    if (added !== null) return { at, added };
  }
  const top = topsToTry(document).find((place) => isOutside(look(html, place, "", footer)));
  return { at: top ?? 0, added: footer };
}

/**
 * Adds end tags until no element of the author is open around the footer. Null if the parser does not show the
 * footer at all, or closing does not help.
 * @param end ends a condition of Outlook, before the footer
 */
function closeAround(html: string, at: number, closing: string, end: string, footer: string): string | null {
  let added = closing;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const sight = look(html, at, added + end, footer);
    if (!sight.isShown) return null;
    if (isOutside(sight)) return added + end + footer;
    added += endTags(sight.inside);
  }
  return null;
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

/**
 * Texts that may end the token or raw text in which the document broke off; then the one that ends a `select`,
 * which ignores other tags.
 */
function closingsToTry(tree: HtmlTree, isOpenCondition: boolean): string[] {
  const open = rightEdge(tree.document).filter((element) => !isClosed(element));
  const names = open.map(({ tagName }) => tagName).filter((name) => !isRoot(name));
  const ends = tokenEnds(tree, isOpenCondition);
  return [...ends, ...ends.map((end) => end + endTags(names.toReversed()))];
}

/**
 * If the document breaks off inside a tag, it is unknown which quote is open, so each is tried. A bogus comment
 * (`<!x`, `</`) ends at `>`.
 */
function tokenEnds({ document, brokenOff }: HtmlTree, isOpenCondition: boolean): string[] {
  if (brokenOff.has("eof-in-tag")) return [">", '">', "'>"];
  if (isInComment({ brokenOff })) return [isOpenCondition ? END_IN_COMMENT : "-->"];
  if (brokenOff.has("eof-in-cdata")) return ["]]>"];
  if (!brokenOff.has("eof-in-element-that-can-contain-only-text")) return ["", ">"];
  const rawText = elementsOf(document).filter(
    (element) => RAW_TEXT.has(element.tagName) && !isClosed(element),
  );
  const end = endTags([...rawText].slice(-1).map(({ tagName }) => tagName));
  return [end, `-->${end}`];
}

const isInComment = ({ brokenOff }: Pick<HtmlTree, "brokenOff">): boolean => brokenOff.has("eof-in-comment");

function isClosed({ sourceCodeLocation }: HtmlElement): boolean {
  return sourceCodeLocation?.endTag !== undefined;
}

function endTags(tagNames: readonly string[]): string {
  return tagNames.map((name) => `</${name}>`).join("");
}
