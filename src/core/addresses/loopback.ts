import ipaddr from "ipaddr.js";

/**
 * True if a host can only mean this machine: an address of `127.0.0.0/8`, `::1` or the same inside IPv6, or
 * `localhost` and the names below it (RFC 6761, section 6.3). Takes the host in lower case, an IPv6 address
 * without brackets.
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (ipaddr.IPv4.isValidFourPartDecimal(host) || host.includes(":"))
    return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
  return false;
}
