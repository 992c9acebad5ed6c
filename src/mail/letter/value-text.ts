import { unescapeHtml } from "#core/html-escape.ts";
import { tidyLine } from "#mail/html/text-lines.ts";
import { joinSegments, type Segment } from "./slots.ts";

/** A value as it appears in text made from HTML: what HTML collapses, and control characters, are one space. */
export const valueAsText = (escaped: string): string => unescapeHtml(escaped).replace(/[\p{Cc} ]+/gu, " ");

/**
 * A line of a text part with its values filled in: wrapped as it is now, and without the gaps that empty values
 * left.
 */
export const filledLine = (line: readonly Segment[], valueAt: (slot: number) => string): string =>
  tidyLine(joinSegments(withoutEmptyLinks(line, valueAt), valueAt).replace(/(\S) {2,}/g, "$1 "));

/** A link is shown as its text and its address in brackets. Where the address is empty, they go. */
function withoutEmptyLinks(line: readonly Segment[], valueAt: (slot: number) => string): readonly Segment[] {
  const kept = [...line];
  for (let at = 1; at < kept.length - 1; at++) {
    const [before, slot, after] = [kept[at - 1], kept[at], kept[at + 1]];
    if (typeof before !== "string" || typeof slot !== "number" || typeof after !== "string") continue;
    if (!before.endsWith("[") || !after.startsWith("]") || valueAt(slot) !== "") continue;
    kept[at - 1] = before.replace(/ ?\[$/, "");
    kept[at + 1] = after.slice(1);
  }
  return kept;
}
