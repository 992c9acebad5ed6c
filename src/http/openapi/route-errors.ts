import type { ErrorCode } from "#core/errors.ts";
import { statusOf } from "#http/errors.ts";
import type { Route, RouteErrors } from "#http/route.ts";
import { resourceOf } from "./path.ts";

/**
 * When a route answers an error. Errors with the same status become one answer of the document, with one
 * example each.
 */
export type RouteError = { readonly code: ErrorCode; readonly status: number; readonly when: string };

/**
 * The errors that every route of its kind can answer (docs/decisions.md "HTTP"), then the route's own, which
 * may replace their text. A key's scope stands in the way of every route, whatever else is forbidden there.
 */
export function routeErrors(route: Route): RouteError[] {
  const all: RouteErrors = { ...rulesOf(route), ...route.errors, FORBIDDEN: forbidden(route) };
  return (Object.entries(all) as [ErrorCode, string][])
    .map(([code, when]) => ({ code, status: statusOf(code), when }))
    .toSorted((a, b) => a.status - b.status);
}

function forbidden({ errors }: Route): string {
  const outOfScope = "The API key's scope does not cover this route.";
  return errors?.FORBIDDEN === undefined ? outOfScope : `${errors.FORBIDDEN} Or: ${outOfScope}`;
}

function rulesOf({ path, query, body: json, upload, jsonBody }: Route): RouteErrors {
  const asked = resourceOf(path);
  const body = json ?? upload;
  return {
    ...(jsonBody === "strict" ? { INVALID_JSON: "The body is not valid JSON." } : {}),
    UNAUTHORIZED: "The API key is missing, unknown or revoked.",
    ...(asked === null ? {} : { NOT_FOUND: `No such ${asked} in this workspace.` }),
    ...(body
      ? {
          REQUEST_TIMEOUT: "Nothing came of the body for 24 seconds, or it took more than 120.",
          PAYLOAD_TOO_LARGE:
            "The body is larger than the route takes: 4 MiB, and 16 MiB where it holds many things.",
        }
      : {}),
    ...(body ? { VALIDATION_ERROR: "A field is missing or not acceptable; `message` says which." } : {}),
    ...(!body && query
      ? { VALIDATION_ERROR: "A filter is not acceptable, or `after` is no cursor of this list." }
      : {}),
    INTERNAL_ERROR: "Something failed on our side; the log has the details under the `X-Request-Id`.",
  };
}
