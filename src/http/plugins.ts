/** The application's routes as Elysia plugins; see `server.ts` for what Elysia may see. */
import { Elysia } from "elysia";
import type { Access } from "#core/access.ts";
import { AppError, notFound } from "#core/errors.ts";
import { answering, identified, REQUEST_ID, type AnsweringParts } from "./answering.ts";
import { readBulkJson } from "./bulk-body.ts";
import { ApiCall, type SentBody } from "./call.ts";
import type { Cursors } from "./cursor.ts";
import { errorAnswer, errorResponse } from "./errors.ts";
import { invalidJson, readLenientJson, readStrictJson } from "./json-body.ts";
import type { MethodTable } from "./method-table.ts";
import type { PublicRoute } from "./public-route.ts";
import { pathOf } from "./request-path.ts";
import type { RequestBody } from "./request-body.ts";
import { API_PREFIX, type Route } from "./route.ts";

/** What all routes share. */
export type Served = AnsweringParts & {
  /** What an Authorization header opens, or null. Returns no promise if the key is known already. */
  authenticate(authorization: string | null): Access | null | Promise<Access | null>;
  readonly cursors: Cursors;
  /** The address of a request's client, behind trusted proxies. */
  clientOf(request: Request): string;
  /** All routes. */
  readonly table: MethodTable;
};

/** The routes of a feature under `/api/v1`. */
export function apiPlugin(name: string, routes: readonly Route[], parts: Served) {
  const plugin = new Elysia({ name: `api/${name}`, prefix: API_PREFIX });
  for (const route of routes) {
    const dispatch = answering(parts, API_PREFIX + route.path, async (asked) => {
      const { request, params, requestId } = asked;
      const workspaceId = await admitted(parts, request, route.method, route.path);
      const body = await sentBodyOf(route, asked.body);
      const call = new ApiCall(route, request, params, body, workspaceId, parts);
      const { status, body: answer, stream, headers } = await route.handle(call);
      const init = { status, headers: { [REQUEST_ID]: requestId, ...headers } };
      if (stream !== undefined) return new Response(stream, init);
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

async function sentBodyOf({ body, items, jsonBody, upload }: Route, from: RequestBody): Promise<SentBody> {
  const isStrict = jsonBody === "strict";
  if (items) {
    const bulk = await readBulkJson(from, items.field);
    if (bulk === null && isStrict) throw invalidJson();
    return { sent: bulk?.rest ?? {}, itemTexts: bulk?.texts ?? null, from };
  }
  if (!body || upload) return { sent: {}, itemTexts: null, from };
  return { sent: await (isStrict ? readStrictJson : readLenientJson)(from), itemTexts: null, from };
}

/** Routes that need no key. */
export function pagesPlugin(pages: readonly PublicRoute[], parts: Served) {
  const plugin = new Elysia();
  for (const page of pages) {
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

/** Answers requests for which the application has no route. */
export function refusing(
  parts: Served,
): (request: Request, error: unknown, code: unknown) => Promise<Response> {
  return async (request, error, code) => {
    const dispatch = answering(parts, UNMATCHED, async ({ requestId }) => {
      if (code !== "NOT_FOUND") throw error;
      return identified(await unmatched(parts, request), requestId);
    });
    return await dispatch(request, {});
  };
}

/** The workspace of a request's key, which must be good, and good for this route. */
async function admitted(parts: Served, request: Request, method: string, path: string): Promise<string> {
  const access = await parts.authenticate(request.headers.get("authorization"));
  if (access === null)
    throw new AppError("UNAUTHORIZED", "Send a valid API key: `Authorization: Bearer pr_…`.");
  const refusal = access.refusal(method, path);
  if (refusal !== null) throw new AppError(refusal.code, refusal.message);
  return access.workspaceId;
}

/**
 * Unknown routes. Under `/api/v1` the key is checked first, so that nobody can explore the API without one.
 */
async function unmatched(parts: Served, request: Request): Promise<Response> {
  const path = pathOf(request);
  if (path === API_PREFIX || path.startsWith(`${API_PREFIX}/`))
    await admitted(parts, request, request.method, path.slice(API_PREFIX.length));
  const allowed = parts.table.methodsOf(path);
  if (allowed.length === 0) throw notFound(`The route ${request.method} ${path}`);
  const answer = errorAnswer(
    new AppError("METHOD_NOT_ALLOWED", `${path} takes ${allowed.join(", ")}, not ${request.method}.`),
  );
  return errorResponse(answer, { Allow: allowed.join(", ") });
}
