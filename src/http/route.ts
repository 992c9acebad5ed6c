import type { TObject, TSchema } from "@sinclair/typebox";
import type { Page, PageRequest } from "#core/page.ts";
import type { JsonObject } from "./body.ts";

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
   * is (decisions, section 1): find it first, then call this.
   * @throws AppError VALIDATION_ERROR
   */
  body(): JsonObject;
  /** The client, past trusted proxies (decisions, section 1). */
  readonly clientAddress: string;
  /** `limit` and `after`, for a list route. @throws AppError VALIDATION_ERROR for a cursor of another list */
  pageRequest(): PageRequest;
  /** Answers a page in the contract's envelope. */
  page<T>(page: Page<T>, wire: (item: T) => unknown): Reply;
};

export type Reply = { readonly status: number; readonly body?: unknown };

/**
 * One route as data: what registers it, checks its body and documents it. Paths are Elysia's (`/contacts/:id`),
 * relative to `/api/v1`.
 */
export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Success answers by status; null for an empty body. Tests hold every answer against them. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  handle(call: Call): Promise<Reply>;
};

export const ok = (data: unknown): Reply => ({ status: 200, body: { data } });
export const created = (data: unknown): Reply => ({ status: 201, body: { data } });
export const noContent = (): Reply => ({ status: 204 });
