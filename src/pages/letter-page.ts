import { PRIVATE_HEADERS } from "./page-headers.ts";
import { pageStart } from "./page-start.ts";

/**
 * A letter is its author's own HTML, so it gets no rights: an origin of its own, no script, no form. What mail
 * programs show (images, styles, fonts) is shown; a link that opens a new page opens an ordinary one, and one to a
 * file brings the file.
 */
const POLICY = [
  "sandbox allow-downloads allow-popups allow-popups-to-escape-sandbox",
  "default-src 'none'",
  "img-src http: https: data:",
  "media-src http: https:",
  "font-src http: https: data:",
  "style-src http: https: 'unsafe-inline'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  ...PRIVATE_HEADERS,
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
};

/** A letter as a page of its own. */
export const letterPage = (html: string): Response => new Response(forPhones(html), { headers: HEADERS });

/** Mail programs need no such line. Without it, browsers of phones show a page small, as on a desktop. */
const VIEWPORT = '<meta name="viewport" content="width=device-width">';

/** What stands before a page's content, where there is any of it. */
const BEGINNING = /\s*(?:<html[^>]*>)?\s*(?:<head[^>]*>)?/iy;

function forPhones(html: string): string {
  if (/name\s*=\s*["']?viewport/i.test(html)) return html;
  BEGINNING.lastIndex = pageStart(html);
  BEGINNING.test(html);
  const at = BEGINNING.lastIndex;
  return html.slice(0, at) + VIEWPORT + html.slice(at);
}
