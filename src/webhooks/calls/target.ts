import ipaddr from "ipaddr.js";
import { accept, invalid, type Result } from "#core/errors/errors.ts";

const URL_CHARACTERS_MAX = 2048;

/**
 * Reads the address of a webhook: `http` or `https`, with a host, without user name and password, at most 2,048
 * characters; the fragment is dropped. Hosts are normalized as in browsers (`0x7f.1` is 127.0.0.1).
 * `isForbiddenHost` decides whether the target is allowed, and `isForbiddenAddress` decides again after the name
 * was looked up.
 */
export function parseWebhookUrl(text: string): Result<URL> {
  if (text.length > URL_CHARACTERS_MAX)
    return invalid(`The webhook's address is longer than ${URL_CHARACTERS_MAX} characters.`);
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return invalid("The webhook's address must be like https://example.com/hook.");
  if (url.username !== "" || url.password !== "")
    return invalid(
      "The webhook's address must not hold a user name or a password: the request is signed instead.",
    );
  url.hash = "";
  return accept(url);
}

/**
 * Whether a URL's host is clearly not on the internet: a forbidden address, or a name of the machine itself.
 */
export function isForbiddenHost({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, "").replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(host)
    ? isForbiddenAddress(host)
    : host === "localhost" || host.endsWith(".localhost");
}

/**
 * IPv6 blocks that contain an IPv4 address (mapped, translated, NAT64, 6to4), and the byte where it begins.
 */
const CARRIERS: readonly { readonly block: string; readonly at: number }[] = [
  { block: "::ffff:0:0/96", at: 12 },
  { block: "::ffff:0:0:0/96", at: 12 },
  { block: "64:ff9b::/96", at: 12 },
  { block: "2002::/16", at: 2 },
];

/**
 * IPv4 blocks with public numbers that lead to a cloud's internal services when used inside that cloud:
 * Azure's WireServer (keys and certificates of the machine), and IBM Cloud's service endpoints. Other clouds
 * use link-local, private or reserved addresses for theirs.
 */
const CLOUD_INSIDE: readonly string[] = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"];

/**
 * ipaddr.js calls these unicast, but they are not the public internet: IPv4-compatible addresses
 * (deprecated), the dummy prefix of RFC 9780.
 */
const SPECIAL: readonly string[] = ["::/96", "100:0:0:1::/64"];

/**
 * Whether a webhook must not connect to an IP address. Forbidden: private, loopback and link-local addresses;
 * addresses of cloud metadata; carrier-grade NAT, multicast, unspecified, reserved, documentation and benchmark
 * ranges; Teredo. Also every IPv6 form that contains such an IPv4 address (mapped, translated, NAT64, 6to4). A text
 * that is no address, or has a zone, is forbidden too. This checks one address: look the name up once, check all
 * its addresses, and connect to one of those.
 */
export function isForbiddenAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip) || ip.includes("%")) return true;
  const address = ipaddr.parse(ip);
  if (address instanceof ipaddr.IPv4) return isForbiddenV4(address);
  const carrier = CARRIERS.find(({ block }) => address.match(ipaddr.IPv6.parseCIDR(block)));
  if (carrier !== undefined)
    return isForbiddenV4(new ipaddr.IPv4(address.toByteArray().slice(carrier.at, carrier.at + 4)));
  return (
    address.range() !== "unicast" || SPECIAL.some((block) => address.match(ipaddr.IPv6.parseCIDR(block)))
  );
}

const isForbiddenV4 = (address: ipaddr.IPv4): boolean =>
  address.range() !== "unicast" || CLOUD_INSIDE.some((block) => address.match(ipaddr.IPv4.parseCIDR(block)));
