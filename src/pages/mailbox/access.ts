import { isLoopback } from "#core/addresses/loopback.ts";

/** Each of these headers shows that the peer is a proxy. */
const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether the request comes from a person at this machine. Three conditions must hold:
 * - The client is on the loopback interface, and no header shows a proxy.
 * - The requested host name is this machine's own, so that a foreign page cannot get in under its own name
 *   (DNS rebinding).
 * - BASE_URL is such a name too. A public BASE_URL means that there is a proxy, and if it does not name its
 *   clients, everybody would look local.
 */
export function isLocalRequest(clientAddress: string, headers: Headers, baseUrl: string): boolean {
  if (!isLoopback(clientAddress) || FORWARDING_HEADERS.some((name) => headers.has(name))) return false;
  return isOwnName(`http://${headers.get("host") ?? ""}`) && isOwnName(baseUrl);
}

function isOwnName(url: string): boolean {
  const name = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return isLoopback(name);
}

/**
 * The Authorization header in the form that the API accepts. HTTP Basic gives an API key as the password,
 * with any user name (RFC 7617).
 */
export function bearerOf(authorization: string | null): string | null {
  const [, credentials] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? "") ?? [];
  if (credentials === undefined) return authorization;
  const text = Buffer.from(credentials, "base64").toString();
  return `Bearer ${text.slice(text.indexOf(":") + 1)}`;
}
