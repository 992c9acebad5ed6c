/**
 * Routes that pages of other sites may call. Each is an application of its own with the CORS plugin, which would put its headers on every
 * route of the whole server; Bun hands it the requests of its paths.
 */
import { Elysia } from "elysia";
import { apiCors, formCors } from "./cors.ts";
import { pagesPlugin, refusing, type apiPlugin, type Served } from "./plugins.ts";
import type { PublicRoute } from "./public-route.ts";
import { API_PREFIX } from "./route.ts";

/** What Bun asks by path, before any route of Elysia's. */
export type NativeRoutes = Record<string, (request: Bun.BunRequest) => Response | Promise<Response>>;

type CrossOriginPage = PublicRoute & Required<Pick<PublicRoute, "originsAllowed">>;

export const isCrossOrigin = (page: PublicRoute): page is CrossOriginPage =>
  page.originsAllowed !== undefined;

/** `/api/v1` for pages of these origins too. */
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

/** One page; its origins are found before the plugin asks for them, which cannot wait. */
export function crossOriginPage(page: CrossOriginPage, parts: Served): NativeRoutes {
  const found = new WeakMap<Request, readonly string[]>();
  const app = application(parts)
    .use(formCors((request) => found.get(request)))
    .use(pagesPlugin([page], parts));
  const answer = answerOf(app, parts);
  const route = async (request: Bun.BunRequest): Promise<Response> => {
    // Where they cannot be found out no page may read the answer, which says that something failed.
    const origins = await page.originsAllowed(request.params).catch(() => null);
    if (origins !== null) found.set(request, origins);
    return await answer(request);
  };
  return { [page.path]: route, [`${page.path}/`]: route };
}

/** A preflight is answered by the plugin; its id has to be there before. */
function application({ newRequestId }: Served) {
  // Elysia looks for the path behind the eleventh character of an address otherwise, and misses it where the host is short.
  return new Elysia({ handler: { standardHostname: false } }).onRequest(({ request, set }) => {
    if (request.method === "OPTIONS") set.headers["x-request-id"] = newRequestId();
  });
}

function answerOf(app: ReturnType<typeof application>, parts: Served) {
  const refuse = refusing(parts);
  const { fetch } = app.onError(async ({ request, error, code }) => {
    return await refuse(request, error, code);
  });
  return (request: Request): Response | Promise<Response> => fetch(request);
}
