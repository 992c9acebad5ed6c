import { html as standard, type Token } from "parse5";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { trimAsBrowsersDo } from "./address-blanks.ts";
import { elementsOf, parseHtml, type HtmlElement } from "./html-tree.ts";
import { escapeHtml } from "#core/text/html-escape.ts";

/** `html` with rewritten links, and the address for each index. */
export type TrackedLinks = { readonly html: string; readonly links: readonly string[] };

type Splice = {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly href: string;
};

/**
 * Rewrites the links of a document to `hrefOf(index, target)`; `links[index]` is the address that the recipient
 * must reach. Only the text between an attribute's quotes changes; every other byte stays. A value
 * without quotes gets them if the new one has white space, which would end it. Links for which `isLeftAlone` is
 * true are ignored.
 *
 * A link is an `href` of an HTML `a` or `area` element without `data-no-track`, whose value is an absolute
 * `http://` or `https://` address that a browser could open. Links in comments, styles, scripts and SVG do not
 * count. A target is the attribute's value with entities decoded and without the white space that browsers ignore
 * in an address (WHATWG URL, "basic URL parser"). Apart from that it is the author's own text, so the redirecting
 * code must still encode non-ASCII characters. A document too complex to parse (`parseHtml` returns null) keeps its
 * links.
 * @param atMost the most different targets; links to others stay as they are
 */
export function trackLinks(
  html: string,
  hrefOf: (index: number, target: string) => string,
  isLeftAlone: (target: string) => boolean = () => false,
  atMost = Infinity,
): TrackedLinks {
  const tree = parseHtml(html);
  if (tree === null) return { html, links: [] };
  const indexes = new Map<string, number>();
  const splices = new Map<number, Splice>();
  for (const element of elementsOf(tree.document)) {
    const target = targetOf(element);
    const place = element.sourceCodeLocation?.attrs?.["href"];
    if (target === null || place === undefined || isLeftAlone(target)) continue;
    const index = indexes.get(target) ?? indexes.size;
    if (index >= atMost) continue;
    indexes.set(target, index);
    // The parser repeats misnested elements, but their source exists only once, so the offset is the key.
    splices.set(place.startOffset, { ...valueSpan(html, place), href: hrefOf(index, target) });
  }
  return { html: splice(html, [...splices.values()]), links: [...indexes.keys()] };
}

function targetOf(element: HtmlElement): string | null {
  if (element.tagName !== "a" && element.tagName !== "area") return null;
  if (element.namespaceURI !== standard.NS.HTML) return null;
  if (element.attrs.some(({ name }) => name === "data-no-track")) return null;
  const href = element.attrs.find(({ name }) => name === "href");
  return href === undefined ? null : trackableTarget(href.value);
}

/**
 * Shorter spellings (`https:host`, `https:\\host`) mean different things in different clients, so they stay as they
 * are.
 */
function trackableTarget(value: string): string | null {
  const target = trimAsBrowsersDo(value);
  return /^https?:\/\//i.test(target) && parseWebAddress(target) !== null ? target : null;
}

/** Narrows `href = "value"` to the text between the quotes, or to the value without quotes. */
function valueSpan(html: string, place: Token.Location): Omit<Splice, "href"> {
  const source = html.slice(place.startOffset, place.endOffset);
  const lead = /^[^=]*=[\t\n\f\r ]*/.exec(source)?.[0].length ?? 0;
  const quote = source[lead];
  const isQuoted = quote === '"' || quote === "'";
  const start = place.startOffset + lead + (isQuoted ? 1 : 0);
  return { start, end: isQuoted ? html.indexOf(quote, start) : place.endOffset, isQuoted };
}

function splice(html: string, splices: Splice[]): string {
  let result = "";
  let copied = 0;
  for (const { start, end, isQuoted, href } of splices.toSorted((a, b) => a.start - b.start)) {
    const quotes = isQuoted || !/[\t\n\f\r ]/.test(href) ? "" : '"';
    result += html.slice(copied, start) + quotes + escapeHtml(href) + quotes;
    copied = end;
  }
  return result + html.slice(copied);
}
