import { facts } from "../frame/page-facts.ts";

/**
 * The address of an image as the console may load it: only images of this server. Null for others: the page's policy takes none,
 * and who writes a letter should not be counted by a stranger's server.
 */
export function shownSource(source: string): string | null {
  const found = /^https?:\/\/[^/]+(\/(?:.*\/)?media\/[\w-]{16,}\.\w+)$/.exec(source);
  if (found === null || !URL.canParse(source)) return null;
  const { pathname } = new URL(source);
  // Behind a proxy the public address may differ from the one that the console is looked at by.
  return `${facts.root}/media/${pathname.slice(pathname.lastIndexOf("/") + 1)}`;
}
