/**
 * Routes that pages of other sites may call. Each is a separate application with the CORS plugin, because the
 * plugin would add its headers to every route of the server. Bun passes it the requests for its paths.
 */
import { Elysia } from "elysia";
import { apiCors, formCors } from "./cors.ts";
import { pagesPlugin, refusing, type apiPlugin, type Served } from "#http/routes/plugins.ts";
import type { PublicRoute } from "#http/routes/public-route.ts";
import { addressed } from "#http/routes/request-path.ts";
import { API_PREFIX } from "#http/routes/route.ts";

/** Handlers that Bun chooses by path, before any of Elysia's routes. */
export type NativeRoutes = Record<string, (request: Bun.BunRequest) => Response | Promise<Response>>;

type CrossOriginPage = PublicRoute & Required<Pick<PublicRoute, "originsAllowed">>;

export const isCrossOrigin = (page: PublicRoute): page is CrossOriginPage =>
  page.originsAllowed !== undefined;

/** `/api/v1`, also for pages of these origins. */
export function crossOriginApi(
  api: readonly ReturnType<typeof apiPlugin>[],
  origins: readonly string[],
  parts: Served,
): NativeRoutes {
  const app = application(parts)
    .use(apiCors(origins))
    .use([...api]);
  const answer = answerOf(app, parts);
  return { [API_PREFIX]: answer, [`${API_PREFIX}/*`]: answer };
}

/** One page. Its allowed origins are looked up first, because the plugin asks for them synchronously. */
export function crossOriginPage(page: CrossOriginPage, parts: Served): NativeRoutes {
  const found = new WeakMap<Request, readonly string[]>();
  const app = application(parts)
    .use(formCors((request) => found.get(request)))
    .use(pagesPlugin([page], parts));
  const answer = answerOf(app, parts);
  const route = async (request: Bun.BunRequest): Promise<Response> => {
    // If they cannot be looked up, no page may read the answer, which reports the failure.
    const origins = await page.originsAllowed(request.params).catch(() => null);
    if (origins !== null) found.set(request, origins);
    return await answer(request);
  };
  // With the star, because Elysia drops a path that ends with a slash.
  return { [page.path]: route, [`${page.path}/*`]: route };
}

/** The plugin answers preflights, so the request id must be there before. */
function application({ newRequestId }: Served) {
  // Without this, Elysia looks for the path after the eleventh character of the address and misses it if the
  // host is short.
  return new Elysia({ handler: { standardHostname: false } }).onRequest(({ request, set }) => {
    if (request.method === "OPTIONS") set.headers["x-request-id"] = newRequestId();
  });
}

function answerOf(app: ReturnType<typeof application>, parts: Served) {
  const refuse = refusing(parts);
  const { fetch } = app.onError(async ({ request, error, code }) => {
    return await refuse(request, error, code);
  });
  return (request: Request): Response | Promise<Response> => fetch(addressed(request));
}
