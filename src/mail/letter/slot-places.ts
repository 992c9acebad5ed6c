import { html as standard } from "parse5";
import {
  childrenOf,
  elementsOf,
  parseHtml,
  type HtmlDocument,
  type HtmlElement,
} from "#mail/html/html-tree.ts";
import { segmentsOf, type Segment } from "./slots.ts";

/** Text right inside one of these moves elsewhere, or changes what follows, depending on whether it is blank. */
const NO_TEXT_IN = new Set(
  "html head frameset colgroup table tbody thead tfoot tr template script".split(" "),
);
/** Attributes by which the parser decides where an element goes. */
const DECIDES_PLACE = new Set(["type", "encoding"]);
/** Text that a value could complete: a character reference, the beginning of a tag, a comment or a declaration. */
const INCOMPLETE = /(?:&#?[0-9a-z]*|<[^\s<>]*)$/i;
/** What the end of a value could make the end of a comment. */
const ENDS_COMMENT = /^-?!?>/;
/** An address whose host is complete: what follows is path, query or fragment, which can hold anything. */
const HOST_COMPLETE = /^https?:\/\/[^/?#\\]+[/?#\\]/i;

/**
 * Whether the marks in a document stand where any escaped value can take their place without a browser making another tree of it or,
 * with `linksMatter`, another choice of which links are tracked (`links.ts`): in text, in comments, in quoted attributes, in a link behind
 * its host. Where that cannot be told, they do not.
 */
export function areSlotsSafe(html: string, slots: readonly number[], linksMatter: boolean): boolean {
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
    // Misnested elements are repeated: what is blank decides how often.
    if (start !== undefined && starts.size === starts.add(start).size) return false;
    for (const slot of slotsOfAttributes(element, html, linksMatter)) seen.push(slot);
  }
  for (const slot of slotsOfTexts(tree.document)) seen.push(slot);
  for (const slot of slotsOfComments(tree.document, segments)) seen.push(slot);
  return seen.length === slots.length && slots.every((slot) => seen.includes(slot));
}

const isIncomplete = (before: Segment | undefined): boolean =>
  typeof before === "string" && INCOMPLETE.test(before);

const slotsIn = (text: string): number[] => segmentsOf(text).filter((segment) => typeof segment === "number");

function* slotsOfAttributes(element: HtmlElement, html: string, linksMatter: boolean): Generator<number> {
  for (const { name, prefix, value } of element.attrs) {
    const slots = slotsIn(value);
    if (slots.length === 0 || DECIDES_PLACE.has(name)) continue;
    const place = element.sourceCodeLocation?.attrs?.[prefix ? `${prefix}:${name}` : name];
    if (place === undefined || !isQuoted(html.slice(place.startOffset, place.endOffset))) continue;
    if (linksMatter && name === "href" && isLink(element) && !isDecided(value)) continue;
    yield* slots;
  }
}

const isQuoted = (attribute: string): boolean => /^[^=]*=[\t\n\f\r ]*["']/.test(attribute);

const isLink = ({ tagName, namespaceURI, attrs }: HtmlElement): boolean =>
  (tagName === "a" || tagName === "area") &&
  namespaceURI === standard.NS.HTML &&
  !attrs.some(({ name }) => name === "data-no-track");

/** Whether a link is one to be tracked does not depend on its slots. */
function isDecided(href: string): boolean {
  const [first] = segmentsOf(href);
  const lead = typeof first === "string" ? first.replace(/^[\0- ]+|[\t\n\r]/g, "").toLowerCase() : "";
  if (/^https?:\/\//.test(lead)) return HOST_COMPLETE.test(lead);
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

/** An element whose start tag is written holds any text. A body without one begins with the first text that is not blank. */
function mayHoldSlots(parent: HtmlElement, isFirst: boolean, text: string): boolean {
  if (parent.namespaceURI !== standard.NS.HTML || NO_TEXT_IN.has(parent.tagName)) return false;
  if (parent.sourceCodeLocation?.startTag !== undefined) return true;
  if (parent.tagName !== "body") return false;
  const [first] = segmentsOf(text);
  return !isFirst || (typeof first === "string" && first.trim() !== "");
}
