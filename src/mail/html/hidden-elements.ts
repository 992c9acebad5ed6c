import type { DomNode } from "html-to-text";
import { addressOf } from "./link-address.ts";

/** Selects what the markup itself hides. Style sheets are not read. */
export const HIDDEN = ['[style*="display:none" i]', '[style*="display: none" i]', "[hidden]"];

const IS_HIDDEN = /display: ?none/i;

/** What stands around a link that is nowhere on the page as it is shown; by the top of its document. */
const aroundNewLinks = new WeakMap<DomNode, ReadonlySet<DomNode>>();

/**
 * Whether a hidden element has a link that is nowhere on the page as it is shown: then it is more than words for an
 * inbox, signs, or the same once more for phones, such as the second picture of a carousel.
 */
export function leadsFurther(hidden: DomNode): boolean {
  const top = topOf(hidden);
  const known = aroundNewLinks.get(top) ?? findAroundNewLinks(top);
  aroundNewLinks.set(top, known);
  return known.has(hidden);
}

const PARTS_OF_TABLES = new Set("caption colgroup tbody td tfoot th thead tr".split(" "));

/** Whether browsers pass over this tag, and so show what is behind it: a part of a table outside of any. */
export function isPassedOver({ name = "", parent }: DomNode): boolean {
  if (!PARTS_OF_TABLES.has(name)) return false;
  for (let node = parent; node; node = node.parent) if (node.name === "table") return false;
  return true;
}

function topOf(node: DomNode): DomNode {
  let top = node;
  while (top.parent) top = top.parent;
  return top;
}

/** Each element is looked at only a few times, however deep hidden ones stand in each other. */
function findAroundNewLinks(top: DomNode): ReadonlySet<DomNode> {
  const shown = new Set<string>();
  for (const link of linksIn(top, isHidden)) shown.add(addressOf(link));
  const around = new Set<DomNode>();
  for (const link of linksIn(top, () => false)) {
    if (shown.has(addressOf(link))) continue;
    for (let node: DomNode | undefined = link; node && !around.has(node); node = node.parent)
      around.add(node);
  }
  return around;
}

/** Not recursive, because documents may be deeper than the converter goes. */
function* linksIn(top: DomNode, isLeftOut: (node: DomNode) => boolean): Generator<DomNode> {
  const waiting = [top];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isLeftOut(node)) continue;
    if ((node.name === "a" || node.name === "area") && addressOf(node) !== "") yield node;
    for (const child of node.children ?? []) waiting.push(child);
  }
}

const isHidden = ({ attribs = {} }: DomNode): boolean =>
  "hidden" in attribs || IS_HIDDEN.test(attribs["style"] ?? "");
