import ipaddr from "ipaddr.js";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { trimAsBrowsersDo } from "#mail/html/address-blanks.ts";
import { mergeTagsIn } from "#mail/liquid/merge-tags.ts";
import { quoted } from "#core/text/text.ts";
import { UNKNOWN, withEllipses } from "#mail/liquid/without-liquid.ts";

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** Names that work only inside one network (RFC 6761, RFC 6762, RFC 8375), and others that companies use so. */
const INSIDE = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * What is wrong with a link for a reader; null if nothing is. An address that begins with a value, or that
 * holds another service's merge tag, is not judged.
 */
export function linkProblem(href: string): string | null {
  const target = trimAsBrowsersDo(href);
  if (target === "") return "A link has no address.";
  if (target.startsWith(UNKNOWN) || target.startsWith("#") || mergeTagsIn(target).length > 0) return null;
  const scheme = SCHEME.exec(target)?.[1]?.toLowerCase();
  // `example.com:8080` and `localhost:3000` are hosts with a port.
  if (scheme === undefined || scheme.includes(".") || scheme === "localhost")
    return `The link to ${shown(target)} has no scheme: mail programs do not know where it leads. Write the whole address, with https://.`;
  if (scheme !== "http" && scheme !== "https") return null;
  const host = /^https?:[/\\]*([^/\\?#]*)/i.exec(target)?.[1] ?? "";
  if (host.includes(UNKNOWN)) return null;
  const url = parseWebAddress(target);
  if (url === null) return `The link to ${shown(target)} is no address that a browser can open.`;
  return isInside(url.hostname)
    ? `The link to ${shown(target)} leads to a private address: readers outside your network cannot open it.`
    : null;
}

function isInside(hostname: string): boolean {
  const host = hostname.replace(/\.$/, "").replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== "unicast";
  return !host.includes(".") || INSIDE.test(host);
}

const shown = (target: string): string => quoted(withEllipses(target));
