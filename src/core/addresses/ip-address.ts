import ipaddr from "ipaddr.js";

/** IPv4 in four decimal parts, or IPv6. */
export const isIpAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
