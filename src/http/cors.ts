/**
 * Cross-origin answers of the public form routes, and of nothing else (Fetch standard, "CORS protocol"). Ours rather than
 * Elysia's plugin: that one adds its headers to every route of the application, and decides on an origin before the
 * workspace whose setting it is can be looked up. Never with credentials: a form needs none.
 */

/** @param allowed the origins whose pages may read the answer; none is any */
export function corsHeaders(origin: string | null, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0)
    return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After" };
  if (origin === null || !allowed.includes(origin)) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Retry-After",
    Vary: "Origin",
  };
}

/** The answer to a browser that asks before it posts. */
export function preflight(origin: string | null, allowed: readonly string[]): Response {
  const headers = {
    ...corsHeaders(origin, allowed),
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "600",
  };
  return new Response(null, { status: 204, headers });
}

/**
 * Whether a request may come from where its browser says it comes from. Programs that are no browser name no origin. The
 * service's own pages are always allowed: `hosts` are the names it goes by.
 */
export function isAllowedOrigin(
  origin: string | null,
  hosts: readonly (string | null)[],
  allowed: readonly string[],
): boolean {
  if (origin === null || allowed.length === 0 || allowed.includes(origin)) return true;
  const host = URL.parse(origin)?.host;
  return host !== undefined && hosts.includes(host);
}
