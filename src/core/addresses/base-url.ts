import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/** As URL has it: a name in lower case, in ASCII, or an address; of IPv6 in brackets. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9_.-]{0,252})$/;

/**
 * The start of every link: `http(s)://host[:port][/prefix]`, without a slash at the end. Each link adds its
 * own path.
 */
export function parseBaseUrl(text: string): Result<string> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return invalid(`${quoted(text)} does not start with http:// or https:// and a host`);
  // A list, for one: its comma would become part of the host.
  if (!HOST.test(url.hostname) || text.split("://").length > 2)
    return invalid(`${quoted(text)} must be one address, with the name of a host`);
  if (url.username !== "" || url.password !== "")
    return invalid("it may not hold a user or a password: everybody reads it");
  if (/[?#]/.test(text)) return invalid("it may not hold a ? or a #: paths are put behind it");
  return accept(url.origin + url.pathname.replace(/\/+$/, ""));
}

/** The path that every page's own path stands behind: nothing, or `/prefix`. */
export const rootOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, "");
