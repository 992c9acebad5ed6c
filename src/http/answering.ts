import { AppError } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { errorAnswer, errorResponse } from "./errors.ts";
import type { TroubleAnswer } from "#http/routes/public-route.ts";
import { ClientGone, RequestBody, type BodyParts } from "#http/body/request-body.ts";

/** What is needed to make any answer. */
export type AnsweringParts = BodyParts & {
  /** Called with every answer of a route. The route is named by its pattern. */
  observing(route: string): (answer: { method: string; status: number; ms: number }) => void;
  /** Called for every request. Call the returned function when the answer is ready. */
  begin(): () => void;
  /** Called for every request; see `noticeUntrustedProxy`. */
  noticeProxy(request: Request): void;
  /** Called with the status of every refusal (4xx). */
  countRefusal(status: number): void;
  readonly log: Log;
  /** Makes an id for each request. */
  newRequestId(): string;
};

type Params = Readonly<Record<string, string>>;

/** One request being answered. Its answer carries the id as X-Request-Id. */
export type Asked = {
  readonly request: Request;
  readonly params: Params;
  readonly requestId: string;
  readonly body: RequestBody;
};

/**
 * nginx's number for a request whose client went away. Nobody receives this status; metrics count it as a
 * 4xx.
 */
const CLIENT_GONE = 499;
const REQUEST_TIMEOUT = 408;

/**
 * Runs a handler. Every error becomes an envelope and every 5xx a log line. The log names the route's
 * pattern, never the path: a path may hold the token of a link. A body that the route refused is received to its end
 * first; if nobody read it, the connection is closed after the answer.
 */
export function answering(
  parts: AnsweringParts,
  route: string,
  handle: (asked: Asked) => Promise<Response>,
  trouble: TroubleAnswer = () => null,
): (request: Request, params: Params) => Promise<Response> {
  const observe = parts.observing(route);
  return async (request, params) => {
    const { method } = request;
    const requestId = parts.newRequestId();
    parts.noticeProxy(request);
    const startedMs = parts.clock.monotonicMs();
    const end = parts.begin();
    const body = new RequestBody(request, parts);
    let response: Response;
    let code: string | undefined;
    try {
      requireOneHost(request);
      response = await handle({ request, params, requestId, body });
    } catch (error) {
      const known = afterError(parts, { requestId, method, route }, error);
      const shown = known.response.status >= 500 ? trouble(request, known.response.status) : null;
      response = shown === null ? known.response : identified(saidAgain(known.response, shown), requestId);
      code = known.code;
    }
    body.release();
    if (mayReceiveRest(response.status)) await body.receiveRest();
    if (body.mustCloseBehind(response.status)) response.headers.set("Connection", "close");
    end();
    const ms = parts.clock.monotonicMs() - startedMs;
    const { status } = response;
    observe({ method, status, ms });
    if (status >= 400 && status < 500) parts.countRefusal(status);
    parts.log.debug("request", {
      requestId,
      method,
      route,
      status,
      code,
      ms: Math.round(ms * 10) / 10,
    });
    return response;
  };
}

/** Refused for another reason than that the body came too slowly, or that nobody sends it any more. */
const mayReceiveRest = (status: number): boolean =>
  status >= 400 && status !== REQUEST_TIMEOUT && status !== CLIENT_GONE;

/** A page that is shown instead of an answer says as well when to try again. */
function saidAgain(answer: Response, page: Response): Response {
  const retryAfter = answer.headers.get("Retry-After");
  if (retryAfter !== null) page.headers.set("Retry-After", retryAfter);
  return page;
}

type Named = { readonly requestId: string; readonly method: string; readonly route: string };

function afterError(
  { log }: AnsweringParts,
  named: Named,
  error: unknown,
): { response: Response; code: string } {
  if (error instanceof ClientGone)
    return { response: new Response(null, { status: CLIENT_GONE }), code: "CLIENT_GONE" };
  const answer = errorAnswer(error);
  if (answer.status >= 500) log.error("request failed", { ...named, error });
  return { response: errorResponse(answer, { [REQUEST_ID]: named.requestId }), code: answer.code };
}

/**
 * Refuses every request with two Host lines or an impossible Host (RFC 9112, section 3.2): a proxy and this
 * server might each believe a different one. Bun joins the lines with a comma. Bun itself refuses a request
 * without a Host.
 */
function requireOneHost({ headers }: Request): void {
  if (HOST.test(headers.get("host") ?? "")) return;
  throw new AppError("BAD_REQUEST", "Send one Host header, with the name or address of this server.");
}

const HOST = /^[A-Za-z0-9._~%!$&'()*+;=:[\]-]*$/;

export const REQUEST_ID = "X-Request-Id";

/** Adds the request id to an answer of a page: pages know nothing of ids. */
export function identified(response: Response, requestId: string): Response {
  response.headers.set(REQUEST_ID, requestId);
  return response;
}
