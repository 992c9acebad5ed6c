/** Web origins (RFC 6454): what a browser calls the site a page comes from. */

export const ORIGINS_MAX = 50;

/** Scheme, host and port without a path, separated by commas or spaces; in the browser's own spelling, each once. Undefined where one is none. */
export function parseOrigins(text: string): string[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const origins = parts.map(originOf).filter((origin) => origin !== undefined);
  return origins.length < parts.length || origins.length > ORIGINS_MAX ? undefined : [...new Set(origins)];
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` && !text.endsWith("?") && !text.endsWith("#") ? url.origin : undefined;
}
