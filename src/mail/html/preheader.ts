import { elementsOf, parseHtml, type HtmlElement } from "./html-tree.ts";
import { behindConditionEnd } from "./outlook-conditions.ts";

/**
 * Hides the preheader in every client: Outlook reads `mso-hide`, others one of the rest. `hidden` is not used,
 * because some inboxes then do not show the preheader beside the subject.
 */
const HIDDEN =
  "display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px";

/** Invisible characters without width: they keep the inbox from showing the letter's text after the preheader. */
const FILLER = "&#847;&zwnj;&nbsp;".repeat(90);

/** The preheader, which an inbox shows beside the subject, as an element at the start of the page. `text` is HTML. */
export const preheaderHtml = (text: string): string =>
  `<div style="${HIDDEN}" aria-hidden="true">${text}${FILLER}</div>`;

/**
 * Where a page's content begins: after `<body>`, or at the first content of a page without that tag. If the tag is for
 * other readers than Outlook's, who have one of their own, it begins behind that condition.
 */
export function contentStart(html: string): number {
  const body = bodyOf(html);
  const tag = body?.sourceCodeLocation?.startTag;
  if (tag !== undefined) return behindConditionEnd(html, tag.endOffset);
  const [first] = body?.childNodes ?? [];
  return first?.sourceCodeLocation?.startOffset ?? (body === undefined ? 0 : html.length);
}

function bodyOf(html: string): HtmlElement | undefined {
  const tree = parseHtml(html);
  if (tree === null) return undefined;
  for (const element of elementsOf(tree.document)) if (element.tagName === "body") return element;
  return undefined;
}
