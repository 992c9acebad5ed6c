/** The application's routes as Elysia plugins; see `http/server.ts` for what Elysia may see. */
import { Elysia } from "elysia";
import type { ActingRequest } from "#core/request/acting.ts";
import { withoutClosingMarks } from "#core/addresses/closing-marks.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Soon } from "#core/time/soon.ts";
import { admit, type Admission, type Admitted } from "#http/client/admission.ts";
import { answering, identified, REQUEST_ID, type AnsweringParts, type Asked } from "#http/answering.ts";
import { readBulkJson } from "#http/body/bulk-body.ts";
import { ApiCall, type ReadBody } from "./call.ts";
import type { Cursors } from "#http/cursor.ts";
import { errorAnswer, errorResponse, NOT_KEPT } from "#http/errors.ts";
import { invalidJson, readLenientJson, readStrictJson } from "#http/body/json-body.ts";
import type { MethodTable } from "./method-table.ts";
import type { PublicRoute, TroubleAnswer } from "./public-route.ts";
import { pathOf } from "./request-path.ts";
import type { RequestBody } from "#http/body/request-body.ts";
import { API_PREFIX, type Reply, type Route } from "./route.ts";

type Recorder = (request: ActingRequest, work: () => Promise<Reply>) => Promise<Reply>;

/** What all routes share. */
export type Served = AnsweringParts &
  Admission & {
    readonly cursors: Cursors;
    /** The address of a request's client, behind trusted proxies. */
    clientOf(request: Request): string;
    /** For a route that the audit log records: does the work of a request and records it. */
    recorderOf(method: string, path: string): Recorder | null;
    /** The answer for people if a page fails. */
    readonly pageTrouble: TroubleAnswer;
    /** All routes. */
    readonly table: MethodTable;
  };

/** Nearly all bodies come with their request, and who sends it is not looked at twice. */
const QUICK_BODY_MS = 100;

/** The routes of a feature under `/api/v1`. */
export function apiPlugin(name: string, routes: readonly Route[], parts: Served) {
  const plugin = new Elysia({ name: `api/${name}`, prefix: API_PREFIX });
  for (const route of routes) {
    const { method, path, access = "workspace" } = route;
    const record = parts.recorderOf(method, path);
    const dispatch = answering(parts, API_PREFIX + path, async (asked) => {
      const { request, params, requestId } = asked;
      const again = (): Soon<Admitted> => admit(parts, { request, method, path }, access);
      const letIn = again();
      // Most keys are known, and most requests have no body. Then there is no `await`.
      let admitted = letIn instanceof Promise ? await letIn : letIn;
      const holder = admitted.access?.workspaceId ?? admitted.person?.userId;
      if (holder !== undefined) asked.body.comesFrom(holder);
      let read = unread(asked.body);
      if (readsBody(route)) {
        const begunMs = parts.clock.monotonicMs();
        read = await readBodyOf(route, asked.body);
        // A body may take minutes: who was shut out meanwhile may not finish what they began.
        if (parts.clock.monotonicMs() - begunMs > QUICK_BODY_MS) admitted = await again();
      }
      const call = new ApiCall(route, request, params, read, { ...admitted, again }, parts);
      const reply = await (record === null ? route.handle(call) : recorded(record, route, call, admitted));
      const { status, body: answer, stream, headers } = reply;
      const init = { status, headers: { ...NOT_KEPT, [REQUEST_ID]: requestId, ...headers } };
      if (stream !== undefined) return new Response(stream, init);
      return answer === undefined ? new Response(null, init) : Response.json(answer, init);
    });
    plugin.route(
      route.method,
      route.path,
      async ({ request, params }) => {
        return await dispatch(request, textsIn(params));
      },
      { parse: "none" },
    );
  }
  return plugin;
}

type PathTexts = Readonly<Record<string, string>>;

/**
 * The parameters of a path. Whatever its types say, Elysia has none for a path without parameters, and null for one
 * that is no UTF-8 (`%ff`). Bun's own routes give U+FFFD: a text that nothing is called.
 */
