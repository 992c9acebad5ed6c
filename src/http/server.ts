/**
 * Elysia from the features' routes. Elysia routes; authentication, bodies and errors are ours, because the contract
 * checks the resource in the path before the body (docs/decisions.md "HTTP"). The only functions Elysia sees are plain
 * `async ({ … }) => …` arrows: it reads handler text, and would silently skip others. They name what they take: for a handler
 * that passes its context on, Elysia parses cookies, headers and query and makes every answer anew, and for one that names the server it
 * defines a property on every request.
 */
import { Elysia } from "elysia";
import { AppError, notFound } from "#core/errors.ts";
import { answering, identified, REQUEST_ID, type AnsweringParts } from "./answering.ts";
import { readLenientJson, readStrictJson } from "./json-body.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import type { Cursors } from "./cursor.ts";
import { errorAnswer, errorResponse } from "./errors.ts";
import { methodTable, type MethodTable } from "./method-table.ts";
import { ApiCall } from "./call.ts";
import type { PublicRoute } from "./public-route.ts";
import { refusalCounts } from "./refusal-counts.ts";
import { pathOf } from "./request-path.ts";
import type { Route } from "./route.ts";
import { noticeUntrustedProxy } from "./untrusted-proxy.ts";

export const API_PREFIX = "/api/v1";

export type HttpParts = Omit<AnsweringParts, "countRefusal" | "noticeProxy"> & {
  readonly api: Readonly<Record<string, readonly Route[]>>;
  readonly pages: readonly PublicRoute[];
  /** The workspace an Authorization header opens; null when it opens none. No promise where it is known already. */
  authenticate(authorization: string | null): string | null | Promise<string | null>;
  readonly cursors: Cursors;
  readonly isTrustedProxy: TrustedProxies;
};

/** What the routes have in common. */
type Served = HttpParts &
  AnsweringParts & {
    /** The client of a request, past trusted proxies. */
    clientOf(request: Request): string;
  };

export function httpServer(parts: HttpParts) {
  const table = methodTable([
    ...Object.values(parts.api).flatMap((routes) =>
      routes.map((r) => ({ method: r.method, path: API_PREFIX + r.path })),
    ),
    ...parts.pages,
  ]);
  // Bun is to refuse no body by itself: its answer has no envelope. It takes in what is read, and little more. A send answers after up to 45 s.
  const app = new Elysia({
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 120, reusePort: false } as never,
  });
  const peerOf = (request: Request): string => app.server?.requestIP(request)?.address ?? "";
  const served: Served = {
    ...parts,
    noticeProxy: noticeUntrustedProxy(parts, peerOf),
    countRefusal: refusalCounts(parts),
    clientOf(request: Request) {
      return clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), parts.isTrustedProxy);
    },
  };
  for (const [name, routes] of Object.entries(parts.api)) app.use(apiPlugin(name, routes, served));
  app.use(pagesPlugin(served));
  return app.onError(async ({ request, error, code }) => {
    const dispatch = answering(served, UNMATCHED, async ({ requestId }) => {
      if (code !== "NOT_FOUND") throw error;
      return identified(await unmatched(parts, table, request), requestId);
    });
    return await dispatch(request, {});
  });
}

function apiPlugin(name: string, routes: readonly Route[], parts: Served) {
  const plugin = new Elysia({ name: `api/${name}`, prefix: API_PREFIX });
  for (const route of routes) {
    const dispatch = answering(parts, API_PREFIX + route.path, async (asked) => {
      const { request, params, requestId } = asked;
      const workspaceId = await authenticated(parts, request);
      const body = route.body ? await READ_BODY[route.jsonBody ?? "lenient"](asked.body) : {};
      const call = new ApiCall(route, request, params, body, workspaceId, parts);
      const { status, body: answer, headers } = await route.handle(call);
      const init = { status, headers: { [REQUEST_ID]: requestId, ...headers } };
      return answer === undefined ? new Response(null, init) : Response.json(answer, init);
    });
    plugin.route(
      route.method,
      route.path,
      async ({ request, params }) => {
        return await dispatch(request, params);
      },
      { parse: "none" },
    );
  }
  return plugin;
}

const READ_BODY = { strict: readStrictJson, lenient: readLenientJson } as const;

function pagesPlugin(parts: Served) {
  const plugin = new Elysia({ name: "pages" });
  for (const page of parts.pages) {
    const dispatch = answering(parts, page.path, async ({ request, params, requestId, body }) => {
      const answer = await page.handle({
        request,
        params,
        body,
        get clientAddress() {
          return parts.clientOf(request);
        },
      });
      return identified(answer, requestId);
    });
    plugin.route(
      page.method,
      page.path,
      async ({ request, params }) => {
        return await dispatch(request, params);
      },
      { parse: "none" },
    );
  }
  return plugin;
}

const UNMATCHED = "(none)";

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
