import { parseLimit, type Page } from "#core/page.ts";
import type { JsonObject } from "./body.ts";
import type { Cursors } from "./cursor.ts";
import { pathOf, queryOf } from "./request-path.ts";
import type { Call, Reply, Route } from "./route.ts";
import { bodyInShape } from "./shape.ts";

type CallParts = {
  readonly workspaceId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly clientAddress: () => string;
  readonly cursors: Cursors;
};

/** What a handler sees of one request: see `Call`. Most handlers look at little of it, so the rest is not read. */
export function apiCall(route: Route, request: Request, parts: CallParts): Call {
  let query: Record<string, string | undefined> | null = null;
  const theQuery = () => (query ??= firstOfEach(queryOf(request)));
  const limit = () => parseLimit(theQuery()["limit"]);
  const scope = () => `${parts.workspaceId} ${route.method} ${pathOf(request)}`;
  return {
    request,
    workspaceId: parts.workspaceId,
    params: parts.params,
    get query() {
      return theQuery();
    },
    get clientAddress() {
      return parts.clientAddress();
    },
    body: () => bodyInShape(route.body!, parts.body),
    sentBody: parts.body,
    pageRequest: () => ({ limit: limit(), before: parts.cursors.open(scope(), theQuery()["after"]) }),
    page: (page, wire) => pageReply(page, limit(), parts.cursors, scope(), wire),
  };
}

function firstOfEach(parameters: URLSearchParams): Record<string, string | undefined> {
  const query: Record<string, string | undefined> = {};
  for (const [name, value] of parameters) query[name] ??= value;
  return query;
}

function pageReply<T>(
  page: Page<T>,
  limit: number,
  cursors: Cursors,
  scope: string,
  wire: (item: T) => unknown,
): Reply {
  const nextCursor = page.nextPosition === null ? null : cursors.seal(scope, page.nextPosition);
  const pagination = { total: page.total, limit, hasMore: nextCursor !== null, nextCursor };
  return { status: 200, body: { data: page.items.map(wire), pagination } };
}
