import ipaddr from "ipaddr.js";
import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** Whether an address belongs to a proxy whose `X-Forwarded-For` is believed. */
export type TrustedProxies = (address: string) => boolean;

/** An address in the form sockets report. Parsing it would change nothing. */
const PLAIN_IPV4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads `TRUSTED_PROXIES`: addresses, CIDR blocks and the word `loopback`, separated by commas. */
export function parseTrustedProxies(text: string): Result<TrustedProxies> {
  const ranges: Range[] = [];
  let loopback = false;
  for (const part of text.split(",").map((entry) => entry.trim())) {
    if (part === "") continue;
    if (part === "loopback") loopback = true;
    else {
      const range = parseRange(part);
      if (!range)
        return invalid(
          `"${part}" is not an address, a CIDR block or the word loopback; separate several by commas`,
        );
      ranges.push(range);
    }
  }
  return accept((address) => {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    if (loopback && parsed.range() === "loopback") return true;
    // `never`: both are of one kind, which the package's types cannot tell.
    return ranges.some(
      ([base, bits]) => parsed.kind() === base.kind() && parsed.match([base, bits] as never),
    );
  });
}

function parseRange(text: string): Range | null {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    return null;
  }
}

/** An IPv4-mapped IPv6 address counts as IPv4, because a dual-stack socket reports IPv4 clients so. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/**
 * The client's address: the right-most address that is not a trusted proxy. Forwarded addresses are believed
 * only if the peer itself is a trusted proxy. A malformed entry ends the search at the last good address.
 */
export function clientAddress(peer: string, forwardedFor: string | null, isTrusted: TrustedProxies): string {
  const hops = forwardedFor === null ? [] : forwardedFor.split(",").map((hop) => hop.trim());
  let client = PLAIN_IPV4.test(peer) ? peer : (parseAddress(peer)?.toString() ?? peer);
  for (const hop of hops.toReversed()) {
    const next = isTrusted(client) ? hopAddress(hop) : null;
    if (next === null) break;
    client = next;
  }
  return client;
}

/**
 * An entry as proxies write it: with or without quotes, IPv6 with or without brackets, optionally followed by
 * a port (RFC 7239, section 6).
 */
const HOP = /^"?(?:\[([0-9a-f:.]+)\](?::\d{1,5})?|(\d[\d.]*)(?::\d{1,5})?|([0-9a-f:.]+))"?$/i;

/** One entry of `X-Forwarded-For`; null if it is not an address. */
function hopAddress(entry: string): string | null {
  const [, bracketed, ipv4, ipv6] = HOP.exec(entry) ?? [];
  if (ipv4 !== undefined && ipaddr.IPv4.isValidFourPartDecimal(ipv4)) return ipaddr.process(ipv4).toString();
  const text = bracketed ?? ipv6;
  return text !== undefined && ipaddr.IPv6.isValid(text) ? ipaddr.process(text).toString() : null;
}
