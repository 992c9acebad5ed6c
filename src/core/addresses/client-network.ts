import ipaddr from "ipaddr.js";

/**
 * What counts as one client: an IPv4 address, or a /64 network of IPv6, because one customer usually has a
 * whole /64.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const half = parsed.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...half, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
