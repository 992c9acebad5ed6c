/**
 * What pages of other sites may read in their visitors' browsers (Fetch standard, "CORS protocol"). Never
 * with credentials: an API key goes in a header, and a form needs none. The plugin adds its headers to every
 * answer of its application, errors too, and answers every preflight. Therefore routes that other sites may
 * call are separate applications (`http/server.ts`).
 */
import { cors } from "@elysiajs/cors";

const PREFLIGHT_SECONDS = 600;

/** For `/api/v1`: allows pages of these origins (`CORS_ORIGINS`). */
export function apiCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  return cors({
    origin: (request) => allowed.has(request.headers.get("origin") ?? ""),
    methods: ["GET", "POST", "PATCH", "DELETE"],
    // A star would not include Authorization. X-Workspace is left out: no other site uses a session.
    allowedHeaders: ["Authorization", "Content-Type", "Idempotency-Key"],
    exposeHeaders: ["X-Request-Id", "Allow", "Idempotency-Replayed", "Retry-After"],
    credentials: false,
    maxAge: PREFLIGHT_SECONDS,
  });
}

/**
 * For public forms. `allowedOf` returns the origins that were looked up for the request before; an empty list
 * allows any.
 */
export function formCors(allowedOf: (request: Request) => readonly string[] | undefined) {
  return cors({
    origin: (request) => mayRead(request.headers.get("origin"), allowedOf(request)),
    methods: ["POST"],
    allowedHeaders: ["*"],
    exposeHeaders: ["X-Request-Id", "Retry-After"],
    credentials: false,
    maxAge: PREFLIGHT_SECONDS,
  });
}

const mayRead = (origin: string | null, allowed: readonly string[] | undefined): boolean =>
  allowed !== undefined && (allowed.length === 0 || (origin !== null && allowed.includes(origin)));

/**
 * Whether a request may come from the origin that its browser names. Programs that are not browsers name
 * none. The service's own pages are always allowed: `hosts` are the service's own names.
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
