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
  readonly clientAddress: string;
  readonly cursors: Cursors;
};

/** What a handler sees of one request: see `Call`. */
export function apiCall(route: Route, request: Request, parts: CallParts): Call {
  const query: Record<string, string | undefined> = {};
  for (const [name, value] of queryOf(request)) query[name] ??= value;
  const limit = parseLimit(query["limit"]);
  const scope = `${parts.workspaceId} ${route.method} ${pathOf(request)}`;
  return {
    request,
    workspaceId: parts.workspaceId,
    params: parts.params,
    query,
    clientAddress: parts.clientAddress,
    body: () => bodyInShape(route.body!, parts.body),
    sentBody: parts.body,
    pageRequest: () => ({ limit, before: parts.cursors.open(scope, query["after"]) }),
    page: (page, wire) => pageReply(page, limit, parts.cursors, scope, wire),
  };
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
