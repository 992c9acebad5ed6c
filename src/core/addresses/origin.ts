/** Web origins (RFC 6454): scheme, host and port of the site a page comes from. */
import { parseWebAddress } from "./web-address.ts";

export const ORIGINS_MAX = 50;

/**
 * Reads origins (scheme, host and port, no path), separated by commas or spaces. Returns each once, spelled
 * as browsers do; undefined if one of them is not an origin.
 */
export function parseOrigins(text: string): string[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const origins = parts.map(originOf).filter((origin) => origin !== undefined);
  return origins.length < parts.length || origins.length > ORIGINS_MAX ? undefined : [...new Set(origins)];
}

function originOf(text: string): string | undefined {
  const url = parseWebAddress(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` && !text.endsWith("?") && !text.endsWith("#") ? url.origin : undefined;
}
