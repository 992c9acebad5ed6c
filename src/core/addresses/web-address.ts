/** Far longer than any host that can be reached (253 characters), also percent-encoded and with a name before an @. */
const HOST_CHARACTERS_MAX = 2_000;
/** Browsers take all of these slashes, and ignore the white space in between (WHATWG URL). */
const HOST = /^[^:]*:[/\\\t\n\r]*([^/\\?#]*)/;

/**
 * Reads an address that may be of any length; null if it is none. Its host is normalized, in quadratic time if it is
 * nothing but combining marks: so a host that is far too long is not read.
 */
export function parseWebAddress(text: string): URL | null {
  const host = HOST.exec(text)?.[1] ?? "";
  return host.length > HOST_CHARACTERS_MAX ? null : URL.parse(text);
}
