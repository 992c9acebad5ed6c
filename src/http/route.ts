import type { TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "#core/errors.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { ForeignInside, ForeignNames } from "./foreign-names.ts";
import type { JsonObject } from "./json-body.ts";

export const API_PREFIX = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a handler of a route under `/api/v1` gets. */
export type Call = {
  readonly request: Request;
  readonly workspaceId: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters; the first of a repeated one. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /**
   * The body in the route's documented shape. A function, because the resource in the path is checked before the body
   * is (docs/decisions.md "HTTP"): find it first, then call this.
   * @throws AppError VALIDATION_ERROR
   */
  body(): JsonObject;
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
export type Route = {
  readonly method: Method;
  readonly path: string;
  /** Its name for programs that make clients, where verb and noun of the path do not say it (see `openapi/operation-id.ts`). */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: TObject;
  /** Request headers it reads beside Authorization. */
  readonly headers?: TObject;
  readonly body?: TObject;
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
  handle(call: Call): Promise<Reply>;
};

export const ok = (data: unknown): Reply => ({ status: 200, body: { data } });
export const created = (data: unknown): Reply => ({ status: 201, body: { data } });
export const noContent = (): Reply => ({ status: 204 });
