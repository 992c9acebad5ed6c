import type { DomNode } from "html-to-text";
import { trimAsBrowsersDo } from "./address-blanks.ts";

/**
 * The address of a link as text shows it: without `mailto:`. Empty: it says nothing to a reader. Spaces are written as
 * browsers send them, because a mail program ends an address in a text at a space.
 */
export function shownAddress(href: string): string {
  const address = trimAsBrowsersDo(trimAsBrowsersDo(href).replace(/^mailto:/i, ""));
  if (/^https?:/i.test(address)) return address.replaceAll(" ", "%20");
  return /^javascript:/i.test(address) ? "" : address;
}

/** The address of a link as text shows it. Empty for a link to a place on the page itself, or to a script. */
export const addressOf = ({ attribs }: DomNode): string => {
  const address = shownAddress(attribs?.["href"] ?? "");
  return address.startsWith("#") ? "" : address;
};
