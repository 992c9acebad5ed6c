import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { SignedIn } from "#core/request/access.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { ErrorCode, Result } from "#core/errors/errors.ts";
import type { ItemsOf } from "#http/body/bulk-body.ts";
import type { UploadOf } from "#http/body/multipart.ts";
import type { ForeignInside, ForeignNames } from "#http/foreign-names.ts";
import type { JsonObject } from "#http/body/json-body.ts";

export const API_PREFIX = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The names of a path's parameters: `"id"` for `/contacts/:id/lists`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Others}`
    ? Name | ParamName<Others>
    : Rest
  : never;

/** The parameters of a path, decoded. The router has matched the path, so all of them are there. */
export type Params<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : { readonly [Name in ParamName<Path>]: string };

/** The query parameters of a route, as they were sent. */
type QueryOf<Query extends TObject> = {
  readonly [Name in keyof Query["properties"]]: string | undefined;
};

/**
 * What a handler of a route under `/api/v1` gets. `route` fills in the types from the route's own path and
 * schemas. The defaults are what is known of a route in a list of routes.
 */
export type Call<
  P = Readonly<Record<string, string>>,
  Body = unknown,
  Query = Readonly<Record<string, string | undefined>>,
  Item = unknown,
> = {
  readonly request: Request;
  /** Only for a route that needs a workspace: its `access` is left out. */
  readonly workspaceId: string;
  /** Only for a route whose `access` is `person`. */
  readonly person: SignedIn;
  /** Path parameters, decoded. */
  readonly params: P;
  /**
   * Query parameters.
   * @throws AppError VALIDATION_ERROR for one that is there twice with two values, and for foreign names
   */
  readonly query: Query;
  /**
   * The body in the route's documented shape. It is a function because the resource in the path is checked
   * before the body (docs/decisions.md "HTTP"): find the resource first, then call this.
   * @throws AppError VALIDATION_ERROR
   */
  body(): Body;
  /**
   * The items of a bulk body, read one by one (`bulk-body.ts`). Read all before acting on any: one that is not
   * valid JSON makes the whole body unreadable.
   * @throws AppError VALIDATION_ERROR, INVALID_JSON
   */
  items(): AsyncGenerator<Result<Item>>;
  /**
   * Reads the body of a route with an `upload`, and hands the file in it on piece by piece; the next comes when
   * `take` has resolved. Afterwards `body()` is the part `options`.
   * @throws AppError VALIDATION_ERROR, REQUEST_TIMEOUT; UNAUTHORIZED, NOT_FOUND, FORBIDDEN if who asks was shut out
   * meanwhile; ClientGone; and what `take` throws
   */
  upload(take: (piece: Uint8Array) => Promise<void>): Promise<{ readonly fileName: string }>;
  /**
   * The body as it was sent, without the items of a bulk body. Used to compare two requests.
   * @throws AppError VALIDATION_ERROR
   */
  readonly sentBody: JsonObject;
  /** The client's address, behind trusted proxies (docs/decisions.md "HTTP"). */
  readonly clientAddress: string;
  /**
   * `limit` and `after`, for a list route.
   * @throws AppError VALIDATION_ERROR for a cursor of another list
   */
  pageRequest(): PageRequest;
  /** The same for a list whose position is `count` numbers. */
  placesPageRequest(count: number): PageRequest<readonly number[]>;
  /** The cursor of a position, for answers that are not a page; null for none. `pageRequest` reads it again. */
  cursorOf(position: number | null): string | null;
  /** Makes the answer for a page, in the contract's envelope. */
  page<T>(page: Page<T, number | readonly number[]>, wire: (item: T) => unknown): Reply;
};

export type Reply = {
  readonly status: number;
  readonly body?: unknown;
  /** In place of a body: a stream that is sent while it is made, as long as the client reads it. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** For each error code, when the route answers it. */
export type RouteErrors = Readonly<Partial<Record<ErrorCode, string>>>;

/**
 * One route as data: it is registered, its body is checked and it is documented from this. Paths are Elysia's
 * (`/contacts/:id`), relative to `/api/v1`.
 */
export type Route = Documented & {
  readonly path: string;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly items?: ItemsOf;
  handle(call: Call): Promise<Reply>;
};

/**
 * Who may call a route. `workspace`: a key, or a person who names a workspace they may enter. `person`: somebody
 * who is signed in. `nobody`: anybody.
 */
export type AccessNeeded = "workspace" | "person" | "nobody";

/** The part of a route that does not depend on its types. */
type Documented = {
  readonly method: Method;
  /** Left out: `workspace`. */
  readonly access?: AccessNeeded;
  /**
   * Its name in generated clients, if verb and noun of the path do not give it (see
   * `openapi/operation-id.ts`).
   */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  /** Request headers that it reads, other than Authorization. */
  readonly headers?: TObject;
  /**
   * Names that its body and its query refuse, because people know them from other services. The query of a
   * list always refuses `FOREIGN_PAGING`.
   */
  readonly foreign?: {
    readonly body?: ForeignNames;
    readonly inside?: ForeignInside;
    readonly query?: ForeignNames;
  };
  /**
   * `strict`: a body that is not valid JSON is `400 INVALID_JSON`; valid JSON that is not an object is `422`.
   * Without it, both are read as `{}`.
   */
  readonly jsonBody?: "strict";
  /** A member of a strict body, or of each item, that may be a longer number than JavaScript holds: it is its digits then. */
  readonly digitsOf?: string;
  /**
   * The body is `multipart/form-data` (`multipart.ts`): a part `file`, and a part `options` of JSON that `body`
   * describes. `$id` names the whole in the document.
   */
  readonly upload?: UploadOf;
  /** Success answers by status; null for an empty body. Tests check every answer against them. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** The media types and contents of a success that is not JSON. */
  readonly content?: Readonly<Record<string, TSchema>>;
  /** What a success means, by status, if the description of its data does not say it. */
  readonly says?: Readonly<Record<number, string>>;
  /** Headers of success answers, other than X-Request-Id. Optional ones are not always there. */
  readonly answerHeaders?: TObject;
  /**
   * Errors that only this route answers, and when. `openapi/route-errors.ts` has those of every route of its
   * kind.
   */
  readonly errors?: RouteErrors;
};

/**
 * Makes a route whose handler knows the types of its path parameters, its query and its body. They come from
 * the path and the schemas that the route is registered and checked with, so handlers do not repeat them.
 * `apiPlugin` guarantees that a handler gets a call of its own route: it makes each call from the route that
 * it calls.
 */
export function route<
  const Path extends string,
  Body extends TObject = never,
  Query extends TObject = never,
  Item extends TObject = never,
>(
  typed: Documented & {
    readonly path: Path;
    readonly body?: Body;
    readonly query?: Query;
    /** For a bulk body: the shape of its items. `body` then describes the whole. */
    readonly items?: ItemsOf<Item>;
    handle(call: Call<Params<Path>, Static<Body>, QueryOf<Query>, Static<Item>>): Promise<Reply>;
  },
): Route {
  return typed;
}

export const ok = (data: unknown): Reply => ({ status: 200, body: { data } });
export const created = (data: unknown): Reply => ({ status: 201, body: { data } });
export const noContent = (): Reply => ({ status: 204 });
