/**
 * Elysia from the features' routes. Elysia routes; authentication, bodies and errors are ours, because the contract
 * checks the resource in the path before the body (decisions, section 1). The only functions Elysia sees are plain
 * `async ({ … }) => …` arrows: it reads handler text, and would silently skip others. They name what they take: for a handler
 * that passes its context on, Elysia parses cookies, headers and query and makes every answer anew, and for one that names the server it
 * defines a property on every request.
 */
import { Elysia } from "elysia";
import { AppError, notFound } from "#core/errors.ts";
import type { Clock } from "#core/clock.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import { BODY_BYTES_MAX, readLenientJson, readStrictJson, type JsonObject } from "./body.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import type { Cursors } from "./cursor.ts";
import { errorAnswer, errorResponse } from "./errors.ts";
import { methodTable, type MethodTable } from "./method-table.ts";
import { apiCall } from "./call.ts";
import type { PublicRoute } from "./public-route.ts";
import { pathOf } from "./request-path.ts";
import type { Route } from "./route.ts";

export const API_PREFIX = "/api/v1";

export type HttpParts = {
  readonly api: Readonly<Record<string, readonly Route[]>>;
  readonly pages: readonly PublicRoute[];
  /** The workspace an Authorization header opens; null when it opens none. */
  authenticate(authorization: string | null): Promise<string | null>;
  readonly cursors: Cursors;
  readonly isTrustedProxy: TrustedProxies;
  /** Told of every answer; `route` is its pattern. */
  observe(answer: { method: string; route: string; status: number; ms: number }): void;
  /** Told of every request; what it returns, when its answer is there. */
  begin(): () => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
};

/** What is used of Elysia's context. */
type Context = { request: Request; params: Record<string, string> };

/** What the routes have in common. */
type Served = HttpParts & {
  /** The address at the other end of a request's connection. */
  peerOf(request: Request): string;
};

export function httpServer(parts: HttpParts) {
  const table = methodTable([
    ...Object.values(parts.api).flatMap((routes) =>
      routes.map((r) => ({ method: r.method, path: API_PREFIX + r.path })),
    ),
    ...parts.pages,
  ]);
  // A backstop above our own limit: what Bun refuses by itself has no envelope. A send answers after up to 45 s.
  const app = new Elysia({
    serve: { maxRequestBodySize: BODY_BYTES_MAX * 2, idleTimeout: 120, reusePort: false } as never,
  });
  const served = {
    ...parts,
    peerOf: (request: Request) => app.server?.requestIP(request)?.address ?? "",
  };
  for (const [name, routes] of Object.entries(parts.api)) app.use(apiPlugin(name, routes, served));
  app.use(pagesPlugin(served));
  return app.onError(async ({ request, error, code }) => {
    const known = code === "NOT_FOUND";
    return await answered(parts, request, UNMATCHED, async () => {
      if (!known) throw error;
      return await unmatched(parts, table, request);
    });
  });
}

function apiPlugin(name: string, routes: readonly Route[], parts: Served) {
  const plugin = new Elysia({ name: `api/${name}`, prefix: API_PREFIX });
  for (const route of routes) {
    const dispatch = async (context: Context): Promise<Response> =>
      await answered(parts, context.request, API_PREFIX + route.path, async () => {
        const workspaceId = await authenticated(parts, context.request);
        const body = await bodyOf(route, context.request);
        const {
          status,
          body: answer,
          headers = {},
        } = await route.handle(
          apiCall(route, context.request, {
            cursors: parts.cursors,
            workspaceId,
            body,
            params: context.params,
            clientAddress: () => addressOf(parts, context.request),
          }),
        );
        return answer === undefined
          ? new Response(null, { status, headers })
          : Response.json(answer, { status, headers });
      });
    plugin.route(
      route.method,
      route.path,
      async ({ request, params }) => {
        return await dispatch({ request, params });
      },
      { parse: "none" },
    );
  }
  return plugin;
}

async function bodyOf(route: Route, request: Request): Promise<JsonObject> {
  if (!route.body) return {};
  return route.jsonBody === "strict" ? await readStrictJson(request) : await readLenientJson(request);
}

function pagesPlugin(parts: Served) {
  const plugin = new Elysia({ name: "pages" });
  for (const page of parts.pages) {
    const dispatch = async (context: Context): Promise<Response> =>
      await answered(parts, context.request, page.path, () =>
        page.handle({
          request: context.request,
          params: context.params,
          get clientAddress() {
            return addressOf(parts, context.request);
          },
        }),
      );
    plugin.route(
      page.method,
      page.path,
      async ({ request, params }) => {
        return await dispatch({ request, params });
      },
      { parse: "none" },
    );
  }
  return plugin;
}

const UNMATCHED = "(none)";

/**
 * Runs a handler: every answer carries X-Request-Id, every error becomes an envelope, every 5xx a log line. Logged is the
 * route's pattern, never the path: a path may hold the token of a link.
 */
async function answered(
  parts: HttpParts,
  request: Request,
  route: string,
  handle: () => Promise<Response>,
): Promise<Response> {
  const requestId = parts.random.bytes(12).toHex();
  const startedMs = parts.clock.monotonicMs();
  const end = parts.begin();
  const response = await handle().catch((error: unknown) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500)
      parts.log.error("request failed", { requestId, method: request.method, route, error });
    return errorResponse(answer);
  });
  end();
  response.headers.set("X-Request-Id", requestId);
  const ms = parts.clock.monotonicMs() - startedMs;
  const { status } = response;
  parts.observe({ method: request.method, route, status, ms });
  parts.log.debug("request", {
    requestId,
    method: request.method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
  });
  return response;
}

async function authenticated(parts: HttpParts, request: Request): Promise<string> {
  const workspaceId = await parts.authenticate(request.headers.get("authorization"));
  if (workspaceId !== null) return workspaceId;
  throw new AppError("UNAUTHORIZED", "Send a valid API key: `Authorization: Bearer pr_…`.");
}

/** Unknown routes: under `/api/v1` the key is checked first, so that nobody can map the API without one. */
async function unmatched(parts: HttpParts, table: MethodTable, request: Request): Promise<Response> {
  const path = pathOf(request);
  if (path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)) await authenticated(parts, request);
  const allowed = table.methodsOf(path);
  if (allowed.length === 0) throw notFound(`The route ${request.method} ${path}`);
  const answer = errorAnswer(
    new AppError("METHOD_NOT_ALLOWED", `${path} takes ${allowed.join(", ")}, not ${request.method}.`),
  );
  return errorResponse(answer, { Allow: allowed.join(", ") });
}

function addressOf(parts: Served, request: Request): string {
  return clientAddress(parts.peerOf(request), request.headers.get("x-forwarded-for"), parts.isTrustedProxy);
}
