import { unescapeHtml } from "#core/text/html-escape.ts";
import { shownAddress } from "#mail/html/link-address.ts";
import { tidyLine } from "#mail/html/text-lines.ts";
import { joinSegments, type Segment } from "./slots.ts";

/** A value as it appears in text made from HTML: collapsible white space and control characters become one space. */
export function valueAsText(escaped: string): string {
  const text = escaped.includes("&") ? unescapeHtml(escaped) : escaped;
  return COLLAPSED.test(text) ? text.replace(COLLAPSING, " ") : text;
}

/** What changes when white space collapses. */
const COLLAPSED = /\p{Cc}| {2}/u;
const COLLAPSING = /[\p{Cc} ]+/gu;

/** A value as `valueAsText` shows it, and as it is inside an address. */
export type ValueTexts = {
  readonly inText: (slot: number) => string;
  readonly inAddress: (slot: number) => string;
};

/** A value inside the address of a link, before the address is read. */
export const valueInAddress = (escaped: string): string => unescapeHtml(escaped).replace(CONTROLS, " ");

const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** A line of a text part with its values filled in: wrapped now, and without the gaps that empty values left. */
export function filledLine(line: readonly Segment[], { inText, inAddress }: ValueTexts): string {
  const segments = withAddresses(line, inAddress);
  const joined = joinSegments(segments, inText);
  const filled = joined.includes("  ") ? withoutGaps(segments, inText) : joined;
  // White space at the start of a line collapses to nothing. Where the author's text begins the line, it was
  // done already.
  return tidyLine(typeof line[0] === "number" ? filled.replace(/^ +/, "") : filled);
}

/**
 * Where a value is empty, or begins or ends with a space, gaps meet: only the longest stays. That is one space in most
 * texts, and in preformatted text what the author has put between columns.
 */
function withoutGaps(segments: readonly Segment[], valueAt: (slot: number) => string): string {
  let text = "";
  let gap = 0;
  for (const segment of segments) {
    const written = typeof segment === "string" ? segment : valueAt(segment);
    let end = written.length;
    while (written[end - 1] === " ") end--;
    let start = 0;
    while (start < end && written[start] === " ") start++;
    gap = Math.max(gap, end === 0 ? written.length : start);
    if (end === 0) continue;
    text += " ".repeat(gap) + written.slice(start, end);
    gap = written.length - end;
  }
  return text + " ".repeat(gap);
}

/**
 * A link is shown as its text and its address in brackets. An address with values can be read only now. If nothing
 * of it is shown, the brackets are removed too.
 */
function withAddresses(line: readonly Segment[], valueAt: (slot: number) => string): readonly Segment[] {
  const read: Segment[] = [];
  let [before] = line;
  for (let at = 1; before !== undefined; at++) {
    const found =
      typeof before === "string" && typeof line[at] === "number" ? addressIn(line, before, at) : null;
    if (found === null) {
      read.push(before);
      before = line[at];
      continue;
    }
    const address = shownAddress(joinSegments(found.inside, valueAt));
    read.push(address === "" ? found.start.replace(/ $/, "") : `${found.start}[${address}]`);
    before = found.rest;
    at = found.end;
  }
  return read;
}

type Address = {
  /** What stands before the brackets, in them and behind them. */
  readonly start: string;
  readonly inside: readonly Segment[];
  readonly rest: string;
  /** The segment that closes the brackets. */
  readonly end: number;
};

/** The address that is opened in the text before the slot at `at`. */
function addressIn(line: readonly Segment[], before: string, at: number): Address | null {
  const opening = openingOf(before);
  const end = opening === -1 ? -1 : endOfAddress(line, at);
  const after = line[end];
  if (typeof after !== "string") return null;
  const closing = after.indexOf("]");
  const inside = [before.slice(opening + 1), ...line.slice(at, end), after.slice(0, closing)];
  return { start: before.slice(0, opening), inside, rest: after.slice(closing + 1), end };
}

/** Where an address in brackets begins that the text does not close; -1: there is none. */
function openingOf(text: string): number {
  const opening = text.lastIndexOf("[");
  return opening === -1 || /[\]\s]/.test(text.slice(opening)) ? -1 : opening;
}

/** The segment that closes the brackets; -1 if what is in them is no address. */
function endOfAddress(line: readonly Segment[], from: number): number {
  for (let at = from; at < line.length; at++) {
    const segment = line[at];
    if (typeof segment !== "string" || NO_BREAK.test(segment)) continue;
    return CLOSED.test(segment) ? at : -1;
  }
  return -1;
}

const NO_BREAK = /^[^[\]\s]*$/;
const CLOSED = /^[^[\]\s]*\]/;
