/**
 * Builds the Elysia application from the features' routes. Elysia only routes. Authentication, bodies and
 * errors are ours, because the contract checks the resource in the path before the body (docs/decisions.md
 * "HTTP").
 *
 * The only functions that Elysia sees are plain `async ({ … }) => …` arrows: it reads the text of handlers
 * and would silently skip other kinds. They name the properties they use. If a handler passes its whole
 * context on, Elysia parses cookies, headers and query and builds every answer anew; if one names the server,
 * Elysia defines a property on every request.
 */
import { Elysia } from "elysia";
import type { Admission } from "#http/client/admission.ts";
import type { AnsweringParts } from "./answering.ts";
import { clientAddress, type TrustedProxies } from "#http/client/client-address.ts";
import {
  crossOriginApi,
  crossOriginPage,
  isCrossOrigin,
  type NativeRoutes,
} from "#http/client/cross-origin.ts";
import { methodTable } from "#http/routes/method-table.ts";
import { apiPlugin, pagesPlugin, refusing, type Served } from "#http/routes/plugins.ts";
import { bodyParts, type BodyParts } from "#http/body/request-body.ts";
import type { PublicRoute } from "#http/routes/public-route.ts";
import { addressed } from "#http/routes/request-path.ts";
import { refusalCounts } from "./refusal-counts.ts";
import { API_PREFIX, type Route } from "#http/routes/route.ts";
import { noticeUntrustedProxy } from "#http/client/untrusted-proxy.ts";

export type HttpParts = Omit<
  AnsweringParts,
  "countRefusal" | "noticeProxy" | Exclude<keyof BodyParts, "clock">
> &
  Admission &
  Pick<Served, "cursors" | "recorderOf" | "pageTrouble"> & {
    readonly api: Readonly<Record<string, readonly Route[]>>;
    readonly pages: readonly PublicRoute[];
    /** The origins whose pages may call `/api/v1` (`CORS_ORIGINS`). */
    readonly apiOrigins: readonly string[];
    readonly isTrustedProxy: TrustedProxies;
  };

export function httpServer(parts: HttpParts) {
  const routes: NativeRoutes = {};
  // Bun must not refuse a body itself, because its answer has no envelope. It buffers little more than what
  // is read. A send may take up to 45 s to answer.
  const app = new Elysia({
    // A path may begin right after the shortest host (`http://app/`), where Elysia does not look by itself.
    handler: { standardHostname: false },
    serve: {
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: 120,
      reusePort: false,
      routes,
    },
  });
  const peerOf = (request: Request): string => app.server?.requestIP(request)?.address ?? "";
  const served: Served = {
    ...parts,
    table: tableOf(parts),
    noticeProxy: noticeUntrustedProxy(parts, peerOf),
    countRefusal: refusalCounts(parts),
    ...bodyParts(parts.clock),
    clientOf(request: Request) {
      return clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), parts.isTrustedProxy);
    },
  };
  const api = Object.entries(parts.api).map(([name, itsRoutes]) => apiPlugin(name, itsRoutes, served));
  if (parts.apiOrigins.length === 0) app.use(api);
  else Object.assign(routes, crossOriginApi(api, parts.apiOrigins, served));
  for (const page of parts.pages.filter(isCrossOrigin)) Object.assign(routes, crossOriginPage(page, served));
  app.use(
    pagesPlugin(
      parts.pages.filter((page) => !isCrossOrigin(page)),
      served,
    ),
  );
  // Whatever Bun does not find by path itself: wildcards, wrong methods, unknown routes. A page under the API's path
  // is no route of the API.
  const others = (request: Request) => app.fetch(addressed(request));
  routes["/*"] = others;
  for (const { path } of parts.pages) if (path.startsWith(`${API_PREFIX}/`)) routes[`${path}/*`] = others;
  const refuse = refusing(served);
  return app.onError(async ({ request, error, code }) => {
    return await refuse(request, error, code);
  });
}

const tableOf = ({ api, pages }: HttpParts) =>
  methodTable([
    ...Object.values(api).flatMap((routes) =>
      routes.map(({ method, path }) => ({ method, path: API_PREFIX + path })),
    ),
    ...pages,
    ...pages.filter(isCrossOrigin).map(({ path }) => ({ method: "OPTIONS", path })),
  ]);
