import { elementsOf, parseHtml, type HtmlElement } from "./html-tree.ts";

/**
 * What hides it in every client: Outlook reads `mso-hide`, others one of the rest. It is not `hidden`, because
 * some inboxes then leave it out of the line beside the subject.
 */
const HIDDEN =
  "display:none;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px";

/**
 * Invisible characters without width: they keep the inbox from showing the letter's text behind the
 * preheader.
 */
const FILLER = "&#847;&zwnj;&nbsp;".repeat(90);

/** The text beside the subject in an inbox, as an element at the start of the page. `text` is HTML. */
export const preheaderHtml = (text: string): string =>
  `<div style="${HIDDEN}" aria-hidden="true">${text}${FILLER}</div>`;

/**
 * Where a page's own content begins: behind `<body>`, or where a page without that tag has its first content.
 */
export function contentStart(html: string): number {
  const body = bodyOf(html);
  const tag = body?.sourceCodeLocation?.startTag;
  if (tag !== undefined) return tag.endOffset;
  const [first] = body?.childNodes ?? [];
  return first?.sourceCodeLocation?.startOffset ?? (body === undefined ? 0 : html.length);
}

function bodyOf(html: string): HtmlElement | undefined {
  const tree = parseHtml(html);
  if (tree === null) return undefined;
  for (const element of elementsOf(tree.document)) if (element.tagName === "body") return element;
  return undefined;
}
