import { html as standard } from "parse5";
import {
  childrenOf,
  elementsOf,
  parseHtml,
  type HtmlDocument,
  type HtmlElement,
} from "#mail/html/html-tree.ts";
import { segmentsOf, type Segment } from "./slots.ts";

/**
 * Text directly inside one of these elements moves elsewhere, or changes how the rest is parsed, depending on
 * whether it is blank.
 */
const NO_TEXT_IN = new Set(
  "html head frameset colgroup table tbody thead tfoot tr template script".split(" "),
);
/** Attributes by which the parser decides where an element goes. */
const DECIDES_PLACE = new Set(["type", "encoding"]);
/**
 * Text that a value could complete: a character reference, or the start of a tag, a comment or a declaration.
 */
const INCOMPLETE = /(?:&#?[0-9a-z]*|<[^\s<>]*)$/i;
/** Text after a value that, together with the value's end, could become the end of a comment. */
const ENDS_COMMENT = /^-?!?>/;
/** An address with a complete host. After it come path, query or fragment, which may contain anything. */
const HOST_COMPLETE = /^https?:\/\/[^/?#\\]+[/?#\\]/i;

/** What is done to a letter's links: tracked by a redirect, given parameters, or nothing. */
export type LinkUse = "tracked" | "completed" | "untouched";

/**
 * Whether any escaped value can replace the marks in a document without changing how a browser parses it. The tree
 * must stay the same, and so must the choice of links that are rewritten (`links.ts`). Safe places are text,
 * comments, quoted attributes, and a tracked link after its host. In doubt the answer is no.
 */
export function areSlotsSafe(html: string, slots: readonly number[], links: LinkUse): boolean {
  const segments = segmentsOf(html);
  if (segments.some((segment, index) => typeof segment === "number" && isIncomplete(segments[index - 1])))
    return false;
  const tree = parseHtml(html);
  // A late frameset replaces the page, unless text that is not blank came before it.
  if (tree === null || /<frameset/i.test(html)) return false;
  const seen: number[] = [];
  const starts = new Set<number>();
  for (const element of elementsOf(tree.document)) {
    const start = element.sourceCodeLocation?.startOffset;
    // The parser repeats misnested elements, and how often depends on which text is blank.
    if (start !== undefined && starts.size === starts.add(start).size) return false;
    for (const slot of slotsOfAttributes(element, html, links)) seen.push(slot);
  }
  for (const slot of slotsOfTexts(tree.document)) seen.push(slot);
  for (const slot of slotsOfComments(tree.document, segments)) seen.push(slot);
  return seen.length === slots.length && slots.every((slot) => seen.includes(slot));
}

const isIncomplete = (before: Segment | undefined): boolean =>
  typeof before === "string" && INCOMPLETE.test(before);

const slotsIn = (text: string): number[] => segmentsOf(text).filter((segment) => typeof segment === "number");

function* slotsOfAttributes(element: HtmlElement, html: string, links: LinkUse): Generator<number> {
  for (const { name, prefix, value } of element.attrs) {
    const slots = slotsIn(value);
    if (slots.length === 0 || DECIDES_PLACE.has(name)) continue;
    const place = element.sourceCodeLocation?.attrs?.[prefix ? `${prefix}:${name}` : name];
    if (place === undefined || !isQuoted(html.slice(place.startOffset, place.endOffset))) continue;
    if (links !== "untouched" && name === "href" && isLink(element) && !isDecided(value, links)) continue;
    yield* slots;
  }
}

const isQuoted = (attribute: string): boolean => /^[^=]*=[\t\n\f\r ]*["']/.test(attribute);

const isLink = ({ tagName, namespaceURI, attrs }: HtmlElement): boolean =>
  (tagName === "a" || tagName === "area") &&
  namespaceURI === standard.NS.HTML &&
  !attrs.some(({ name }) => name === "data-no-track");

/**
 * Whether a link is rewritten must not depend on the values of its slots. If its address stays in the page and is
 * only completed, no value may be in it at all, because a value may bring parameters of its own.
 */
function isDecided(href: string, links: LinkUse): boolean {
  const [first] = segmentsOf(href);
  const lead = typeof first === "string" ? first.replace(/^[\0- ]+|[\t\n\r]/g, "").toLowerCase() : "";
  if (/^https?:\/\//.test(lead)) return links === "tracked" && HOST_COMPLETE.test(lead);
  return !"https://".startsWith(lead) && !"http://".startsWith(lead);
}

function* slotsOfTexts(document: HtmlDocument): Generator<number> {
  for (const parent of elementsOf(document)) {
    for (const [index, child] of childrenOf(parent).entries()) {
      if (!("value" in child)) continue;
      if (mayHoldSlots(parent, index === 0, child.value)) yield* slotsIn(child.value);
    }
  }
}

function* slotsOfComments(document: HtmlDocument, segments: readonly Segment[]): Generator<number> {
  const nodes = [document, ...elementsOf(document)].flatMap((parent) => [...childrenOf(parent)]);
  for (const node of nodes) {
    if (node.nodeName !== "#comment" || !("data" in node)) continue;
    for (const slot of slotsIn(node.data)) {
      const after = segments[segments.indexOf(slot) + 1];
      if (typeof after === "string" && !ENDS_COMMENT.test(after)) yield slot;
    }
  }
}

/**
 * An element with an explicit start tag may contain any text. A body without a start tag begins with the first text
 * that is not blank.
 */
function mayHoldSlots(parent: HtmlElement, isFirst: boolean, text: string): boolean {
  if (parent.namespaceURI !== standard.NS.HTML || NO_TEXT_IN.has(parent.tagName)) return false;
  if (parent.sourceCodeLocation?.startTag !== undefined) return true;
  if (parent.tagName !== "body") return false;
  const [first] = segmentsOf(text);
  return !isFirst || (typeof first === "string" && first.trim() !== "");
}
