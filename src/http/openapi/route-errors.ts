import { capitalLetter } from "#core/text/capital-letter.ts";
import type { ErrorCode } from "#core/errors/errors.ts";
import { statusOf } from "#http/errors.ts";
import type { Route, RouteErrors } from "#http/routes/route.ts";
import { ERRORS, SLOW_UPLOAD } from "./error-codes.ts";
import { resourceOf } from "./path.ts";

/**
 * When a route answers an error. Errors with the same status become one answer of the document, with one
 * example each.
 */
export type RouteError = {
  readonly code: ErrorCode;
  readonly status: number;
  readonly when: string;
  /** An example of its message. */
  readonly message: string;
};

/**
 * The errors that every route of its kind can answer (docs/decisions.md "HTTP"), then the route's own, which may
 * replace their text. Only FORBIDDEN keeps both texts: a key's scope can forbid every route.
 */
export function routeErrors(route: Route): RouteError[] {
  const all: RouteErrors = { ...rulesOf(route), ...route.errors, FORBIDDEN: forbidden(route) };
  return (Object.entries(all) as [ErrorCode, string][])
    .map(([code, when]) => ({ code, status: statusOf(code), when, message: exampleOf(code, route) }))
    .toSorted((a, b) => a.status - b.status);
}

function forbidden({ errors, access = "workspace" }: Route): string {
  const outOfReach = FORBIDDEN_TO[access];
  return errors?.FORBIDDEN === undefined ? outOfReach : `${errors.FORBIDDEN} Or: ${outOfReach}`;
}

const FORBIDDEN_TO = {
  workspace: "The API key's scope or the person's role does not cover this route.",
  person: "A page of another site asks, or an API key: a key has no account.",
  nobody: "A page of another site asks.",
} as const;

/** When a request without valid credentials is refused. */
const UNAUTHORIZED_TO = {
  workspace: { UNAUTHORIZED: "The API key is missing, unknown or revoked; or the session is over." },
  person: { UNAUTHORIZED: "Nobody is signed in, or the session is over." },
  nobody: {},
} as const;

/** What a path names, and which workspace. */
function missing({ path, access = "workspace" }: Route): RouteErrors {
  const asked = resourceOf(path);
  if (access !== "workspace") return asked === null ? {} : { NOT_FOUND: `The person has no such ${asked}.` };
  const foreign = "the workspace in `X-Workspace` is none of the person's.";
  return {
    NOT_FOUND: asked === null ? capitalLetter(foreign) : `No such ${asked} in this workspace; or ${foreign}`,
  };
}

function rulesOf(route: Route): RouteErrors {
  const { query, jsonBody, access = "workspace" } = route;
  const body = route.body ?? route.upload;
  return {
    ...(jsonBody === "strict" ? { INVALID_JSON: "The body is not valid JSON." } : {}),
    ...UNAUTHORIZED_TO[access],
    ...missing(route),
    ...(body ? bodyLimits(route) : {}),
    ...(body ? { VALIDATION_ERROR: "A field is missing or not acceptable; `message` says which." } : {}),
    ...(!body && query
      ? { VALIDATION_ERROR: "A filter is not acceptable, or `after` is no cursor of this list." }
      : {}),
    INTERNAL_ERROR: "Something failed on our side; the log has the details under the `X-Request-Id`.",
    UNAVAILABLE: "The database was locked for too long; `Retry-After` says when to try again.",
  };
}

/** A file has more time than JSON, and only its own route limits its size. */
const bodyLimits = ({ upload }: Route): RouteErrors =>
  upload
    ? { REQUEST_TIMEOUT: "Nothing came of the body for 24 seconds, or it took more than six hours." }
    : {
        REQUEST_TIMEOUT:
          "Nothing came of the body for 24 seconds, it took more than 120, or it waited 60 for other long ones.",
        PAYLOAD_TOO_LARGE:
          "The body is larger than the route takes: 4 MiB, and 16 MiB where it holds many things.",
      };

const exampleOf = (code: ErrorCode, { upload }: Route): string =>
  upload && code === "REQUEST_TIMEOUT" ? SLOW_UPLOAD : ERRORS[code].message;
