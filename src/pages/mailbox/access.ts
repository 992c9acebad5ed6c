import { isLoopback } from "#core/loopback.ts";

/** Any of these says that the peer speaks for somebody else. */
const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether a person at this very machine asks. Three things together: the client is on the loopback interface and no
 * proxy says it speaks for another; the name they typed is this machine's own, so that no foreign page can reach in under
 * a name of its own (DNS rebinding); and BASE_URL is such a name too. With a public BASE_URL a proxy stands in front,
 * and behind one that keeps silent about its clients everybody would look local.
 */
export function isLocalRequest(clientAddress: string, headers: Headers, baseUrl: string): boolean {
  if (!isLoopback(clientAddress) || FORWARDING_HEADERS.some((name) => headers.has(name))) return false;
  return isOwnName(`http://${headers.get("host") ?? ""}`) && isOwnName(baseUrl);
}

function isOwnName(url: string): boolean {
  const name = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return isLoopback(name);
}

/** The Authorization header as the API takes it: an API key as the password of HTTP Basic, whatever the user's name (RFC 7617). */
export function bearerOf(authorization: string | null): string | null {
  const [, credentials] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? "") ?? [];
  if (credentials === undefined) return authorization;
  const text = Buffer.from(credentials, "base64").toString();
  return `Bearer ${text.slice(text.indexOf(":") + 1)}`;
}
