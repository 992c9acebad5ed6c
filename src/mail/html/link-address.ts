import { trimAsBrowsersDo } from "./address-blanks.ts";

/** The address of a link as text shows it: without `mailto:`. Empty: it says nothing to a reader. */
export function shownAddress(href: string): string {
  const address = trimAsBrowsersDo(trimAsBrowsersDo(href).replace(/^mailto:/i, ""));
  return /^javascript:/i.test(address) ? "" : address;
}
