import { facts } from "../frame/page-facts.ts";

/**
 * The address from which the console may load an image: only images of this server. Null for others: the page's
 * policy blocks them, and a stranger's server should not learn who writes a letter.
 */
export function shownSource(source: string): string | null {
  const found = /^https?:\/\/[^/]+(\/(?:.*\/)?media\/[\w-]{16,}\.\w+)$/.exec(source);
  if (found === null || !URL.canParse(source)) return null;
  const { pathname } = new URL(source);
  // Behind a proxy, the public address may differ from the address of the console.
  return `${facts.root}/media/${pathname.slice(pathname.lastIndexOf("/") + 1)}`;
}
