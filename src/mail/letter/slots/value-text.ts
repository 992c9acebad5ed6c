import { unescapeHtml } from "#core/text/html-escape.ts";
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

/** A line of a text part with its values filled in: wrapped now, and without the gaps that empty values left. */
export function filledLine(line: readonly Segment[], valueAt: (slot: number) => string): string {
  const joined = joinSegments(mayLink(line) ? withoutEmptyLinks(line, valueAt) : line, valueAt);
  // White space at the start of a line collapses to nothing. Where the author's text begins the line, it was done already.
  const filled = typeof line[0] === "number" ? joined.replace(/^ +/, "") : joined;
  return tidyLine(filled.includes("  ") ? filled.replace(/(\S) {2,}/g, "$1 ") : filled);
}

const mayLink = (line: readonly Segment[]): boolean =>
  line.some((slot, at) => typeof slot === "number" && isOpened(line[at - 1]));

const isOpened = (segment: Segment | undefined): boolean =>
  typeof segment === "string" && segment.endsWith("[");

/** A link is shown as its text and its address in brackets. If the address is empty, the brackets are removed too. */
function withoutEmptyLinks(line: readonly Segment[], valueAt: (slot: number) => string): readonly Segment[] {
  let kept = line;
  for (let at = 1; at < line.length - 1; at++) {
    const [before, slot, after] = [kept[at - 1], kept[at], kept[at + 1]];
    if (typeof before !== "string" || typeof slot !== "number" || typeof after !== "string") continue;
    if (!before.endsWith("[") || !after.startsWith("]") || valueAt(slot) !== "") continue;
    kept = kept.with(at - 1, before.replace(/ ?\[$/, "")).with(at + 1, after.slice(1));
  }
  return kept;
}
