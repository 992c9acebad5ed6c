import { footerHtml, padFooter, type Footer } from "./footer.ts";
import { placeFooter } from "#mail/html/footer-place.ts";

/**
 * A page with its footer, in a place where the author's HTML cannot hide it. `paddingOf` returns the text that
 * makes a page long enough for its pixel; it is not called if there is no pixel.
 */
export function withFooter(html: string, footer: Footer, paddingOf: (page: string) => string): string {
  const { at, added } = placeFooter(html, footerHtml(footer));
  const page = (end: string): string => html.slice(0, at) + end + html.slice(at);
  return footer.pixelUrl === null ? page(added) : page(padFooter(added, paddingOf(page(added))));
}
