import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "#core/errors.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { ForeignInside, ForeignNames } from "./foreign-names.ts";
import type { JsonObject } from "./json-body.ts";

export const API_PREFIX = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The names of a path's parameters: `"id"` of `/contacts/:id/lists`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Others}`
    ? Name | ParamName<Others>
    : Rest
  : never;

/** The parameters of a path, decoded. A router that matched the path has found all of them. */
export type Params<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : { readonly [Name in ParamName<Path>]: string };

/** The parameters a route's query can have, as they were sent; the first of a repeated one. */
type QueryOf<Query extends TObject> = {
  readonly [Name in keyof Query["properties"]]: string | undefined;
};

/**
 * What a handler of a route under `/api/v1` gets. `route` fills in the types from the route's own path and schemas; the
 * defaults are what is left of a route in a list of routes.
 */
export type Call<
  P = Readonly<Record<string, string>>,
  Body = unknown,
  Query = Readonly<Record<string, string | undefined>>,
> = {
  readonly request: Request;
  readonly workspaceId: string;
  /** Path parameters, decoded. */
  readonly params: P;
  /** Query parameters; the first of a repeated one. */
  readonly query: Query;
  /**
   * The body in the route's documented shape. A function, because the resource in the path is checked before the body
   * is (docs/decisions.md "HTTP"): find it first, then call this.
   * @throws AppError VALIDATION_ERROR
   */
  body(): Body;
  /** The body as it was sent, for telling whether two requests are the same. */
  readonly sentBody: JsonObject;
  /** The client, past trusted proxies (docs/decisions.md "HTTP"). */
  readonly clientAddress: string;
  /** `limit` and `after`, for a list route. @throws AppError VALIDATION_ERROR for a cursor of another list */
  pageRequest(): PageRequest;
  /** Answers a page in the contract's envelope. */
  page<T>(page: Page<T>, wire: (item: T) => unknown): Reply;
};

export type Reply = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** When a route answers an error, by its code. */
export type RouteErrors = Readonly<Partial<Record<ErrorCode, string>>>;

/**
 * One route as data: what registers it, checks its body and documents it. Paths are Elysia's (`/contacts/:id`),
 * relative to `/api/v1`.
 */
export type Route = Documented & {
  readonly path: string;
  readonly query?: TObject;
  readonly body?: TObject;
  handle(call: Call): Promise<Reply>;
};

/** What of a route does not depend on its types. */
type Documented = {
  readonly method: Method;
  /** Its name for programs that make clients, where verb and noun of the path do not say it (see `openapi/operation-id.ts`). */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /** Request headers it reads beside Authorization. */
  readonly headers?: TObject;
  /** What its body and its query refuse, because people know it from elsewhere; a list's query refuses `FOREIGN_PAGING` in any case. */
  readonly foreign?: {
    readonly body?: ForeignNames;
    readonly inside?: ForeignInside;
    readonly query?: ForeignNames;
  };
  /** `strict`: a body that is not valid JSON is `400 INVALID_JSON`, valid JSON that is no object `422`. Elsewhere both read as `{}`. */
  readonly jsonBody?: "strict";
  /** Success answers by status; null for an empty body. Tests hold every answer against them. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** What a success means, by status, where the description of its data does not say it. */
  readonly says?: Readonly<Record<number, string>>;
  /** Headers those carry beside X-Request-Id; optional ones not always. */
  readonly answerHeaders?: TObject;
  /** Errors beside those every route of its kind can answer, and when (see `openapi/route-errors.ts`). */
  readonly errors?: RouteErrors;
};

/**
 * A route whose handler knows its path's parameters, its query and its body by their types: they come from the path and the
 * schemas it is registered and checked with, so no handler says them again. That the handler is called with such a call and no
 * other is kept by `apiPlugin`, which makes each call from the route it hands it to.
 */
export function route<const Path extends string, Body extends TObject = never, Query extends TObject = never>(
  typed: Documented & {
    readonly path: Path;
    readonly body?: Body;
    readonly query?: Query;
    handle(call: Call<Params<Path>, Static<Body>, QueryOf<Query>>): Promise<Reply>;
  },
): Route {
  return typed;
}

export const ok = (data: unknown): Reply => ({ status: 200, body: { data } });
export const created = (data: unknown): Reply => ({ status: 201, body: { data } });
export const noContent = (): Reply => ({ status: 204 });