function textsIn(params: PathTexts | Readonly<Record<string, null>> | undefined): PathTexts {
  if (params === undefined) return {};
  const entries = Object.entries(params);
  if (entries.every(([, text]) => text !== null)) return params as PathTexts;
  return Object.fromEntries(entries.map(([name, text]) => [name, text ?? "\uFFFD"]));
}

/** Answers the call, and records who made it. HEAD gets nothing, also where it asks for an export. */
function recorded(record: Recorder, route: Route, call: ApiCall, { access }: Admitted): Promise<Reply> {
  const handle = (): Promise<Reply> => route.handle(call);
  if (access === null || call.request.method === "HEAD") return handle();
  const { method, path } = route;
  const { params } = call;
  return record({ method, path, params, ...access, body: () => call.recordedBody }, handle);
}

const readsBody = ({ items, body, upload }: Route): boolean =>
  items !== undefined || (body !== undefined && !upload);

const unread = (from: RequestBody): ReadBody => ({ sent: {}, itemTexts: null, refused: null, from });

/** @throws AppError INVALID_JSON, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT; ClientGone */
async function readBodyOf(route: Route, from: RequestBody): Promise<ReadBody> {
  try {
    return await readJsonOf(route, from);
  } catch (error) {
    // What the path names comes first (docs/decisions.md "HTTP"), so the call says it when its handler asks.
    if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") throw error;
    return { sent: {}, itemTexts: null, refused: error, from };
  }
}

async function readJsonOf({ items, jsonBody, digitsOf }: Route, from: RequestBody): Promise<ReadBody> {
  const isStrict = jsonBody === "strict";
  if (items) {
    const bulk = await readBulkJson(from, items.field, isStrict ? "INVALID_JSON" : "VALIDATION_ERROR");
    if (bulk === null && isStrict) throw invalidJson();
    return { sent: bulk?.rest ?? {}, itemTexts: bulk?.texts ?? null, refused: null, from };
  }
  const sent = await (isStrict ? readStrictJson(from, digitsOf) : readLenientJson(from));
  return { sent, itemTexts: null, refused: null, from };
}

/** Routes that need no key. */
export function pagesPlugin(pages: readonly PublicRoute[], parts: Served) {
  const plugin = new Elysia();
  for (const page of pages) {
    const handle = async ({ request, params, requestId, body }: Asked): Promise<Response> => {
      const answer = await page.handle({
        request,
        params,
        body,
        get clientAddress() {
          return parts.clientOf(request);
        },
      });
      return identified(answer, requestId);
    };
    const dispatch = answering(parts, page.path, handle, page.trouble ?? parts.pageTrouble);
    plugin.route(
      page.method,
      page.path,
      async ({ request, params }) => {
        return await dispatch(request, linkedTextsIn(params));
      },
      { parse: "none" },
    );
  }
  return plugin;
}

/** Their links stand in mails and on paper, so the marks behind them do not count. */
const linkedTextsIn = (params: Parameters<typeof textsIn>[0]): PathTexts =>
  Object.fromEntries(
    Object.entries(textsIn(params)).map(([name, text]) => [name, withoutClosingMarks(text)]),
  );

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

/**
 * Unknown routes. Under `/api/v1` the key or the session is checked first, so that nobody can explore the API
 * without one.
 */
async function unmatched(parts: Served, request: Request): Promise<Response> {
  const path = pathOf(request);
  if (path === API_PREFIX || path.startsWith(`${API_PREFIX}/`))
    await admit(parts, { request, method: request.method, path: path.slice(API_PREFIX.length) }, "workspace");
  const allowed = parts.table.methodsOf(path);
  if (allowed.length === 0) throw new AppError("NOT_FOUND", `There is no route ${request.method} ${path}.`);
  const answer = errorAnswer(
    new AppError("METHOD_NOT_ALLOWED", `${path} takes ${allowed.join(", ")}, not ${request.method}.`),
  );
  return errorResponse(answer, { Allow: allowed.join(", ") });
}
